import * as fc from "fast-check";
import { expect, test } from "vitest";
import { withSmallerAmounts } from "./amounts.ts";

const range = { min: 10, max: 1000, decimals: 2 };
const failed = { counterparty: "c-1", amount: 512.37, purpose: "EFX" };

test("operations that differ in a smaller or equal amount alone", () => {
  for (const data of fc.sample(withSmallerAmounts(range, failed), { seed: 1, numRuns: 200 })) {
    expect(data).toEqual({ ...failed, amount: data.amount });
    expect(data.amount).toBeGreaterThanOrEqual(10);
    expect(data.amount).toBeLessThanOrEqual(512.37);
    expect(data.amount).toBe(Math.round(data.amount * 100) / 100);
  }
});

test("shrinks from the failing amount to the least that fails", () => {
  const property = fc.property(withSmallerAmounts(range, failed), ({ amount }) => amount < 123.45);
  const { counterexample } = fc.check(property, { examples: [[failed]], seed: 1 });
  expect(counterexample?.[0]).toEqual({ ...failed, amount: 123.45 });
});

test.each([0.07, 1.15, 8.2, 10, 999999.99])("takes %d as it is", (amount) => {
  const wide = { min: 0.01, max: 1_000_000, decimals: 2 };
  const property = fc.property(
    withSmallerAmounts(wide, { counterparty: "c", amount }),
    () => false,
  );
  const { counterexample } = fc.check(property, {
    examples: [[{ counterparty: "c", amount }]],
    seed: 1,
    endOnFailure: true,
  });
  expect(counterexample).toEqual([{ counterparty: "c", amount }]);
});
