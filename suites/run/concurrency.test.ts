import { expect, test } from "vitest";
import { windowed } from "./concurrency.ts";

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("every item has its turn, at most so many at once, and none is taken before there is room", async () => {
  let taken = 0;
  let running = 0;
  let most = 0;
  function* items() {
    for (; taken < 50; taken += 1) yield taken;
  }
  const seen: (readonly [number, number])[] = [];
  await windowed(items(), 4, async (item, index) => {
    running += 1;
    most = Math.max(most, running);
    expect(taken - seen.length).toBeLessThanOrEqual(4);
    await tick();
    running -= 1;
    seen.push([item, index]);
  });
  expect(most).toBe(4);
  expect(seen.toSorted(([a], [b]) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => [n, n]));
});

test("the first that throws ends it, and nothing more is taken", async () => {
  let taken = 0;
  function* items() {
    for (;;) {
      taken += 1;
      yield taken;
    }
  }
  const failing = windowed(items(), 3, async (item) => {
    await tick();
    if (item === 5) throw new Error("five");
  });
  await expect(failing).rejects.toThrow("five");
  const before = taken;
  for (let turn = 0; turn < 5; turn += 1) await tick();
  expect(taken - before).toBeLessThanOrEqual(3);
  await windowed([], 3, () => Promise.reject(new Error("nothing to do")));
});
