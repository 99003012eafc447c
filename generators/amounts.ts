import * as fc from "fast-check";
import type { AmountRange } from "../spec/amount-range.ts";

/**
 * A range of amounts in units of the last decimal place: an amount is `unit × 10^-decimals`, where
 * the unit goes from `first` to `last`, both included.
 */
type AmountUnits = ReturnType<typeof amountUnits>;

/**
 * The range in units, without rounding errors. The settings are checked, so the range has an
 * amount, and all its units are exact.
 */
export function amountUnits({ min, max, decimals }: AmountRange) {
  return {
    first: Math.ceil(shifted(min, decimals)),
    last: Math.floor(shifted(max, decimals)),
    decimals,
  };
}

/**
 * The amount that consists of this many units, as the double that a JSON parser reads. `decimals`
 * is negative if all amounts are multiples of ten.
 */
export function amountOf(unit: number, { decimals }: AmountUnits): number {
  return decimals < 0 ? unit * 10 ** -decimals : unit / 10 ** decimals;
}

/**
 * Draws valid amounts, one in four from the edges (`amountEdges`). Shrinks towards the smallest
 * amount.
 */
export function amountArbitrary(range: AmountRange): fc.Arbitrary<number> {
  const units = amountUnits(range);
  const any = fc
    .integer({ min: units.first, max: units.last })
    .map((unit) => amountOf(unit, units));
  return fc.oneof(
    { weight: 3, arbitrary: any },
    { weight: 1, arbitrary: fc.constantFrom(...amountEdges(range)) },
  );
}

/**
 * Distinct amounts that servers often treat wrongly, the likeliest first: ends of the range,
 * rounding, powers of ten.
 */
export function amountEdges(range: AmountRange): readonly number[] {
  const units = amountUnits(range);
  const { first, last, decimals } = units;
  const middle = Math.floor(first + (last - first) / 2);
  const whole = 10 ** decimals;
  const candidates = [
    first,
    last,
    first + 1,
    last - 1,
    ...firstFrom(middle, units, (unit) => lostByTruncation(unit, units)),
    middle,
    Math.ceil(middle / whole) * whole,
    Math.ceil(middle / whole) * whole + whole / 10,
    ...firstFrom(middle + whole, units, (unit) => lostByRounding(unit, units)),
    ...[1, 7, 29, 57, 99].map((fraction) => Math.ceil(middle / whole) * whole + fraction),
    ...[2 ** 24 + 1, 2 ** 31, 2 ** 32 + 1].map((amount) => amount * whole),
    ...Array.from({ length: 16 }, (_, exponent) => 10 ** exponent * whole),
  ];
  // Without decimals, a tenth of a unit is not a whole number of units.
  const inside = candidates.filter(
    (unit) => Number.isInteger(unit) && first <= unit && unit <= last,
  );
  return [...new Set(inside)].map((unit) => amountOf(unit, units));
}

/**
 * `x × 10^places`, correctly rounded, because only the decimal point moves in the digits of the
 * number.
 */
function shifted(x: number, places: number): number {
  const [digits = "0", exponent = "0"] = String(x).split("e");
  return Number(`${digits}e${Number(exponent) + places}`);
}

/**
 * The unit nearest to `start` that has the property, as a list. Empty if no unit within 2,000 has
 * it.
 */
function firstFrom(
  start: number,
  { first, last }: AmountUnits,
  has: (unit: number) => boolean,
): readonly number[] {
  const fits = (unit: number): boolean => first <= unit && unit <= last && has(unit);
  // Most steps find nothing, so they allocate nothing: this is asked for each ACAM item.
  for (let step = 0; step < 2_000; step++) {
    if (fits(start + step)) return [start + step];
    if (fits(start - step)) return [start - step];
  }
  return [];
}

/**
 * Whether truncation turns an amount into one unit less: `0.29 × 100` is 28.999…, and so becomes
 * 28.
 */
function lostByTruncation(unit: number, units: AmountUnits): boolean {
  return Math.trunc(amountOf(unit, units) * 10 ** units.decimals) !== unit;
}

/**
 * Whether the double is just below the decimal half, as for 1.005, so that rounding to one decimal
 * less goes down, not up.
 */
function lostByRounding(unit: number, units: AmountUnits): boolean {
  if (units.decimals === 0 || Math.abs(unit) % 10 !== 5) return false;
  const rounded = Number(amountOf(unit, units).toFixed(units.decimals - 1));
  return rounded !== amountOf(Math.ceil(unit / 10) * 10, units);
}
