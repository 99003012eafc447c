import * as fc from "fast-check";
import { amountOf, amountUnits } from "../../generators/amounts.ts";
import { stratifiedAmounts } from "../../generators/index.ts";
import type { AmountRange } from "../../model/target.ts";
import type { Core } from "../run/context.ts";

/** A valid amount with a configured pair. */
export interface AmountAndPair {
  readonly amount: number;
  readonly pair: string;
  /** From 0 on. */
  readonly index: number;
}

/**
 * Distinct valid amounts, edges first, drawn as they are taken, each with one of the configured
 * pairs in turn.
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
  // The middle first: limits that are narrower than the configured range most likely contain it.
  const middle = (units.first + units.last) / 2;
  return [...new Set(apart)]
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
    .map((unit) => amountOf(unit, units));
}

/** Such amounts, one at each call; when all were taken, the smallest valid one. */
export function amountSupply(context: Core, n: number, salt = 0): () => number {
  const amounts = [...plainAmounts(context, n, salt)];
  return () => amounts.shift() ?? context.target.amount.min;
}

/**
 * The amount that the target accepts for an item of an operation of this amount: all of it if
 * possible.
 */
export function itemAmount(context: Core, amount: number): number {
  const limits = context.knowledge.itemLimits;
  if (limits === undefined) return amount;
  const most = floored(Math.min(amount, limits.max), limits.decimals);
  return most > 0 ? most : amount;
}

/** The largest amount with so many decimals that is not above this one. */
export function floored(amount: number, decimals: number): number {
  const moved = Number(`${amount}e${decimals}`);
  // Tolerates the binary error of a product; amounts have at most 15 digits.
  return Number(`${Math.floor(Number(moved.toPrecision(15)))}e${-decimals}`);
}

/** The amount without all digits after its first: 505.5 becomes 500. */
export const rounded = (amount: number): number => floored(amount, -Math.floor(Math.log10(amount)));

/** The same with smaller amounts: the arbitrary through which a failing amount shrinks. */
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
