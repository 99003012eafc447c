import { isJson } from "../edits.ts";
import type { Json } from "../edits.ts";
import type { Call } from "../policy.ts";

/** What the body says, read before any check; undefined where it cannot be read. */
export function bodyOf(call: Call): unknown {
  try {
    return JSON.parse(call.bytes.toString());
  } catch {
    return undefined;
  }
}

/** The members of the body, before any check; none where it is not an object. */
export const membersOf = (call: Call): Readonly<Json> => {
  const body = bodyOf(call);
  return isJson(body) ? body : {};
};

/** True for a body that is an object without this member. */
export const lacks =
  (member: string) =>
  (call: Call): boolean =>
    isJson(bodyOf(call)) && !(member in membersOf(call));

/** True for a body that is an object with this member of null. */
export const hasNull =
  (member: string) =>
  (call: Call): boolean =>
    membersOf(call)[member] === null;

/** True for a body that is an object with this member of a type. */
export const hasTyped =
  (member: string, type: "string" | "number") =>
  (call: Call): boolean =>
    typeof membersOf(call)[member] === type;

/** True where there is a body that is not JSON. */
export const isMalformed = (call: Call): boolean => call.bytes.length > 0 && bodyOf(call) === undefined;

/** True where there is no body. */
export const isEmpty = (call: Call): boolean => call.bytes.length === 0;

/** True for a body that is a list. */
export const isList = (call: Call): boolean => Array.isArray(bodyOf(call));
