import { expect, test } from "vitest";
import { waits } from "../../model/bounds.ts";
import { invalid, unusual, valid, type RequestSpec } from "../../model/request.ts";
import { responseOf, type ExchangeOverrides } from "../../model/testing/exchanges.ts";
import { settings } from "../../model/testing/target.ts";
import { throttlingWait } from "./attempt.ts";
import {
  isShortOfTime,
  kindOf,
  learn,
  longestOf,
  noFacts,
  noteWait,
  throttledAs,
  timeoutOf,
  type SendingFacts,
} from "./facts.ts";

const list: RequestSpec = { operation: "listBatches", intent: valid };
const bad: RequestSpec = {
  ...list,
  intent: invalid("with a made-up token"),
  authorization: "Bearer made-up",
};

function learnt(
  facts: SendingFacts,
  spec: RequestSpec,
  outcome: ExchangeOverrides | "timeout" | "dropped",
  took = 1,
  at = 0,
): SendingFacts {
  const sent = { method: "GET", url: "/batches", headers: [], body: undefined, json: undefined };
  const common = { sent, at, isFresh: false, isAlone: false, timeout: 1000, sign: undefined };
  if (typeof outcome === "string") {
    learn(facts, spec, { ...common, wait: 0, failure: { kind: outcome, message: "no", took } });
    return facts;
  }
  const response = { ...responseOf(outcome), took };
  learn(facts, spec, { ...common, wait: throttlingWait(response, 0), response });
  return facts;
}

test.each<[string, RequestSpec, ExchangeOverrides | "dropped", number]>([
  ["a success", list, { status: 200 }, 0],
  ["429", list, { status: 429 }, 1],
  ["429 to bad credentials", bad, { status: 429 }, 1],
  ["503 with Retry-After", list, { status: 503, headers: [["Retry-After", "1"]] }, 1],
  ["423", bad, { status: 423 }, 1],
  ["403 to good credentials", list, { status: 403 }, 1],
  ["401 to bad credentials", bad, { status: 401 }, 0],
  ["403 to an invalid request", { ...list, intent: invalid("wrong") }, { status: 403 }, 0],
  ["no response", list, "dropped", 1],
  ["no response to bad credentials", bad, "dropped", 1],
  ["no response to an unusual request", { ...list, intent: unusual("odd") }, "dropped", 0],
  ["429 to an unusual request", { ...list, intent: unusual("odd") }, { status: 429 }, 0],
])("signs of a lock-out (INT-17): %s", (_, spec, outcome, count) => {
  expect(learnt(noFacts(settings), spec, outcome).lockOutSigns).toBe(count);
});

test.each<[string, RequestSpec, number, boolean]>([
  ["429", list, 429, true],
  ["429 to bad credentials, which may be too many themselves", bad, 429, false],
  ["a success", list, 200, false],
])("requests of an operation are put off: %s", (_, spec, status, isPutOff) => {
  const { putOff } = learnt(noFacts(settings), spec, { status });
  expect(putOff.has("listBatches")).toBe(isPutOff);
});

test.each<[string, RequestSpec, number, boolean]>([
  ["a valid request that is not throttled", list, 200, false],
  ["a valid request that fails", list, 500, false],
  ["bad credentials that are not throttled", bad, 401, true],
  ["a valid request that is throttled too", list, 429, true],
])("what is throttled too long: %s", (_, spec, status, isStill) => {
  const facts = noFacts(settings);
  facts.examined.set("throttling listBatches", 1);
  learnt(facts, spec, { status });
  expect(facts.examined.has("throttling listBatches")).toBe(isStill);
});

test("requests that time out at the same time count as one, and a response ends the row", () => {
  const facts = noFacts(settings);
  const count = (): number => facts.timeouts.get(kindOf(list))?.count ?? 0;
  for (const at of [0, 10, 20, 499]) learnt(facts, list, "timeout", 500, at);
  expect(count()).toBe(1);
  learnt(facts, list, "timeout", 500, 500);
  expect(count()).toBe(2);
  learnt(facts, list, {}, 10, 1000);
  expect(count()).toBe(0);
});

