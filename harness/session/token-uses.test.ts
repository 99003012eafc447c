import { expect, test } from "vitest";
import { createTokenUses } from "./token-uses.ts";

/** Uses where tokens were taken so often and then lapsed. */
const usesAfter = (...times: readonly number[]) => {
  const uses = createTokenUses();
  for (const [index, n] of times.entries()) {
    const token = `t-${index}`;
    for (let i = 0; i < n; i += 1) {
      uses.sent(token);
      uses.accepted(token);
    }
    uses.lapsed(token);
    uses.lapsed(token);
  }
  return uses;
};

const usedUpAfter = (uses: ReturnType<typeof createTokenUses>): number | undefined => {
  for (let n = 1; n <= 100; n += 1) if (uses.sent("new")) return n;
  return undefined;
};

test("tokens that lapse after the same number of requests are used up after as many", () => {
  expect(usedUpAfter(usesAfter(20, 20, 20))).toBe(20);
  expect(usedUpAfter(usesAfter(7, 20, 20, 3))).toBe(20);
});

test("other tokens are never used up", () => {
  for (const times of [[], [20], [20, 20], [20, 21, 20], [1, 1, 1], [20, 20, 3, 3]])
    expect(usedUpAfter(usesAfter(...times)), times.join()).toBeUndefined();
});
