import { describe, expect, test } from "vitest";
import { amountArbitrary, amountEdges, smallestAmount, type AmountBounds } from "./amounts.ts";
import { domain } from "./testing/contract.ts";
import { expectLaws } from "./testing/laws.ts";

const ranges: readonly AmountBounds[] = [
  { min: 10, max: 1000, decimals: 2 },
  { min: 0.001, max: 5e6, decimals: 3 },
  { min: 1, max: 1e12, decimals: 2 },
  { min: 5, max: 7, decimals: 0 },
  { min: 1e-7, max: 1e-6, decimals: 8 },
  { min: 10, max: 10, decimals: 2 },
  { min: 10.001, max: 10.029, decimals: 2 },
  { min: 1.005, max: 2.675, decimals: 3 },
];

/** Checks an amount by the digits that are sent, without arithmetic. */
function isValid({ min, max, decimals }: AmountBounds) {
  return (amount: number): boolean => {
    const [digits = "", exponent = "0"] = JSON.stringify(amount).split("e");
    const places = (digits.split(".")[1] ?? "").length - Number(exponent);
    return min <= amount && amount <= max && places <= decimals && !Object.is(amount, -0);
  };
}

describe.each(ranges)("$min..$max:$decimals", (range) => {
  test("amounts keep the laws", () => expectLaws(amountArbitrary(range), isValid(range), 500));

  test("edges are valid and distinct", () => {
    const edges = amountEdges(range);
    expect(edges.filter((amount) => !isValid(range)(amount))).toEqual([]);
    expect(new Set(edges).size).toBe(edges.length);
    expect(edges[0]).toBe(smallestAmount(range));
  });
});

test("the edges are exactly these values, because every run sends them", () => {
  expect(amountEdges(domain.amount)).toEqual([
    10, 1000, 10.01, 999.99, 512.05, 505, 505.1, 505.95, 505.01, 505.07, 505.29, 505.57, 505.99,
    100,
  ]);
  expect(amountEdges({ min: 1, max: 1000, decimals: 0 })).toEqual([
    1, 1000, 2, 999, 500, 501, 507, 529, 557, 599, 10, 100,
  ]);
  expect(amountEdges({ min: 1, max: 5000, decimals: 3 })).toEqual([
    1, 5000, 1.001, 4999.999, 2500.5, 2501, 2501.1, 2501.495, 2501.001, 2501.007, 2501.029,
    2501.057, 2501.099, 10, 100, 1000,
  ]);
  const edges = amountEdges({ min: 1, max: 1e10, decimals: 2 });
  expect(edges.slice(0, 6)).toEqual([1, 1e10, 1.01, 9999999999.99, 5000000000.48, 5000000000.5]);
  expect(edges).toEqual(
    expect.arrayContaining([5000000001, 5000000001.1, 2 ** 24 + 1, 2 ** 31, 2 ** 32 + 1, 1e9]),
  );
  expect(amountEdges({ min: 5, max: 7, decimals: 0 })).toEqual([5, 7, 6]);
  expect(amountEdges({ min: 0.01, max: 0.17, decimals: 2 })).toEqual([
    0.01, 0.17, 0.02, 0.16, 0.09, 0.15,
  ]);
  expect(amountEdges({ min: 0.01, max: 0.35, decimals: 2 })).toEqual([
    0.01, 0.35, 0.02, 0.34, 0.29, 0.18,
  ]);
  expect(amountEdges({ min: 1e-7, max: 1e-6, decimals: 8 })).toEqual([
    1e-7, 1e-6, 1.1e-7, 9.9e-7, 5.8e-7, 5.5e-7,
  ]);
  expect(amountEdges({ min: 0.001, max: 5e6, decimals: 3 }).slice(0, 8)).toEqual([
    0.001, 5e6, 0.002, 4999999.999, 2500000, 2500000.1, 2500001.005, 2500000.001,
  ]);
});
