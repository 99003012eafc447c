import { afterEach, describe, expect, test, vi } from "vitest";
import { settings } from "../../model/testing/target.ts";
import { createContext, seedFor } from "./context.ts";
import { now } from "./target-knowledge.ts";

test("a seed is the same for the same run and name, and another for any other", () => {
  expect(seedFor(1147, "OPER-02")).toBe(seedFor(1147, "OPER-02"));
  const seeds = [0, 1, 2, 1147, -1].flatMap((seed) =>
    ["", "OPER-02", "OPER-20", "OPER-03"].map((name) => seedFor(seed, name)),
  );
  expect(new Set(seeds).size).toBe(20);
  expect(seeds.every((seed) => Number.isInteger(seed) && Math.abs(seed) <= 2 ** 31)).toBe(true);
});

test("a seed does not move between versions, since reports name it: FNV-1a for the run seed 0", () => {
  expect(seedFor(0, "")).toBe(0x811c9dc5 | 0);
  expect(seedFor(0, "a")).toBe(0xe40c292c | 0);
  expect(seedFor(0, "foobar")).toBe(0xbf9cf968 | 0);
});

describe("what waits until the target knows a resource (INT-43)", () => {
  afterEach(() => void vi.useRealTimers());

  const waitOf = async (lag: number, age: number): Promise<number> => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    const run = {
      settings: { ...settings, grace: 5000 },
      sender: { lag: () => lag },
      knowledge: {},
      recorder: {},
      probes: {},
      signal: new AbortController().signal,
    };
    const scenario = { id: "waits", title: "waits", checks: [] };
    const { knownSince } = createContext(
      run as unknown as Parameters<typeof createContext>[0],
      scenario,
    );
    const start = now();
    const end = knownSince(start - age).then(() => now() - start);
    await vi.runAllTimersAsync();
    return Math.round(await end);
  };

  test.each([
    ["nothing was late so far", 0, 0, 0],
    ["a node was late for a moment, so that another may be late for two seconds", 230, 0, 2000],
    ["the resource is there for a while", 230, 1500, 500],
    ["a node was late for longer than those of a usual server", 3000, 0, 4100],
  ])("%s", async (_, lag, age, wait) => {
    expect(await waitOf(lag, age)).toBe(wait);
  });
});
