import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Inconclusive } from "../../harness/errors.ts";
import type { CalibrationStepName } from "../../model/evidence/evidence.ts";
import type { Scenario } from "../kit/scenario.ts";
import { createTargetKnowledge } from "./target-knowledge.ts";
import { createOrder } from "./order.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

type Planned = Parameters<ReturnType<typeof createOrder>["begin"]>[0][number];

const planned = (id: string, more: Partial<Planned> = {}): Planned => ({ id, ...more });

/** An order of these scenarios, and what has been reached in it. */
function orderOf(
  scenarios: readonly Planned[],
  { isPatient = false, steps = [] as readonly CalibrationStepName[] } = {},
) {
  const stop = new AbortController();
  const order = createOrder({ isPatient, signal: stop.signal });
  order.begin(scenarios, steps);
  const reached: string[] = [];
  const noting = (what: string, waiting: Promise<void>): void =>
    void waiting.then(() => reached.push(what));
  return {
    ...order,
    stop,
    reached,
    noting,
    start: (one: Planned, ...needed: CalibrationStepName[]): void =>
      noting(one.id, order.turnOf(one, needed)),
    wait: (id: string, since = Date.now()): void => noting(id, order.untilOld(id, since)),
  };
}

/** Lets a number of milliseconds pass. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const first = planned("first", { phase: "before" });
const main = planned("main");
const other = planned("other");
const last = planned("last", { phase: "last" });
const beside = planned("beside", { phase: "beside" });
const end = planned("end", { phase: "end" });

test("what may break the server comes when all else has ended", async () => {
  const { allButLastEnded, noting, reached, scenarioEnded, start } = orderOf([main, last, end]);
  noting("alone", allButLastEnded());
  for (const one of [end, last, main]) start(one);
  scenarioEnded("main");
  await pass(0);
  expect(reached.toSorted()).toEqual(["alone", "last", "main"]);
  scenarioEnded("last");
  await pass(0);
  expect(reached.at(-1)).toBe("end");
});

test("the main phase begins when the one before it has ended, and bad credentials when the main phase has", async () => {
  const { reached, scenarioEnded, start } = orderOf([first, main, other, last, beside]);
  for (const one of [last, beside, main, other, first]) start(one);
  await pass(0);
  expect(reached).toEqual(["first"]);
  scenarioEnded("first");
  await pass(0);
  expect(reached.slice(1).toSorted()).toEqual(["main", "other"]);
  scenarioEnded("main");
  await pass(0);
  expect(reached).toHaveLength(3);
  scenarioEnded("other");
  await pass(0);
  expect(reached.slice(3).toSorted()).toEqual(["beside", "last"]);
});

test("a scenario starts when those that it comes after have ended, as far as they run", async () => {
  const absent = planned("absent") as Scenario;
  const later = planned("later", { after: [main as Scenario, absent] });
  const { reached, scenarioEnded, start } = orderOf([main, later]);
  start(later);
  await pass(0);
  expect(reached).toEqual([]);
  scenarioEnded("main");
  await pass(0);
  expect(reached).toEqual(["later"]);
});

test("what needs age goes on when all else has ended, bad credentials among it, and is two seconds old", async () => {
  const { allButLastEnded, noting, reached, scenarioEnded, start, wait } = orderOf([
    first,
    main,
    other,
    last,
    end,
  ]);
  scenarioEnded("first");
  noting("alone", allButLastEnded());
  for (const one of [last, end]) start(one);
  wait("main");
  await pass(10_000);
  expect(reached).toEqual([]);
  wait("other");
  await pass(10_000);
  expect(reached.toSorted()).toEqual(["alone", "last"]);
  wait("other");
  scenarioEnded("last");
  await pass(0);
  expect(reached.slice(2).toSorted()).toEqual(["main", "other"]);
  await pass(2049);
  expect(reached).toHaveLength(4);
  await pass(1);
  expect(reached.slice(4)).toEqual(["other"]);
  for (const id of ["main", "other"]) scenarioEnded(id);
  await pass(0);
  expect(reached.at(-1)).toBe("end");
});

test("a patient run also waits for 1.6 s in which nothing is sent", async () => {
  const { reached, wait } = orderOf([main, other], { isPatient: true });
  wait("main");
  wait("other", Date.now() - 60_000);
  await pass(1599);
  expect(reached).toEqual([]);
  await pass(1);
  expect(reached).toEqual(["other"]);
  await pass(450);
  expect(reached).toEqual(["other", "main"]);
});

test("a wait ends with the run, and says what it waited for", async () => {
  const { turnOf, untilOld, stop } = orderOf([first, main, last], { isPatient: true });
  const waits = Promise.allSettled([turnOf(last, []), untilOld("last", 0)]);
  stop.abort();
  expect(await waits).toEqual(
    ["first", "first"].map((id) => ({
      status: "rejected",
      reason: new Inconclusive(`the run was ended while it waited for the scenario ${id}`),
    })),
  );
});

test("a wait for what another scenario finds ends with the run", async () => {
  const stop = new AbortController();
  const never = async (): Promise<never> => new Promise<never>(() => undefined);
  const knowledge = createTargetKnowledge(stop.signal);
  knowledge.serves("payee", never());
  const waits = Promise.allSettled([
    knowledge.once("item", never),
    knowledge.firstOperationOf("payee"),
  ]);
  stop.abort();
  expect(await waits).toEqual(
    ["the item", "the first operation of a payee"].map((what) => ({
      status: "rejected",
      reason: new Inconclusive(`the run was ended while it waited for ${what}`),
    })),
  );
});

test("second tries are made until three have failed", async () => {
  const knowledge = createTargetKnowledge(new AbortController().signal);
  let tries = 0;
  const fail = async (): Promise<undefined> => void (tries += 1);
  for (let n = 0; n < 5; n += 1) await knowledge.elsewhere(fail);
  expect(tries).toBe(3);
  await knowledge.forFreshPayee(async () => "made");
  for (let n = 0; n < 5; n += 1) await knowledge.forFreshPayee(fail);
  expect(tries).toBe(8);
});
