import { isJson, sent, type Json } from "./change.ts";
import type { Call, Operation } from "./policy.ts";

export type Sent = (call: Call) => boolean;

/** The parsed body without any check. Undefined if it cannot be parsed. */
export function bodyOf(call: Call): unknown {
  try {
    return JSON.parse(call.bytes.toString());
  } catch {
    return undefined;
  }
}

/** The members of the body without any check. An empty object if the body is not an object. */
export function membersOf(call: Call): Readonly<Json> {
  const body = bodyOf(call);
  return isJson(body) ? body : {};
}

/** The body as it was parsed, as one text. */
export const wholeBody = (call: Call): string => JSON.stringify(sent(call));

/** The operation that the path names. Undefined if there is none. */
export const operationInPath = ({ store, parameter }: Call): Operation | undefined =>
  store.operations.get(parameter);

export function lacks(member: string): Sent {
  return (call) => isJson(bodyOf(call)) && !(member in membersOf(call));
}

/**
 * Selects objects in which the member is what `wanted` says: null, a string, a number, a string
 * that matches the pattern, or a number for which the function returns true.
 */
export function has(
  member: string,
  wanted: null | "string" | "number" | RegExp | ((value: number) => boolean),
): Sent {
  return (call) => {
    const value = membersOf(call)[member];
    if (wanted instanceof RegExp) return typeof value === "string" && wanted.test(value);
    if (typeof wanted === "function") return typeof value === "number" && wanted(value);
    return wanted === null ? value === null : typeof value === wanted;
  };
}

export function reads(pattern: RegExp): Sent {
  return (call) => pattern.test(call.bytes.toString());
}

/** Selects bodies whose values, written as JSON, match the pattern. */
export function holds(pattern: RegExp): Sent {
  return (call) => pattern.test(JSON.stringify(Object.values(membersOf(call))));
}

/** Selects bodies that are neither empty nor JSON. */
export const isMalformed: Sent = (call) => call.bytes.length > 0 && bodyOf(call) === undefined;

/** Selects well-formed requests for an operation whose counterparty_id stands twice. */
export const hasMemberTwice: Sent = (call) =>
  isJson(bodyOf(call)) && call.bytes.toString().split('"counterparty_id"').length > 2;

export const isEmpty: Sent = (call) => call.bytes.length === 0;
export const isList: Sent = (call) => Array.isArray(bodyOf(call));
