import { isJson } from "../edits.ts";
import type { Json } from "../edits.ts";
import type { Call } from "../policy.ts";

/** The parsed body, without any check; undefined if it cannot be parsed. */
export function bodyOf(call: Call): unknown {
  try {
    return JSON.parse(call.bytes.toString());
  } catch {
    return undefined;
  }
}

/** The members of the body, without any check; none if it is not an object. */
export const membersOf = (call: Call): Readonly<Json> => {
  const body = bodyOf(call);
  return isJson(body) ? body : {};
};

/** True for a body that is an object without this member. */
export const lacks =
  (member: string) =>
  (call: Call): boolean =>
    isJson(bodyOf(call)) && !(member in membersOf(call));

/** True for a body that is an object in which this member is null. */
export const hasNull =
  (member: string) =>
  (call: Call): boolean =>
    membersOf(call)[member] === null;

/** True for a body that is an object in which this member has the type. */
export const hasTyped =
  (member: string, type: "string" | "number") =>
  (call: Call): boolean =>
    typeof membersOf(call)[member] === type;

/** True if the body is neither empty nor JSON. */
export const isMalformed = (call: Call): boolean => call.bytes.length > 0 && bodyOf(call) === undefined;

/** True if there is no body. */
export const isEmpty = (call: Call): boolean => call.bytes.length === 0;

/** True for a body that is a list. */
export const isList = (call: Call): boolean => Array.isArray(bodyOf(call));