test("a hang shortens the wait, to no less than three times what responses took", () => {
  const facts = { ...noFacts({ timeout: 10_000 }) };
  expect(timeoutOf(facts)).toBe(10_000);
  facts.hangs = true;
  expect(timeoutOf(facts)).toBe(500);
  expect(timeoutOf(learnt(facts, list, {}, 300))).toBe(900);
  expect(timeoutOf(learnt(facts, list, {}, 9_000))).toBe(10_000);
  for (let n = 0; n < 100; n += 1) learnt(facts, list, {}, 200);
  expect(timeoutOf(facts)).toBe(600);
});

/**
 * How long a 403 with Retry-After makes the run wait, in milliseconds, after a number of bad
 * credentials.
 */
function waitOf(spec: RequestSpec, facts: SendingFacts, status = 403): number {
  const sent = { method: "GET", url: "/batches", headers: [], body: undefined, json: undefined };
  const response = responseOf({ status, headers: [["Retry-After", "3"]] });
  const attempt = {
    sent,
    at: 0,
    isFresh: false,
    isAlone: false,
    timeout: 1000,
    sign: undefined,
    wait: throttlingWait(response, 0),
  };
  return throttledAs(facts, spec, { ...attempt, response }).wait;
}

test("a 403 with Retry-After is a limit where good credentials meet it, or after ten bad ones (INT-13)", () => {
  const facts = noFacts(settings);
  expect(waitOf(bad, facts)).toBe(0);
  expect(waitOf({ ...list, intent: invalid("wrong") }, facts)).toBe(0);
  expect(waitOf(bad, facts, 429)).toBe(3000);
  // This server refuses strangers with 403, however many there are.
  facts.badCredentials = 12;
  expect(waitOf(bad, facts)).toBe(0);
  expect(waitOf(bad, { ...noFacts(settings), badCredentials: 12 })).toBe(3000);
  expect(waitOf(list, facts)).toBe(3000);
  expect(waitOf(bad, facts)).toBe(3000);
});

test("a run is short of time once it has waited long for bad credentials", () => {
  const facts = noFacts(settings);
  noteWait(facts, 40_000);
  expect(isShortOfTime(facts)).toBe(false);
  facts.badCredentials = 1;
  noteWait(facts, waits.badCredentials - 1);
  expect(isShortOfTime(facts)).toBe(false);
  noteWait(facts, 1);
  expect(isShortOfTime(facts)).toBe(true);
});

test("a run with the default options is bounded where most responses take at most a second (INT-50)", () => {
  const usual = { ...settings, runs: 25, concurrency: 8, timeout: 10_000, grace: 5000 };
  const quick = { recent: [10, 900, 2000] };
  expect(longestOf(usual, quick)).toBe(waits.lastRequest);
  expect(longestOf(usual, { recent: [1500, 1500, 10] })).toBe(Infinity);
  expect(longestOf(usual, { recent: [1004, 1040, 1200] })).toBe(waits.lastRequest);
  expect(longestOf({ ...usual, maxTime: 60_000 }, { recent: [1500, 1500, 10] })).toBe(45_000);
  for (const more of [
    { runs: 100 },
    { rate: 5 },
    { concurrency: 1 },
    { timeout: 60_000 },
    { grace: 60_000 },
  ])
    expect(longestOf({ ...usual, ...more }, quick)).toBe(Infinity);
});

test("a response that ends early took as long as its beginning: the run waits for the rest in vain", () => {
  const defect = { kind: "cut", text: "the body ended early" } as const;
  const response = { ...responseOf({ status: 200 }), defect, waited: 20, took: 5000 };
  const sent = { method: "GET", url: "/batches", headers: [], body: undefined, json: undefined };
  const facts = noFacts(settings);
  const attempt = { sent, at: 0, isFresh: false, isAlone: false, timeout: 1000, wait: 0 };
  learn(facts, list, { ...attempt, sign: "cut", response });
  expect(facts.recent).toEqual([20]);
});
