import * as fc from "fast-check";
import { amountOf, amountUnits } from "../../generators/amounts.ts";
import type { AmountRange } from "../../model/target.ts";
import type { OperationData } from "./requests.ts";

/** Operations like this one with smaller amounts: the arbitrary through which a failing amount shrinks. */
export const smallerOperations = (range: AmountRange, failed: OperationData): fc.Arbitrary<OperationData> => {
  const units = amountUnits(range);
  const unit = Math.round(failed.amount * 10 ** units.decimals);
  return fc.integer({ min: units.first, max: Math.max(units.first, unit) }).map(
    (smaller) => ({ ...failed, amount: amountOf(smaller, units) }),
    (data) => Math.round((data as OperationData).amount * 10 ** units.decimals),
  );
};
