import * as fc from "fast-check";
import { amountOf, amountUnits } from "../../generators/amounts.ts";
import type { AmountRange } from "../../spec/amount-range.ts";
import type { ScenarioCore } from "../run/context.ts";

/**
 * Returns up to `n` distinct ordinary amounts: not near an end of the range, and far apart. Another
 * `salt` shifts the amounts, so that several supplies of a run differ.
 */
export function plainAmounts(context: ScenarioCore, n: number, salt = 0): readonly number[] {
  const units = amountUnits(context.target.amount);
  const step = (units.last - units.first) / (n + 1);
  const shift = (Math.abs(context.seed + salt * 7919) % 1000) / 2000;
  const apart = Array.from({ length: n }, (_, index) =>
    Math.floor(units.first + (index + 0.5 + shift) * step),
  );
  // Amounts near the middle come first, as a server with narrower limits than the configured range
  // most likely accepts them.
  const middle = (units.first + units.last) / 2;
  return [...new Set(apart)]
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
    .map((unit) => amountOf(unit, units));
}

/**
 * Returns a function that gives another ordinary amount at each call and, after all `n`, the
 * smallest configured amount.
 */
export function amountSupply(context: ScenarioCore, n: number, salt = 0): () => number {
  const amounts = [...plainAmounts(context, n, salt)];
  return () => amounts.shift() ?? context.target.amount.min;
}

/**
 * Returns the amount of an item for an operation with this amount: all of it, or as much of it as
 * the target is known to accept.
 */
export function itemAmount(context: ScenarioCore, amount: number): number {
  const limits = context.knowledge.itemLimits;
  if (limits === undefined) return amount;
  const most = floored(Math.min(amount, limits.max), limits.decimals);
  return most > 0 ? most : amount;
}

/** The largest amount that is not above this one and has no more than this number of decimals. */
export function floored(amount: number, decimals: number): number {
  const moved = Number(`${amount}e${decimals}`);
  // Amounts have at most 15 digits. The rounding error of an amount that was computed comes after
  // them, and is cut off here.
  return Number(`${Math.floor(Number(moved.toPrecision(15)))}e${-decimals}`);
}

/** The amount with zeros for all digits after its first: 505.5 becomes 500. */
export const rounded = (amount: number): number => floored(amount, -Math.floor(Math.log10(amount)));

/**
 * Makes an arbitrary of the failed sample with amounts up to its own, from the smallest on. A
 * sample that fails shrinks through it.
 */
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

export const firstPair = (context: ScenarioCore): string => context.target.currencyPairs[0] ?? "";
