import { expect, test } from "vitest";
import { invalid, unusual, valid, type Origin, type RequestSpec } from "../../model/exchange.ts";
import { responseOf, type ExchangeOverrides } from "../../model/testing/exchanges.ts";
import { Inconclusive } from "../scenario-errors.ts";
import type { Delivered } from "../transport/send.ts";
import { createLockOutSigns } from "./lock-out-signs.ts";

const origin: Origin = { id: "test", name: "test" };
const list: RequestSpec = { operation: "listBatches", intent: valid };
const bad: RequestSpec = { ...list, intent: invalid("with a made-up token"), authorization: "Bearer made-up" };

/** What signs a request with that outcome leaves. */
const signsOf = async (spec: RequestSpec, outcome: ExchangeOverrides | Error) => {
  const signs = createLockOutSigns();
  const send = signs.watched(async () => {
    if (outcome instanceof Error) throw outcome;
    const sent = { method: "GET", url: "/batches", headers: [], body: undefined, json: undefined };
    return { sent, at: 0, response: responseOf(outcome) } satisfies Delivered;
  });
  await send(spec, origin).catch(() => undefined);
  return { count: signs.count(), isProvoked: signs.isProvoked() };
};

test.each<[string, RequestSpec, ExchangeOverrides | Error, number]>([
  ["a success", list, { status: 200 }, 0],
  ["429", list, { status: 429 }, 1],
  ["429 to bad credentials", bad, { status: 429 }, 1],
  ["503 with Retry-After", list, { status: 503, headers: [["Retry-After", "1"]] }, 1],
  ["503 alone", list, { status: 503 }, 0],
  ["423", bad, { status: 423 }, 1],
  ["401 to good credentials", list, { status: 401 }, 1],
  ["403 to good credentials", list, { status: 403 }, 1],
  ["404 to good credentials", list, { status: 404 }, 0],
  ["401 to bad credentials", bad, { status: 401 }, 0],
  ["403 to an invalid request", { ...list, intent: invalid("wrong") }, { status: 403 }, 0],
  ["403 to an unusual request", { ...list, intent: unusual("odd") }, { status: 403 }, 0],
  ["401 to a token of its own", { ...list, authorization: "Bearer another" }, { status: 401 }, 0],
  ["no response", list, new Inconclusive("nothing came"), 1],
  ["an error of ours", list, new Error("ours"), 0],
])("%s", async (_, spec, outcome, count) => {
  expect((await signsOf(spec, outcome)).count).toBe(count);
});

test("only bad credentials provoke a lock-out", async () => {
  for (const spec of [list, { ...list, intent: invalid("wrong") }, { ...list, authorization: "Bearer another" }])
    expect((await signsOf(spec, { status: 200 })).isProvoked).toBe(false);
  expect((await signsOf(bad, { status: 401 })).isProvoked).toBe(true);
  expect((await signsOf(bad, new Inconclusive("nothing came"))).isProvoked).toBe(true);
});

test("signs add up, and a provocation lasts", async () => {
  const signs = createLockOutSigns();
  const sent = { method: "GET", url: "/batches", headers: [], body: undefined, json: undefined };
  const send = signs.watched(async () => ({ sent, at: 0, response: responseOf({ status: 429 }) }));
  for (const spec of [list, bad, list]) await send(spec, origin);
  expect([signs.count(), signs.isProvoked()]).toEqual([3, true]);
});
