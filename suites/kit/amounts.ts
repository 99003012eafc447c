import { amountOf, amountUnits } from "../../generators/amounts.ts";
import { stratifiedAmounts } from "../../generators/index.ts";
import type { Context } from "./context.ts";

/** Distinct valid amounts, edges first. */
export const edgesFirst = (context: Context, n: number): readonly number[] =>
  stratifiedAmounts(context.target.amount, n, context.seed);

/**
 * Distinct ordinary amounts, none of them near an end of the range, and so far from each other that one which is
 * returned rounded is not taken for another's.
 */
export const plainAmounts = (context: Context, n: number, salt = 0): readonly number[] => {
  const units = amountUnits(context.target.amount);
  const step = (units.last - units.first) / (n + 1);
  const shift = (Math.abs(context.seed + salt * 7919) % 1000) / 2000;
  const apart = Array.from({ length: n }, (_, index) => Math.floor(units.first + (index + 0.5 + shift) * step));
  // The middle first: where a server's limits are narrower than the configured range, it is what both both contain.
  const middle = (units.first + units.last) / 2;
  return [...new Set(apart)]
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
    .map((unit) => amountOf(unit, units));
};

export const firstPair = (context: Context): string => context.target.currencyPairs[0] ?? "";

/** The pairs of the configuration in turn. */
export const pairAt = (context: Context, index: number): string =>
  context.target.currencyPairs[index % context.target.currencyPairs.length] ?? firstPair(context);
