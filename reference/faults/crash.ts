import type { OperationName } from "../../spec/operations.ts";
import { around, isJson, problem } from "../change.ts";
import type { Answer, Call, Change } from "../policy.ts";

/** What the body says, read before anybody checked anything; undefined where it cannot be read. */
export function bodyOf(call: Call): unknown {
  try {
    return JSON.parse(call.bytes.toString());
  } catch {
    return undefined;
  }
}

/** The members of the body, before anybody checked them; none where it is no object. */
export const membersOf = (call: Call): Readonly<Record<string, unknown>> => {
  const body = bodyOf(call);
  return isJson(body) ? body : {};
};

/** An error of the server. */
export const crashed = problem(500, "Internal server error");

/** Answers requests of an endpoint that are odd in some way with an error of the server. */
export const crashing = (operation: OperationName, odd: (call: Call) => boolean, answer: Answer = crashed): Change =>
  around(async (call, next) => (call.operation === operation && odd(call) ? answer : next(call)));

/** True where there is a body that is no JSON. */
export const isMalformed = (call: Call): boolean => call.bytes.length > 0 && bodyOf(call) === undefined;
/** True where there is no body. */
export const isEmpty = (call: Call): boolean => call.bytes.length === 0;
/** The Authorization header. */
export const header = (call: Call): string | undefined => call.headers.authorization;

/** Crashes for a request whose success leaned on the things of another. */
export const afterwards =
  (operation: OperationName, keyOf: (call: Call) => unknown): Change =>
  (base) => {
    const seen = new Set<unknown>();
    return around(async (call, next) => {
      const answer = await next(call);
      if (call.operation !== operation || answer.status >= 300) return answer;
      const known = seen.has(keyOf(call));
      seen.add(keyOf(call));
      return known ? crashed : answer;
    })(base);
  };
