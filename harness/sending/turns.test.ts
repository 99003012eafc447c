import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createScheduler, type Scheduler, type Turn } from "./turns.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();
const schedulerOf = (concurrency: number, rate = Infinity): Scheduler => createScheduler(concurrency, rate, signal);
const shared: Turn = { isAlone: false, urgency: 0, isToken: false };

/** Tasks of 10 ms that log when they begin and end. */
const logged = () => {
  const log: string[] = [];
  const task = (name: string) => async (): Promise<void> => {
    log.push(`${name}+`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    log.push(`${name}-`);
  };
  return { log, task };
};

const settled = async (all: readonly Promise<unknown>[]): Promise<void> => {
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(all);
};

test("shared turns overlap up to the bound, the most urgent first, then in the order in which they came", async () => {
  const scheduler = schedulerOf(2);
  const { log, task } = logged();
  const turns: readonly [string, number][] = [["a", 0], ["b", 0], ["c", 0], ["d", 5], ["e", 0], ["f", 5]]; // prettier-ignore
  await settled(turns.map(([name, urgency]) => scheduler.turn({ ...shared, urgency }, task(name))));
  expect(log.filter((line) => line.endsWith("+"))).toEqual(["a+", "b+", "d+", "f+", "c+", "e+"]);
  expect(scheduler.peak()).toBe(2);
});

test("one request for a token is in flight at a time, and others pass it", async () => {
  const scheduler = schedulerOf(3);
  const { log, task } = logged();
  const token = { ...shared, isToken: true };
  await settled([
    scheduler.turn(token, task("t")),
    scheduler.turn(token, task("u")),
    scheduler.turn(shared, task("a")),
    scheduler.turn(shared, task("b")),
  ]);
  expect(log).toEqual(["t+", "a+", "b+", "t-", "u+", "a-", "b-", "u-"]);
});

test("an exclusive turn comes next, begins when nothing is in flight, and nothing begins beside it", async () => {
  const scheduler = schedulerOf(4);
  const { log, task } = logged();
  await settled([
    scheduler.turn(shared, task("a")),
    scheduler.alone(task("x")),
    scheduler.turn({ ...shared, urgency: Infinity }, task("b")),
    scheduler.alone(task("y")),
    scheduler.turn(shared, task("c")),
  ]);
  expect(log).toEqual(["a+", "a-", "x+", "x-", "y+", "y-", "b+", "c+", "b-", "c-"]);
});

test("a task that fails gives its turn back", async () => {
  const scheduler = schedulerOf(1);
  const fails = () => Promise.reject(new Error("no"));
  await expect(scheduler.turn({ ...shared, isToken: true }, fails)).rejects.toThrow("no");
  await expect(scheduler.alone(fails)).rejects.toThrow("no");
  expect(await scheduler.turn({ ...shared, isToken: true }, async () => 7)).toBe(7);
});

describe("the rate", () => {
  /** When each of `count` requests began, one after another where they are sent within an exclusive turn. */
  const begun = async (scheduler: Scheduler, count: number, isAlone = false): Promise<readonly number[]> => {
    const start = performance.now();
    const at: number[] = [];
    const send = (): Promise<void> =>
      scheduler.turn({ ...shared, isAlone }, async () => {
        at.push(Math.round(performance.now() - start));
        scheduler.responded();
      });
    const all = isAlone
      ? scheduler.alone(async () => {
          for (let n = 0; n < count; n += 1) await send();
        })
      : Promise.all(Array.from({ length: count }, send));
    await vi.advanceTimersByTimeAsync(100_000);
    await all;
    return at;
  };
  const responded = (scheduler: Scheduler, times: number): void => {
    for (let n = 0; n < times; n += 1) scheduler.responded();
  };

  test("spaces requests out, those of an exclusive turn too, and is not caught up on after a rest", async () => {
    const scheduler = schedulerOf(8, 10);
    expect(await begun(scheduler, 4)).toEqual([0, 100, 200, 300]);
    expect(await begun(scheduler, 3, true)).toEqual([0, 100, 200]);
    expect(await begun(schedulerOf(8), 4)).toEqual([0, 0, 0, 0]);
  });

  test("the longest wait holds everything back", async () => {
    const scheduler = schedulerOf(4);
    for (const wait of [500, 200, 700]) scheduler.throttled(wait);
    expect((await begun(scheduler, 1))[0]).toBe(700);
  });

  test("throttling lowers the rate below the responses of the last second, once a moment; then it rises again", async () => {
    const scheduler = schedulerOf(1);
    responded(scheduler, 20);
    scheduler.throttled(100);
    scheduler.throttled(10);
    const at = await begun(scheduler, 80);
    const gaps = at.slice(1).map((time, n) => time - (at[n] ?? 0));
    // 85 % of 20 a second are 17 a second; after a calm time the rate doubles each second.
    expect(at[0]).toBe(100);
    expect(gaps[0]).toBeCloseTo(1000 / 17, -0.5);
    expect(gaps[30]).toBeCloseTo(1000 / 17, -0.5);
    expect(gaps.at(-1)).toBeLessThan(31);
  });
});
