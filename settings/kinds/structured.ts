import * as v from "valibot";
import { statistics, type LatencyBudget } from "../../model/run-options.ts";
import { withoutFinalSlashes } from "../../model/target.ts";
import { operationNames } from "../../spec/operations.ts";
import { masked } from "../problem.ts";
import { anyObject, message, refusing, type Kind } from "./kind.ts";
import { duration } from "./number.ts";
import { listOf } from "./words.ts";
import type { JsonObject } from "../../spec/json.ts";

/**
 * The address of the target: absolute, without user, query and fragment. It may have a base path,
 * whose final slashes are removed.
 */
export const baseUrl: Kind<string, string> = {
  schema: v.pipe(
    v.string("an absolute URL with https:// in front"),
    v.regex(/^\s*[Hh][Tt][Tt][Pp][Ss]?:\/\//, ({ input }) => {
      const host = masked(input.trim());
      const isHost = /^[\w.-]+(:\d+)?(\/|$)/.test(host);
      const example = isHost ? `https://${host}` : "https://localhost:4010";
      return message(
        "an absolute URL with https:// in front",
        `Give an address such as ${example}.`,
      );
    }),
    v.trim(),
    v.check((text) => URL.canParse(text), message("a well-formed URL", "Check host and port.")),
    v.check(
      (text) => new URL(text).username + new URL(text).password === "",
      message(
        "a URL without user and password",
        "Take user:password@ out; credentials go into --api-key.",
      ),
    ),
    v.regex(/^[^?#]*$/, message("a URL without query and fragment", "End it before ? or #.")),
    v.transform((text) => `${new URL(text).origin}${withoutFinalSlashes(new URL(text).pathname)}`),
  ),
};

const proxyMessage = message("the address of a proxy", "Write http://host:port.");

/** The address of a proxy, with or without user and password. The default scheme is `http:`. */
export const proxy: Kind<string, string> = {
  schema: v.pipe(
    v.string("the address of a proxy"),
    v.trim(),
    // A key in the wrong place must not be looked up as a name.
    v.check((text) => !/^[^.:/@]{16,}$/.test(text), proxyMessage),
    v.transform((text) => (text.includes("://") ? text : `http://${text}`)),
    refusing((text) => {
      if (!/^https?:/i.test(text)) {
        const other = `A ${masked(text.split("://", 1).join(""))} proxy is not supported; write http://host:port.`;
        return message("the address of an HTTP proxy", other);
      }
      const [, credentials = ""] = /^[^@:]*:\/\/([^@]*)@/.exec(text) ?? [];
      const [sign] = /[#/?]|%(?![0-9a-f]{2})/i.exec(credentials) ?? [];
      if (sign !== undefined)
        return message(
          `the address of a proxy with ${sign} percent-encoded in user and password`,
          `Write ${encodeURIComponent(sign)} for ${sign}.`,
        );
      if (!URL.canParse(text)) return proxyMessage;
      const { pathname, search, hash } = new URL(text);
      if (pathname + search + hash !== "/")
        return message("the address of a proxy without a path", "End it after the port.");
      return undefined;
    }),
  ),
};

const wanted = `an object such as {"operation_ids":["{operation_id}"]}, as a flag in JSON`;

/**
 * Members of a batch that the specification does not name, as an object or as the JSON text of an
 * object.
 */
export const batchMembers: Kind<JsonObject, Record<string, unknown>> = {
  fromText: membersIn,
  schema: v.pipe(
    anyObject(wanted),
    v.minEntries(1, message(wanted, "Name at least one member.")),
    refusing(memberProblem),
    // The cast is safe, because JSON and YAML hold no values of other types.
    v.transform((value) => value as JsonObject),
  ),
};

function membersIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function memberProblem(value: Record<string, unknown>): string | undefined {
  if (Object.hasOwn(value, "currency_pair"))
    return message("an object without currency_pair", "Name the pairs with --currency-pairs.");
  const placeholders = JSON.stringify(value).match(/\{\w+\}/g) ?? [];
  const strange = placeholders.find((placeholder) => placeholder !== "{operation_id}");
  const text = "an object with no placeholder but {operation_id}";
  return strange === undefined
    ? undefined
    : message(text, `Replace ${masked(strange)} with {operation_id}.`);
}

const budgets = "a list of budgets such as listBatches p95=300ms";
const { schema: time } = duration("1ms", "10m");
const budgetShape = new RegExp(
  `^\\s*(${operationNames.join("|")})\\s+(${statistics.join("|")})\\s*=(.*)$`,
);
const budgetAdvice = `Write an operation (${operationNames.join(", ")}), a statistic (${statistics.join(", ")}), = and a duration.`;

/**
 * Limits of latency such as `listBatches p95=300ms`: a text with commas between them, or a list.
 */
export const latencyBudgets: Kind<readonly LatencyBudget[], string | string[]> = listOf(
  v.pipe(
    v.string(budgets),
    v.regex(budgetShape, message(budgets, budgetAdvice)),
    v.transform((text): unknown => {
      const [, operation, statistic, milliseconds] = budgetShape.exec(text) ?? [];
      return { operation, statistic, milliseconds };
    }),
    v.object({
      operation: v.picklist(operationNames),
      statistic: v.picklist(statistics),
      milliseconds: time,
    }),
  ),
  budgets,
);
