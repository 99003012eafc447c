import type { AmountRange } from "../../spec/amount-range.ts";
import { amountOf, amountUnits } from "../../generators/amounts.ts";
import { floored, rounded } from "../resources/amounts.ts";

/**
 * Returns the amount next below the middle of the range that has no zero among its digits, or else
 * the middle. A server may accept round amounts alone, which a round amount would not show.
 */
export function unroundAmount(range: AmountRange): number {
  const units = amountUnits(range);
  const middle = Math.floor((units.first + units.last) / 2);
  const below = Math.min(1200, middle - units.first);
  const candidates = Array.from({ length: below + 1 }, (_, step) => middle - step);
  const unit = candidates.find((one) => !String(one).includes("0")) ?? middle;
  return amountOf(unit, units);
}

/**
 * Amounts in the configured range, near a refused amount and far from it, each as round as
 * possible.
 */
export function operationAmountsToTry(range: AmountRange, refused: number): readonly number[] {
  const towards = (end: number, part: number): number => refused * (end / refused) ** part;
  return [
    refused,
    ...[1 / 3, 2 / 3, 1].map((part) => towards(range.min, part)),
    towards(range.max, 0.5),
    range.max,
  ]
    .map(
      (amount) =>
        [rounded(amount), floored(amount, 0), amount].find((one) => isIn(range, one)) ?? range.min,
    )
    .filter((amount) => amount !== refused);
}

/**
 * Returns the part of the range that the target seems to accept: the amounts on the accepted side
 * of the refused one, or only rounder amounts. A further request shows how round they must be.
 */
export async function limitsAround(
  range: AmountRange,
  refused: number,
  accepted: number,
  isAccepted: (amount: number) => Promise<boolean>,
): Promise<AmountRange> {
  // Two amounts that are near each other differ mainly in how round they are, so the less round one
  // shows whether the target accepts only round amounts.
  const isRounder = rounded(refused) === accepted;
  const beside = floored(accepted * (accepted < refused ? 0.97 : 1.03), range.decimals);
  const other = isRounder ? floored(refused, 0) : beside;
  const isFree = other !== accepted && isIn(range, other) && (await isAccepted(other));
  const ofFree = isRounder ? 0 : range.decimals;
  const decimals = isFree ? ofFree : roundness(accepted);
  const min = !isRounder && accepted > refused ? accepted : range.min;
  const max = !isRounder && accepted < refused ? accepted : range.max;
  return { min: -floored(-min, decimals), max, decimals };
}

/**
 * How round an amount is: its number of decimals, which is negative for zeros at the end, such as
 * -2 for 500.
 */
export function roundness(amount: number): number {
  let decimals = 8;
  while (decimals > -15 && floored(amount, decimals - 1) === amount) decimals -= 1;
  return decimals;
}

const isIn = ({ min, max }: AmountRange, amount: number): boolean => amount >= min && amount <= max;
