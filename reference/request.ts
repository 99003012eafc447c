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

/** The operations that already exist for the counterparty (the payee) that the body names. */
export function operationsForPayee(call: Call): readonly Operation[] {
  return [...call.store.operations.values()].filter(
    ({ counterparty }) => counterparty.id === sent(call)["counterparty_id"],
  );
}

export function lacks(member: string): Sent {
  return (call) => isJson(bodyOf(call)) && !(member in membersOf(call));
}

/** Selects objects whose member has such a value, or a text that matches the pattern. */
export function has(member: string, wanted: RegExp | ((value: unknown) => boolean)): Sent {
  return (call) => {
    const value = membersOf(call)[member];
    if (!(wanted instanceof RegExp)) return wanted(value);
    return typeof value === "string" && wanted.test(value);
  };
}

export function reads(pattern: RegExp): Sent {
  return (call) => pattern.test(call.bytes.toString());
}

/** Selects bodies that are neither empty nor JSON. */
export const isMalformed: Sent = (call) => call.bytes.length > 0 && bodyOf(call) === undefined;

/** Selects well-formed requests for an operation whose counterparty_id stands twice. */
export const hasMemberTwice: Sent = (call) =>
  isJson(bodyOf(call)) && call.bytes.toString().split('"counterparty_id"').length > 2;

export const isEmpty: Sent = (call) => call.bytes.length === 0;
export const isList: Sent = (call) => Array.isArray(bodyOf(call));
