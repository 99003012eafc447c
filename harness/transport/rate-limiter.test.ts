import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Admits tasks that take `took` milliseconds; returns when each began. */
const begun = async (rateLimiter: RateLimiter, count: number, took: number): Promise<readonly number[]> => {
  const start = performance.now();
  const at: number[] = [];
  const all = Promise.all(
    Array.from({ length: count }, () =>
      rateLimiter.admit(async () => {
        at.push(Math.round(performance.now() - start));
        await sleep(took);
        rateLimiter.responded();
      }),
    ),
  );
  await vi.advanceTimersByTimeAsync(100_000);
  await all;
  return at;
};

describe("what is in flight", () => {
  test("is bounded, and turns come in order", async () => {
    const rateLimiter = createRateLimiter(2);
    const order: number[] = [];
    const all = Promise.all(
      [0, 1, 2, 3, 4].map((n) =>
        rateLimiter.admit(async () => {
          order.push(n);
          await sleep(10);
          return n;
        }),
      ),
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual([0, 1]);
    await vi.advanceTimersByTimeAsync(10);
    expect(order).toEqual([0, 1, 2, 3]);
    await vi.advanceTimersByTimeAsync(20);
    expect(await all).toEqual([0, 1, 2, 3, 4]);
    expect(rateLimiter.peak()).toBe(2);
  });

  test("is given back by a task that fails", async () => {
    const rateLimiter = createRateLimiter(1);
    await expect(rateLimiter.admit(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await rateLimiter.admit(async () => 7)).toBe(7);
    await expect(rateLimiter.alone(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await rateLimiter.admit(async () => 8)).toBe(8);
    expect(rateLimiter.peak()).toBe(1);
  });
});

describe("the rate", () => {
  test("spaces requests out", async () => {
    expect(await begun(createRateLimiter(8, 10), 5, 1)).toEqual([0, 100, 200, 300, 400]);
  });

  test("is not caught up on after a rest", async () => {
    const rateLimiter = createRateLimiter(8, 10);
    await begun(rateLimiter, 1, 1);
    expect(await begun(rateLimiter, 3, 1)).toEqual([0, 100, 200]);
  });

  test("is unbounded where none is given", async () => {
    expect(await begun(createRateLimiter(8), 5, 1)).toEqual([0, 0, 0, 0, 0]);
  });

  test("does not rise above the given one", async () => {
    const rateLimiter = createRateLimiter(8, 10);
    for (let i = 0; i < 500; i += 1) rateLimiter.responded();
    expect(await begun(rateLimiter, 3, 1)).toEqual([0, 100, 200]);
  });
});

describe("alone", () => {
  test("waits for what is in flight, and nothing starts beside it", async () => {
    const rateLimiter = createRateLimiter(4);
    const log: string[] = [];
    const task = (name: string) => async () => {
      log.push(`${name} begins`);
      await sleep(10);
      log.push(`${name} ends`);
    };
    const all = [
      rateLimiter.admit(task("a")),
      rateLimiter.alone(task("x")),
      rateLimiter.admit(task("b")),
      rateLimiter.alone(task("y")),
      rateLimiter.admit(task("c")),
    ];
    await vi.advanceTimersByTimeAsync(1000);
    await Promise.all(all);
    expect(log).toEqual([
      "a begins",
      "a ends",
      "x begins",
      "x ends",
      "y begins",
      "y ends",
      "b begins",
      "c begins",
      "b ends",
      "c ends",
    ]);
  });

  test("begins at once where nothing is in flight", async () => {
    expect(await createRateLimiter(1).alone(async () => 7)).toBe(7);
  });
});

describe("throttling", () => {
  test("holds everything back as long as the response says", async () => {
    const rateLimiter = createRateLimiter(4);
    rateLimiter.throttled(500);
    expect((await begun(rateLimiter, 1, 1))[0]).toBe(500);
    expect(rateLimiter.throttledFor()).toBe(0);
  });

  test("the longest wait counts", async () => {
    const rateLimiter = createRateLimiter(4);
    rateLimiter.throttled(500);
    rateLimiter.throttled(200);
    rateLimiter.throttled(700);
    expect((await begun(rateLimiter, 1, 1))[0]).toBe(700);
  });

  test("returns for how long there was no other response", async () => {
    const rateLimiter = createRateLimiter(4);
    expect(rateLimiter.throttledFor()).toBe(0);
    rateLimiter.throttled(100);
    await vi.advanceTimersByTimeAsync(300);
    rateLimiter.throttled(100);
    await vi.advanceTimersByTimeAsync(200);
    expect(rateLimiter.throttledFor()).toBe(500);
    rateLimiter.responded();
    expect(rateLimiter.throttledFor()).toBe(0);
  });

  test("lowers the rate below the responses of the last second, and lets it rise again", async () => {
    const rateLimiter = createRateLimiter(1);
    for (let i = 0; i < 20; i += 1) rateLimiter.responded();
    rateLimiter.throttled(0);
    const at = await begun(rateLimiter, 80, 1);
    const gaps = at.slice(1).map((time, i) => time - (at[i] ?? 0));
    // 85 % of 20 a second are 17 a second; after a calm time the rate doubles each second.
    expect(gaps[0]).toBeCloseTo(1000 / 17, -0.5);
    expect(gaps[30]).toBeCloseTo(1000 / 17, -0.5);
    expect(gaps.at(-1)).toBeLessThan(31);
  });

  test("counts a response of more than a second ago no more, and keeps to one request a second at least", async () => {
    const rateLimiter = createRateLimiter(1);
    for (let i = 0; i < 20; i += 1) rateLimiter.responded();
    await vi.advanceTimersByTimeAsync(1001);
    rateLimiter.throttled(0);
    expect((await begun(rateLimiter, 2, 1))[1]).toBeGreaterThan(950);
  });

  test("many refusals of one moment lower the rate once", async () => {
    const rateLimiter = createRateLimiter(1);
    for (let i = 0; i < 20; i += 1) rateLimiter.responded();
    rateLimiter.throttled(100);
    await vi.advanceTimersByTimeAsync(50);
    rateLimiter.throttled(10);
    const at = await begun(rateLimiter, 2, 1);
    expect(at).toEqual([50, 50 + Math.round(1000 / 17)]);
  });

  test("is lowered once where the target throttles below it too, and again where it had risen", async () => {
    const rateLimiter = createRateLimiter(1);
    const responded = (times: number): void => {
      for (let i = 0; i < times; i += 1) rateLimiter.responded();
    };
    const second = async (): Promise<number> => {
      await vi.advanceTimersByTimeAsync(1001);
      responded(17);
      rateLimiter.throttled(0);
      return (await begun(rateLimiter, 2, 1))[1] ?? 0;
    };
    responded(20);
    rateLimiter.throttled(0);
    expect(await second()).toBeCloseTo(1000 / 17, -0.5);
    // The tasks ended long ago: a response after the calm raises the rate.
    responded(1);
    expect(await second()).toBeCloseTo(1000 / 14.45, -0.5);
  });

  test("does not raise the rate that the user gave", async () => {
    const rateLimiter = createRateLimiter(1, 5);
    for (let i = 0; i < 50; i += 1) rateLimiter.responded();
    rateLimiter.throttled(0);
    expect(await begun(rateLimiter, 3, 1)).toEqual([0, 200, 400]);
  });

  test("does not keep more than the latest responses", async () => {
    const rateLimiter = createRateLimiter(1);
    for (let i = 0; i < 5000; i += 1) rateLimiter.responded();
    rateLimiter.throttled(0);
    expect((await begun(rateLimiter, 2, 1))[1]).toBeLessThan(3);
  });
});

test("the wait for a target that throttles every request ends after a minute", async () => {
  const rateLimiter = createRateLimiter(2);
  rateLimiter.throttled(59_000);
  expect(rateLimiter.exhausted()).toBe(false);
  const waiting = rateLimiter.admit(async () => rateLimiter.exhausted());
  rateLimiter.throttled(61_000);
  expect(await waiting).toBe(true);
  rateLimiter.responded();
  expect(rateLimiter.exhausted()).toBe(false);
});

describe("without creations", () => {
  test("creations wait, those in flight end first, and all else goes on", async () => {
    const rateLimiter = createRateLimiter(3);
    const order: string[] = [];
    const task = (name: string) => async () => {
      order.push(`${name}+`);
      await sleep(10);
      order.push(`${name}-`);
    };
    const all = Promise.all([
      rateLimiter.admit(task("created"), { isCreation: true }),
      rateLimiter.withoutCreations(async () => {
        await rateLimiter.admitFirst(task("first"));
        await rateLimiter.admitFirst(task("second"));
      }),
      rateLimiter.admit(task("later"), { isCreation: true, urgency: 9 }),
      ...["list", "another", "third"].map((name) => rateLimiter.admit(task(name))),
    ]);
    await vi.advanceTimersByTimeAsync(1000);
    await all;
    const at = (name: string): number => order.indexOf(name);
    expect(at("first+")).toBeGreaterThan(at("created-"));
    expect(at("list+")).toBeLessThan(at("created-"));
    expect(at("third+")).toBeLessThan(at("second-"));
    expect(at("later+")).toBeGreaterThan(at("second-"));
    expect(rateLimiter.peak()).toBe(3);
  });

  test("a task that fails lets creations go on", async () => {
    const rateLimiter = createRateLimiter(1);
    await expect(rateLimiter.withoutCreations(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await rateLimiter.admit(async () => 8, { isCreation: true })).toBe(8);
  });
});
