import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { bounds } from "../../model/bounds.ts";
import { createBodyBudget, createSharing } from "./body-budget.ts";

const large = bounds.largeBody + 1;

/** Takes bytes for a part, and notes when the part has them. */
function taking(
  part: ReturnType<ReturnType<typeof createBodyBudget>["part"]>,
  bytes: number,
  said: string[],
) {
  return void part.take(bytes).then(() => said.push(`${bytes / large}`));
}

test("bodies wait for each other in the order in which they came, and none for ever", async () => {
  const budget = createBodyBudget(new AbortController().signal, 4 * large);
  const first = budget.part();
  const second = budget.part();
  const third = budget.part();
  const fourth = budget.part();
  const said: string[] = [];
  taking(first, 3 * large, said);
  taking(second, 2 * large, said);
  taking(third, large, said);
  taking(fourth, 9 * large, said);
  await setImmediate();
  expect(said).toEqual(["3"]);
  first.giveBack();
  await setImmediate();
  expect(said).toEqual(["3", "2", "1"]);
  // What a part has already does not count against what it takes in addition.
  taking(second, 4 * large, said);
  third.giveBack();
  await setImmediate();
  expect(said).toEqual(["3", "2", "1", "9"]);
  expect(fourth.has(9 * large)).toBe(true);
  fourth.giveBack();
  await setImmediate();
  expect(said).toEqual(["3", "2", "1", "9", "4"]);
});

test("usual bodies need no part", () => {
  const part = createBodyBudget(new AbortController().signal).part();
  expect([part.has(bounds.largeBody), part.has(large)]).toEqual([true, false]);
});

test("a large body that comes again is the one that came before", () => {
  const shared = createSharing();
  const one = Buffer.alloc(large, "a");
  const other = Buffer.alloc(large, "b");
  expect(shared(one)).toBe(one);
  expect(shared(other)).toBe(other);
  expect(shared(Buffer.from(one))).toBe(one);
  expect(shared(Buffer.from(other))).toBe(other);
  const small = Buffer.from("a");
  shared(small);
  const again = Buffer.from(small);
  expect(shared(again)).toBe(again);
});
