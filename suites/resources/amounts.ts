import * as fc from "fast-check";
import { amountOf, amountUnits } from "../../generators/amounts.ts";
import type { AmountRange } from "../../spec/amount-range.ts";
import type { ScenarioCore } from "../run/context.ts";

/**
 * Ordinary amounts come from this part of the configured range, because a server with narrower
 * limits most likely accepts amounts near the middle.
 */
const ordinary = { from: 0.3, to: 0.65 };

/**
 * Returns a function that gives one amount after another, distinct as long as the range has more.
 * Each amount falls into one of the widest gaps between the earlier ones.
 */
export function amountSupply({ target, seed }: ScenarioCore): () => number {
  const units = amountUnits(target.amount);
  const first = Math.ceil(units.first + ordinary.from * (units.last - units.first));
  const width = Math.max(1, Math.floor((ordinary.to - ordinary.from) * (units.last - units.first)));
  const taken = new Set<number>();
  let nth = 0;
  const next = (): number => {
    nth += 1;
    return first + Math.floor((((Math.abs(seed) % 1000) / 1000 + nth * golden) % 1) * width);
  };
  return () => {
    let unit = next();
    for (let tries = 0; taken.has(unit) && tries < 100; tries += 1) unit = next();
    taken.add(unit);
    return amountOf(Math.min(unit, units.last), units);
  };
}

/** The multiples of this number have evenly spread fractional parts, however many are taken. */
const golden = (Math.sqrt(5) - 1) / 2;

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
