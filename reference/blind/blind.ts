import type { OperationName } from "../../spec/operations.ts";
import { answers, edit, problem, rawResponse, withBytes } from "../change.ts";
import { faultsAnywhere, faultsAt, type Fault } from "../faults/fault.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { row, type Variant } from "../variants/variant.ts";

/** A class of mistakes: faults that make them, and legal variants that look like these faults. */
export interface BlindClass {
  readonly faults: readonly Fault[];
  readonly variants: readonly Variant[];
}

/** Writes faults that show at several endpoints. */
export const anywhere = faultsAnywhere("blind-");

/** For each endpoint, the functions that write its faults. */
export const at = {
  token: faultsAt("createToken", "blind-"),
  counterparty: faultsAt("createCounterparty", "blind-"),
  operation: faultsAt("createOperation", "blind-"),
  acam: faultsAt("addAcamItem", "blind-"),
  batch: faultsAt("createBatch", "blind-"),
  list: faultsAt("listBatches", "blind-"),
} as const;

export function legal(id: string, about: string, change: Change): Variant {
  return row(`blind-${id}`, about).by(change);
}

export const crash: Answer = problem(500, "Internal server error");

/**
 * Answers 500 to the requests that `when` selects, unless their key or token is bad. Without
 * `operation`, at every endpoint.
 */
export function crashes(when: (call: Call) => boolean, operation?: OperationName): Change {
  return answers(
    ({ refusal }, call) =>
      (operation === undefined || call.operation === operation) &&
      refusal !== "token" &&
      refusal !== "key" &&
      when(call),
    () => crash,
  );
}

/** Changes the text of every response with a body. */
export function spelt(change: (text: string) => string): Change {
  return rawResponse(
    ({ body }) => body !== undefined,
    (raw) => withBytes(raw, Buffer.from(change(raw.bytes.toString()))),
  );
}

/** Returns a function that changes every `foreign_currency_amount` in a JSON text. */
export function amountsIn(change: (amount: string) => string): (text: string) => string {
  return (text) =>
    text.replaceAll(
      /("foreign_currency_amount":)(-?[\d.]+(?:[eE][+-]?\d+)?)/g,
      (_all, name: string, amount: string) => name + change(amount),
    );
}

/** Changes the creation time of an object. */
export function created(change: (time: string) => unknown) {
  return edit("created_at", change);
}
