import { expect, test } from "vitest";
import { invalid, valid, type RequestSpec } from "../../model/request.ts";
import { settings } from "../../model/testing/target.ts";
import { kindOf, noFacts, type SendingFacts } from "./facts.ts";
import { heldBack, type Departure } from "./dispatch.ts";

const create: RequestSpec = { operation: "createBatch", intent: valid };
const wrong: RequestSpec = { ...create, intent: invalid("without currency_pair") };
const silent = new Map([[kindOf(create), { count: 3, last: 0 }]]);
const withoutPair: RequestSpec = { ...wrong, refusal: { requirement: "OPER-22" } };
const silentIfWrong = new Map([[kindOf(wrong), { count: 3, last: 0 }]]);
const badToken: RequestSpec = { ...wrong, authorization: "Bearer made-up" };

const barred = (limit: string) => new Map([[limit, { until: 120_000, reason: "wait 120 s" }]]);
const gone = "it is gone";
const neverAnswered =
  "not sent: POST /batches gave no response to 3 requests of this kind in a row (HTTP-05): fix that first";
const lockedOut = "good credentials are refused too";
const outOfTime =
  "not sent: a run starts no request after 165 s (--max-time). Raise it, or find out what keeps the run waiting: limits of the server for this client, errors that pass, or requests without a response.";

test.each<[string | undefined, RequestSpec, Partial<SendingFacts>, Partial<Departure>?]>([
  [undefined, create, {}],
  [gone, create, { lost: gone }],
  [neverAnswered, create, { hangs: true, timeouts: silent }],
  [undefined, create, { hangs: true, timeouts: silent }, { isFirst: false }],
  [undefined, wrong, { hangs: true, timeouts: silent }],
  [neverAnswered, wrong, { hangs: true, timeouts: silentIfWrong }],
  [
    neverAnswered,
    withoutPair,
    { hangs: true, timeouts: silentIfWrong, asked: new Set(["OPER-22" as const]) },
  ],
  [`not sent: ${lockedOut}`, badToken, { lockedOut: new Map([["token", lockedOut]]) }],
  [undefined, badToken, { lockedOut: new Map([["key", lockedOut]]) }],
  [undefined, create, { lockedOut: new Map([["token", lockedOut]]) }],
  ["not sent: wait 120 s", create, { barred: barred("createBatch") }],
  ["not sent: wait 120 s", badToken, { barred: barred("createBatch") }],
  ["not sent: wait 120 s", badToken, { barred: barred("bad tokens") }],
  [undefined, create, { barred: barred("bad tokens") }],
  [undefined, create, { barred: barred("createBatch") }, { at: 120_000 }],
  [outOfTime, create, {}, { lateAfter: 165_000 }],
])("what keeps a request from being sent: %s", (reason, spec, facts, more = {}) => {
  const departure = { spec, isFirst: true, at: 0, ...more };
  expect(heldBack({ ...departure, facts: { ...noFacts(settings), ...facts } })).toBe(reason);
});
