import { fieldOf, type Exchange } from "../../model/exchange.ts";
import type { Fields } from "../../model/request.ts";
import { operations, takesToken } from "../../spec/operations.ts";
import type { ClientFinding } from "../../model/run.ts";
import { isLoopback } from "../../model/target.ts";
import type { BrokenRule } from "../../harness/judging/refusal.ts";

const mostKinds = 200;

export function createClientFindings(redact: (text: string) => string) {
  const found = new Map<string, ClientFinding>();
  return {
    /** Adds an exchange, and returns the findings that are new. */
    add: (
      exchange: Exchange,
      rules: readonly BrokenRule[],
      place: string,
    ): readonly ClientFinding[] =>
      (isOfRun(exchange.request.headers) ? [] : changesOf(exchange, rules)).flatMap((change) => {
        const { operation } = exchange;
        const before = found.get(`${operation} ${change}`);
        if (before === undefined && found.size >= mostKinds) return [];
        const { count, ...finding } = before ?? {
          operation,
          text: redact(change),
          example: place,
          count: 0,
        };
        found.set(`${operation} ${change}`, { ...finding, count: count + 1 });
        return before === undefined ? [{ ...finding, count: 1 }] : [];
      }),
    all: (): readonly ClientFinding[] => [...found.values()],
  };
}

/**
 * Whether fxconform itself sent a request. The rules that its requests break are no mistakes of a
 * client, because runs break rules on purpose.
 */
export function isOfRun(headers: Fields): boolean {
  return fieldOf(headers, "user-agent")?.startsWith("fxconform/") === true;
}

/** The rules that a request breaks, in words that follow "a request". */
function changesOf(
  { operation, request }: Exchange,
  rules: readonly BrokenRule[],
): readonly string[] {
  const { method, url, headers, body } = request;
  if (method !== operations[operation].method) return [`with the method ${method}`];
  const { protocol, hostname } = new URL(url);
  const type = fieldOf(headers, "content-type");
  const hasBody = body !== undefined && body.length > 0;
  const hasToken = fieldOf(headers, "authorization") !== undefined;
  const others: readonly (readonly [isThere: boolean, change: string])[] = [
    [protocol === "http:" && !isLoopback(hostname), "over plain HTTP"],
    [!takesToken(operation) && hasToken, "with an Authorization header"],
    [hasBody && type === undefined, "with a body and no Content-Type"],
    [
      hasBody && !/^application\/json\s*(;|$)/i.test(type ?? "application/json"),
      "with a body that is not declared as application/json",
    ],
  ];
  return [
    ...rules.filter(({ isDoubtful }) => isDoubtful !== true).map(({ change }) => change),
    ...others.filter(([isThere]) => isThere).map(([, change]) => change),
  ];
}
