import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  createResponseQueue,
  createScheduler,
  nextRequest,
  type Order,
  type Scheduler,
  type Turn,
} from "./turns.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();
function schedulerOf(concurrency: number, rate = Infinity): Scheduler {
  return createScheduler(concurrency, rate, signal);
}
const shared: Order = nextRequest;

/** Performs a task in an exclusive turn. */
async function alone(scheduler: Scheduler, task: () => Promise<void>): Promise<void> {
  const turn = await scheduler.shared.exclusive();
  await turn.send(shared, task).finally(turn.end);
}

/** Makes tasks of 10 ms that log when they begin and when they end. */
function logged() {
  const log: string[] = [];
  const task = (name: string) => async (): Promise<void> => {
    log.push(`${name}+`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    log.push(`${name}-`);
  };
  return { log, task };
}

/** The tasks that began, in this order. */
const begun = (log: readonly string[]): readonly string[] =>
  log.flatMap((line) => (line.endsWith("+") ? line.slice(0, -1) : []));

async function settled(all: readonly Promise<unknown>[]): Promise<void> {
  const ended = Promise.all(all);
  for (let turn = 0; turn < 20; turn += 1) {
    await vi.advanceTimersByTimeAsync(500);
    await nextTurn();
  }
  await ended;
}

test("shared turns overlap up to the bound, the most urgent first, then in the order in which they came", async () => {
  const scheduler = schedulerOf(2);
  const { log, task } = logged();
  const turns: readonly [string, number][] = [["a", 0], ["b", 0], ["c", 0], ["d", 5], ["e", 0], ["f", 5]]; // prettier-ignore
  await settled(
    turns.map(([name, urgency]) => scheduler.shared.send({ ...shared, urgency }, task(name))),
  );
  expect(begun(log)).toEqual(["a", "b", "d", "f", "c", "e"]);
  expect(scheduler.peak()).toBe(2);
});

test("one request for a token is in flight at a time, and others pass it", async () => {
  const scheduler = schedulerOf(3);
  const { log, task } = logged();
  const token = { ...shared, isToken: true };
  await settled([
    scheduler.shared.send(token, task("t")),
    scheduler.shared.send(token, task("u")),
    scheduler.shared.send(shared, task("a")),
    scheduler.shared.send(shared, task("b")),
  ]);
  expect(log).toEqual(["t+", "a+", "b+", "t-", "u+", "a-", "b-", "u-"]);
});

test("an exclusive turn comes next, begins when nothing is in flight, and nothing begins beside it", async () => {
  const scheduler = schedulerOf(4);
  const { log, task } = logged();
  await settled([
    scheduler.shared.send(shared, task("a")),
    alone(scheduler, task("x")),
    scheduler.shared.send({ ...shared, urgency: Infinity }, task("b")),
    alone(scheduler, task("y")),
    scheduler.shared.send(shared, task("c")),
  ]);
  expect(log).toEqual(["a+", "a-", "x+", "x-", "y+", "y-", "b+", "c+", "b-", "c-"]);
});

test("a task that fails gives its turn back", async () => {
  const scheduler = schedulerOf(1);
  const fails = () => Promise.reject(new Error("no"));
  await expect(scheduler.shared.send({ ...shared, isToken: true }, fails)).rejects.toThrow("no");
  await expect(alone(scheduler, fails)).rejects.toThrow("no");
  expect(await scheduler.shared.send({ ...shared, isToken: true }, async () => 7)).toBe(7);
});

test("an exclusive turn within another one is the same, and its end ends nothing", async () => {
  const scheduler = schedulerOf(2);
  const { log, task } = logged();
  const turn = await scheduler.shared.exclusive();
  const inner = await turn.exclusive();
  const beside = scheduler.shared.send(shared, task("a"));
  await settled([inner.send(shared, task("x"))]);
  inner.end();
  await settled([turn.send(shared, task("y"))]);
  turn.end();
  await settled([beside]);
  expect([turn.isExclusive, inner.isExclusive, scheduler.shared.isExclusive]).toEqual([
    true,
    true,
    false,
  ]);
  expect(log).toEqual(["x+", "x-", "y+", "y-", "a+", "a-"]);
});

describe("the rate", () => {
  /**
   * When each of `count` requests began. Within an exclusive turn, they are sent one after another.
   */
  const startsOf = async (
    scheduler: Scheduler,
    count: number,
    isAlone = false,
  ): Promise<readonly number[]> => {
    const start = performance.now();
    const at: number[] = [];
    const send = (turn: Turn): Promise<void> =>
      turn.send(shared, async () => {
        at.push(Math.round(performance.now() - start));
        scheduler.responded();
      });
    const oneByOne = async (): Promise<void> => {
      const turn = await scheduler.shared.exclusive();
      for (let n = 0; n < count; n += 1) await send(turn);
      turn.end();
    };
    const all = isAlone
      ? oneByOne()
      : Promise.all(Array.from({ length: count }, () => send(scheduler.shared)));
    await vi.advanceTimersByTimeAsync(100_000);
    await all;
    return at;
  };
  const responded = (scheduler: Scheduler, times: number): void => {
    for (let n = 0; n < times; n += 1) scheduler.responded();
  };

  test("spaces requests out, those of an exclusive turn too, and is not caught up on after a rest", async () => {
    const scheduler = schedulerOf(8, 10);
    expect(await startsOf(scheduler, 4)).toEqual([0, 100, 200, 300]);
    expect(await startsOf(scheduler, 3, true)).toEqual([0, 100, 200]);
    expect(await startsOf(schedulerOf(8), 4)).toEqual([0, 0, 0, 0]);
  });

  test("the longest wait holds everything back", async () => {
    const scheduler = schedulerOf(4);
    for (const wait of [500, 200, 700]) scheduler.throttled(wait);
    expect((await startsOf(scheduler, 1))[0]).toBe(700);
  });

  test("throttling lowers the rate below the responses of the last second, once a moment; then it rises again", async () => {
    const scheduler = schedulerOf(1);
    responded(scheduler, 20);
    scheduler.throttled(100);
    scheduler.throttled(10);
    const at = await startsOf(scheduler, 80);
    const gaps = at.slice(1).map((time, n) => time - (at[n] ?? 0));
    // 85 % of 20 requests a second are 17 a second. After a calm time, the rate rises
    // each second.
    expect(at[0]).toBe(100);
    expect(gaps[0]).toBeCloseTo(1000 / 17, -0.5);
    expect(gaps[30]).toBeCloseTo(1000 / 17, -0.5);
    expect(gaps.at(-1)).toBeLessThan(32);
  });

  test("if the target throttles a raised rate, it falls again, and is raised later", async () => {
    const scheduler = schedulerOf(1);
    const rateAfter = async (ms: number): Promise<number> => {
      await vi.advanceTimersByTimeAsync(ms);
      scheduler.responded();
      return scheduler.rate();
    };
    responded(scheduler, 20);
    scheduler.throttled(0);
    expect(scheduler.rate()).toBe(17);
    expect(await rateAfter(3100)).toBeCloseTo(17 * 1.4);
    scheduler.throttled(0);
    const lowered = 17 * 1.4 * 0.85;
    expect(scheduler.rate()).toBeCloseTo(lowered);
    expect(await rateAfter(3100)).toBeCloseTo(lowered);
    expect(await rateAfter(2000)).toBeCloseTo(lowered * 1.4);
  });
});

test("the most urgent response is judged first, and of equally urgent ones the earliest", async () => {
  const { turn } = createResponseQueue();
  const judged: string[] = [];
  const judge = async (name: string, urgency: number): Promise<void> => {
    await turn(urgency);
    judged.push(name);
  };
  await Promise.all([judge("a", 1), judge("b", 2), judge("c", Infinity), judge("d", 2)]);
  expect(judged).toEqual(["c", "b", "d", "a"]);
});
