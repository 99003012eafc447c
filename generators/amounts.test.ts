import { domain } from "./testing/contract.ts";
import { describe, expect, test } from "vitest";
import { amountArbitrary, amountEdges } from "./amounts.ts";
import type { AmountRange } from "../spec/amount-range.ts";
import { expectLaws } from "./testing/laws.ts";

const ranges: readonly AmountRange[] = [
  { min: 10, max: 1000, decimals: 2 },
  { min: 0.001, max: 5e6, decimals: 3 },
  { min: 1e-7, max: 1e-6, decimals: 8 },
  { min: 10, max: 10, decimals: 2 },
  { min: 10.001, max: 10.029, decimals: 2 },
];

/** Checks an amount by the digits that are sent, without arithmetic. */
function isValid({ min, max, decimals }: AmountRange) {
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
  });
});

test("the edges are the ends, what is lost by truncating or rounding, and what is large", () => {
  expect(amountEdges(domain.amount)).toEqual([
    10, 1000, 10.01, 999.99, 512.05, 505, 505.1, 505.95, 505.01, 505.07, 505.29, 505.57, 505.99,
    100,
  ]);
  expect(amountEdges({ min: 5, max: 7, decimals: 0 })).toEqual([5, 7, 6]);
  expect(amountEdges({ min: 1, max: 1e10, decimals: 2 })).toEqual(
    expect.arrayContaining([5000000001, 2 ** 24 + 1, 2 ** 31, 2 ** 32 + 1, 1e9]),
  );
});
