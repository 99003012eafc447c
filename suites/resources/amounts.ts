import * as fc from "fast-check";
import { amountOf, amountUnits } from "../../generators/amounts.ts";
import { stratifiedAmounts } from "../../generators/index.ts";
import type { AmountRange } from "../../model/target.ts";
import type { Core } from "../run/context.ts";

/** A valid amount with a configured pair. */
export interface AmountAndPair {
  readonly amount: number;
  readonly pair: string;
  /** The position of the amount, from 0 on. */
  readonly index: number;
}

/**
 * Distinct valid amounts, edges first, each drawn when it is taken. The configured pairs come in
 * turn.
 */
export function* amountsAndPairs(context: Core, n: number): Generator<AmountAndPair> {
  let index = 0;
  for (const amount of stratifiedAmounts(context.target.amount, n, context.seed)) {
    yield { amount, pair: pairAt(context, index), index };
    index += 1;
  }
}

/**
 * Distinct ordinary amounts: not near an end of the range, and so far apart that rounding keeps
 * them distinct.
 */
export function plainAmounts(context: Core, n: number, salt = 0): readonly number[] {
  const units = amountUnits(context.target.amount);
  const step = (units.last - units.first) / (n + 1);
  const shift = (Math.abs(context.seed + salt * 7919) % 1000) / 2000;
  const apart = Array.from({ length: n }, (_, index) =>
    Math.floor(units.first + (index + 0.5 + shift) * step),
  );
  // The middle comes first, as limits that are narrower than the configured range most likely
  // contain it.
  const middle = (units.first + units.last) / 2;
  return [...new Set(apart)]
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
    .map((unit) => amountOf(unit, units));
}

/**
 * A function that returns another ordinary amount at each call and, after all `n`, the smallest
 * valid amount.
 */
export function amountSupply(context: Core, n: number, salt = 0): () => number {
  const amounts = [...plainAmounts(context, n, salt)];
  return () => amounts.shift() ?? context.target.amount.min;
}

/**
 * The amount of an item for an operation with this amount: all of it, if the target accepts that.
 */
export function itemAmount(context: Core, amount: number): number {
  const limits = context.knowledge.itemLimits;
  if (limits === undefined) return amount;
  const most = floored(Math.min(amount, limits.max), limits.decimals);
  return most > 0 ? most : amount;
}

/** The largest amount that is not above this one and has no more than this number of decimals. */
export function floored(amount: number, decimals: number): number {
  const moved = Number(`${amount}e${decimals}`);
  // Tolerates the rounding error of a product. Amounts have at most 15 digits.
  return Number(`${Math.floor(Number(moved.toPrecision(15)))}e${-decimals}`);
}

/** The amount with zeros for all digits after its first: 505.5 becomes 500. */
export const rounded = (amount: number): number => floored(amount, -Math.floor(Math.log10(amount)));

/** Draws the same value with smaller amounts. A failing amount shrinks through it. */
export function withSmallerAmounts<T extends { readonly amount: number }>(
  range: AmountRange,
  failed: T,
): fc.Arbitrary<T> {
  const units = amountUnits(range);
  const unit = Math.round(failed.amount * 10 ** units.decimals);
  return fc.integer({ min: units.first, max: Math.max(units.first, unit) }).map(
    (smaller) => ({ ...failed, amount: amountOf(smaller, units) }),
    (data) => Math.round((data as T).amount * 10 ** units.decimals),
  );
}

export const firstPair = (context: Core): string => context.target.currencyPairs[0] ?? "";

function pairAt(context: Core, index: number): string {
  return (
    context.target.currencyPairs[index % context.target.currencyPairs.length] ?? firstPair(context)
  );
}
