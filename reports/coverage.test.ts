import { expect, test } from "vitest";
import type { Coverage } from "../model/run.ts";
import { coverageText } from "./coverage.ts";

const whole: Coverage = {
  of: "payees",
  groups: [
    ["region", "account", "address"],
    ["region", "bank_country"],
  ],
  pairs: { covered: 60, of: 60 },
  triples: { covered: 199, of: 200 },
  missing: [],
};

test("all pairs, with a share of triples that is rounded down", () => {
  expect(coverageText([whole])).toBe("all 60 pairs of 4 attributes, 99 % of the triples");
});

test("what is missing is added up by value, the most first, and bounded", () => {
  const missing = ["CN", "HK", "IN", "JP", "KR"].map((code, index) => ({
    with: `bank_country ${code}`,
    pairs: 5 - index,
    ...(index === 0 && { status: 422 }),
  }));
  const refused = { ...whole, pairs: { covered: 45, of: 60 }, missing };
  const waiting = {
    ...refused,
    of: "operations",
    missing: [{ with: "bank_country CN", pairs: 40 }],
  };
  expect(coverageText([refused, waiting])).toBe(
    "90 of 120 pairs of 4 attributes, 99 % of the triples; " +
      "not covered: 45 pairs with bank_country CN, refused with 422; " +
      "4 pairs with bank_country HK, not sent; 3 pairs with bank_country IN, not sent; 3 more",
  );
});
