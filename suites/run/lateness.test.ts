import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLateness, createUnderWay } from "./lateness.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

function lateness(isPatient = false) {
  const stop = new AbortController();
  const underWay = createUnderWay(stop.signal);
  const untilOld = createLateness({ underWay, isPatient, signal: stop.signal });
  underWay.begin(["a", "b", "c"]);
  const woken: string[] = [];
  const wait = (scenario: string, since = Date.now()): void =>
    void untilOld(scenario, since).then(() => woken.push(scenario));
  return { stop, end: underWay.end, wait, woken };
}

/** Lets a number of milliseconds pass. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("what needs age goes on when all other scenarios have ended or wait too, however old it is by then", async () => {
  const { end, wait, woken } = lateness();
  wait("a");
  end("b");
  await pass(10_000);
  expect(woken).toEqual([]);
  wait("c");
  await pass(0);
  expect(woken.toSorted()).toEqual(["a", "c"]);
});

test("a scenario that waits alone goes on at once, and again", async () => {
  const { end, wait, woken } = lateness();
  end("b");
  end("c");
  wait("a");
  wait("a");
  await pass(0);
  expect(woken).toEqual(["a", "a"]);
});

test("a patient run waits for an age of 2.1 s, and for 1.6 s in which nothing is sent", async () => {
  const { end, wait, woken } = lateness(true);
  wait("a");
  wait("b", Date.now() - 60_000);
  end("c");
  await pass(1599);
  expect(woken).toEqual([]);
  await pass(1);
  expect(woken).toEqual(["b"]);
  await pass(500);
  expect(woken).toEqual(["b", "a"]);
});

test("nothing waits in a run that was stopped", async () => {
  const { stop, wait, woken } = lateness(true);
  wait("a");
  stop.abort();
  await pass(0);
  expect(woken).toEqual(["a"]);
});
