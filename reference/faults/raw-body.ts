import { isJson, type Json } from "../change.ts";
import type { Call } from "../policy.ts";

/** Selects calls by what they send. */
export type Sent = (call: Call) => boolean;

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
  (member: string): Sent =>
  (call) =>
    isJson(bodyOf(call)) && !(member in membersOf(call));

/** True for a body that is an object whose member is `odd`. */
export const has =
  (member: string, odd: (value: unknown) => boolean): Sent =>
  (call) =>
    odd(membersOf(call)[member]);

/** True for a body that is an object in which this member is null. */
export const hasNull = (member: string): Sent => has(member, (value) => value === null);

/** True for a body that is an object in which this member has the type. */
export const hasTyped = (member: string, type: "string" | "number"): Sent =>
  has(member, (value) => typeof value === type);

/** True for a body that is an object whose member, a string, has this pattern. */
export const hasText = (member: string, pattern: RegExp): Sent =>
  has(member, (value) => typeof value === "string" && pattern.test(value));

/** True for a body that is an object whose member, a number, is `odd`. */
export const hasNumber = (member: string, odd: (value: number) => boolean): Sent =>
  has(member, (value) => typeof value === "number" && odd(value));

/** True if the text of the body has this pattern. */
export const reads =
  (pattern: RegExp): Sent =>
  (call) =>
    pattern.test(call.bytes.toString());

/** True if the values of the members, written as JSON, have this pattern. */
export const holds =
  (pattern: RegExp): Sent =>
  (call) =>
    pattern.test(JSON.stringify(Object.values(membersOf(call))));

/** True if the body is neither empty nor JSON. */
export const isMalformed: Sent = (call) => call.bytes.length > 0 && bodyOf(call) === undefined;

/** True if there is no body. */
export const isEmpty: Sent = (call) => call.bytes.length === 0;

/** True for a body that is an array. */
export const isList: Sent = (call) => Array.isArray(bodyOf(call));
