import { expect, test } from "vitest";
import { invalid, valid, type RequestSpec } from "../../model/request.ts";
import { settings } from "../../model/testing/target.ts";
import { noFacts, type SendingFacts } from "./facts.ts";
import { heldBack } from "./dispatch.ts";

const create: RequestSpec = { operation: "createBatch", intent: valid };
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
