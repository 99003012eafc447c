import { expect, test } from "vitest";
import { waits } from "../../model/bounds.ts";
import { invalid, type RequestSpec, unusual } from "../../model/request.ts";
import { responseOf, type ExchangeOverrides } from "../../model/testing/exchanges.ts";
import { badToken as bad, create, list } from "../testing/sender.ts";
import { settings } from "../../model/testing/target.ts";
import { throttlingWait } from "./attempt.ts";
import { isShortOfTime, learn, noFacts, noteWait, timeoutOf, type SendingFacts } from "./facts.ts";
import { heldBack } from "./dispatch.ts";

/** What an attempt is that says nothing by itself. */
const attempt = {
  sent: { method: "GET", url: "/batches", headers: [], body: undefined, json: undefined },
  at: 0,
  isFresh: false,
  isAlone: false,
  timeout: 1000,
  sign: undefined,
  wait: 0,
} as const;

/** An attempt that got a response, with the wait that it asks for. */
function answeredWith(overrides: ExchangeOverrides, took = 1) {
  const response = { ...responseOf(overrides), took };
  return { ...attempt, response, wait: throttlingWait(response, 0) };
}

function learnt(
  facts: SendingFacts,
  spec: RequestSpec,
  outcome: ExchangeOverrides | "timeout" | "dropped",
  took = 1,
): SendingFacts {
  const got =
    typeof outcome === "string"
      ? { ...attempt, failure: { kind: outcome, message: "no", took } }
      : answeredWith(outcome, took);
  learn(facts, spec, got);
  return facts;
}

test.each<[string, RequestSpec, ExchangeOverrides | "dropped", number]>([
  ["a success", list, { status: 200 }, 0],
  ["429", list, { status: 429 }, 1],
  ["429 to bad credentials", bad, { status: 429 }, 1],
  ["503 with Retry-After", list, { status: 503, headers: [["Retry-After", "1"]] }, 1],
  ["403 to good credentials", list, { status: 403 }, 1],
  ["401 to bad credentials", bad, { status: 401 }, 0],
  ["403 to an invalid request", { ...list, intent: invalid("wrong") }, { status: 403 }, 0],
  ["no response", list, "dropped", 1],
  ["no response to bad credentials", bad, "dropped", 1],
  ["no response to an unusual request", { ...list, intent: unusual("odd") }, "dropped", 0],
])("signs of a lock-out (INT-17): %s", (_, spec, outcome, count) => {
  expect(learnt(noFacts(settings), spec, outcome).lockOutSigns).toBe(count);
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

const wrong: RequestSpec = { ...create, intent: invalid("without currency_pair") };
const badToken: RequestSpec = { ...wrong, authorization: "Bearer made-up" };

const barred = (limit: string) => new Map([[limit, { until: 120_000, reason: "wait 120 s" }]]);
const gone = "it is gone";
const lockedOut = "good credentials are refused too";
const outOfTime =
  "not sent: a run starts no request after 165 s (--max-time). Raise it, or find out what keeps the run waiting: limits of the server for this client, errors that pass, or requests without a response.";

test.each<[string | undefined, RequestSpec, Partial<SendingFacts>, number?]>([
  [undefined, create, {}],
  [gone, create, { lost: gone }],
  [`not sent: ${lockedOut}`, badToken, { lockedOut: new Map([["token", lockedOut]]) }],
  [undefined, badToken, { lockedOut: new Map([["key", lockedOut]]) }],
  [undefined, create, { lockedOut: new Map([["token", lockedOut]]) }],
  ["not sent: wait 120 s", create, { barred: barred("createBatch") }],
  ["not sent: wait 120 s", badToken, { barred: barred("createBatch") }],
  ["not sent: wait 120 s", badToken, { barred: barred("bad tokens") }],
  [undefined, create, { barred: barred("bad tokens") }],
  [undefined, create, { barred: barred("createBatch") }, 120_000],
  [outOfTime, create, {}, 165_000],
])("what keeps a request from being sent: %s", (reason, spec, facts, at = 0) => {
  expect(heldBack(spec, { ...noFacts(settings), ...facts }, at, 165_000)).toBe(reason);
});
