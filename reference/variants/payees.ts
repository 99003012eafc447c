import type { Call, Operation } from "../policy.ts";
import type { Json } from "../change.ts";
import { refused, type Variant } from "./variant.ts";

/** The operations that already exist for the counterparty (the payee) that the body names. */
function earlier(body: Json, { store }: Call): readonly Operation[] {
  return [...store.operations.values()].filter(
    ({ counterparty }) => counterparty.id === body["counterparty_id"],
  );
}

const hasServed = (body: Json, call: Call): boolean => earlier(body, call).length > 0;

function hasServedPair(body: Json, call: Call): boolean {
  return earlier(body, call).some(({ pair }) => pair === body["currency_pair"]);
}

function isOfOtherPurpose(body: Json, call: Call): boolean {
  return earlier(body, call).some(({ purpose }) => purpose !== body["operation_purpose"]);
}

const mostOperations = 8;
const isFull = (_: Json, { store }: Call): boolean => store.operations.size >= mostOperations;

/**
 * Variants that bind a payee to one operation, pair or purpose, or that accept only a few
 * operations in all.
 */
export const payeeVariants: readonly Variant[] = [
  ...refused("createOperation", { slot: "payees", answers: "OPEN-29" }, [
    ["payee-for-one-operation", "A payee takes one operation.", hasServed],
    [
      "payee-for-one-operation-of-a-pair",
      "A payee takes one operation of each pair.",
      hasServedPair,
    ],
    [
      "payee-for-one-purpose",
      "A payee takes operations of the purpose of its first one.",
      isOfOtherPurpose,
    ],
  ]),
  ...refused("createOperation", { slot: "payees", answers: "OPEN-29", rare: true }, [
    ["operations-eight-a-day", "After eight operations, more are refused.", isFull, 422, "limit"],
  ]),
];
