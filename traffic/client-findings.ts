import { fieldOf, type Exchange, type Fields } from "../model/exchange.ts";
import { operations } from "../spec/operations.ts";
import type { ClientFinding } from "../model/run.ts";
import { isLoopback } from "../model/target.ts";
import type { BrokenRule } from "../harness/judging/rules/refusals.ts";

/** Collects the rules that clients break, each kind once. */
export interface ClientFindings {
  /** The findings of this exchange that are new. */
  readonly add: (exchange: Exchange, rules: readonly BrokenRule[], place: string) => readonly ClientFinding[];
  readonly all: () => readonly ClientFinding[];
}

/** Most kinds of findings that are kept. */
const mostKinds = 200;

export const createClientFindings = (redact: (text: string) => string): ClientFindings => {
  const found = new Map<string, ClientFinding>();
  return {
    add: (exchange, rules, place) =>
      (isOfRun(exchange.request.headers) ? [] : changesOf(exchange, rules)).flatMap((change) => {
        const key = `${exchange.operation} ${change}`;
        const before = found.get(key);
        if (before === undefined && found.size >= mostKinds) return [];
        const finding = before ?? {
          operation: exchange.operation,
          text: redact(change),
          example: place,
          count: 0,
        };
        found.set(key, { ...finding, count: finding.count + 1 });
        return before === undefined ? [{ ...finding, count: 1 }] : [];
      }),
    all: () => [...found.values()],
  };
};

/** Whether fxconform itself sent a request: a run breaks rules on purpose. */
export const isOfRun = (headers: Fields): boolean => fieldOf(headers, "user-agent")?.startsWith("fxconform/") === true;

/** The rules that a request breaks, as words that follow "a request". */
const changesOf = ({ operation, request }: Exchange, rules: readonly BrokenRule[]): readonly string[] => {
  if (request.method !== operations[operation].method) return [`with the method ${request.method}`];
  const { protocol, hostname } = new URL(request.url);
  const type = fieldOf(request.headers, "content-type");
  return [
    ...rules.filter(({ isDoubtful }) => isDoubtful !== true).map(({ change }) => change),
    ...(protocol === "http:" && !isLoopback(hostname) ? ["over plain HTTP"] : []),
    ...(operation === "createToken" && fieldOf(request.headers, "authorization") !== undefined
      ? ["with an Authorization header"]
      : []),
    ...(request.body !== undefined && request.body.length > 0 && !/^application\/json\s*(;|$)/i.test(type ?? "")
      ? [
          type === undefined
            ? "with a body and no Content-Type"
            : "with a body that is not declared as application/json",
        ]
      : []),
  ];
};
