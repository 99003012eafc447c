import { describe, expect, test } from "vitest";
import { invalid } from "../../model/request.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Json } from "../../spec/json.ts";
import {
  batch,
  changed,
  exchangeOf,
  sound,
  type ExchangeOverrides,
} from "../../model/testing/exchanges.ts";
import { cursorsOf, standingObservations } from "./observations.ts";

function seen(exchange: Exchange): readonly string[] {
  return standingObservations(exchange).map(
    ({ question, case: inCase, answer }) => `${question} ${inCase}: ${answer}`,
  );
}

/** The answers to a single question. */
function seenOf(question: string, exchange: Exchange): readonly string[] {
  return seen(exchange).filter((line) => line.startsWith(question));
}

test("a refusal shows all members beside message, in one order", () => {
  const refusal = { json: { message: "no" }, intent: invalid("x") };
  const of = (more: ExchangeOverrides) => seen(exchangeOf("createOperation", more));
  expect(of({ status: 400, json: { b: 1, message: "no", a: 1 } })).toEqual([
    "OPEN-26 POST /corporate/operation: a, b",
  ]);
  expect(of({ ...refusal, status: 422 })).toEqual([
    "OPEN-26 POST /corporate/operation: nothing beside message",
  ]);
  expect(of({ status: 400, json: [] })).toEqual([]);
  expect(of({ ...refusal, status: 429 })).toEqual([]);
  expect(of({ status: 400, exemptBy: "INT-41" })).toEqual([]);
});

test("whether a 401 names a scheme, and headers of versions", () => {
  const refused = { status: 401, body: "" };
  expect(seen(exchangeOf("createBatch", refused))).toEqual(["OPEN-25 POST /batches: no"]);
  const headers = [
    ["WWW-Authenticate", "Bearer"],
    ["X-API-Version", "2"],
  ] as const;
  expect(seen(exchangeOf("createBatch", { ...refused, headers }))).toEqual([
    "OPEN-25 POST /batches: yes",
    "OPEN-43 x-api-version: 2",
  ]);
});

test("a new operation: its status, and each member as present or absent", () => {
  const json = changed(
    changed(sound.createOperation.response, "/customer_id", undefined),
    "/created_at",
    undefined,
  );
  const lines = seen(exchangeOf("createOperation", { json }));
  expect(lines).toContain("OPEN-01 a new operation: pending_quote");
  expect(lines).toContain("OPEN-40 batch_id: present");
  expect(lines.filter((line) => line.endsWith("absent"))).toEqual([
    "OPEN-40 customer_id: absent",
    "OPEN-40 created_at: absent",
  ]);
  expect(seenOf("OPEN-01", exchangeOf("createOperation", { json: { status: 7 } }))).toEqual([]);
});

describe("batches", () => {
  const list = (json: Json) => seen(exchangeOf("listBatches", { json })).slice(1);

  test("listed ones show each status once, those of their operations too", () => {
    const batches = [
      batch,
      { ...batch, status: "closed" },
      batch,
      { status: "booked", operations: [{ status: "sent" }, { status: "sent" }] },
    ];
    expect(list({ batches, count: 4, total: 4 })).toEqual([
      "OPEN-03 a listed batch: open",
      "OPEN-03 a listed batch: closed",
      "OPEN-03 a listed batch: booked",
      "OPEN-01 an operation in a batch: booked",
      "OPEN-01 an operation in a batch: sent",
    ]);
  });

  test("a new one has a status; many statuses are a number", () => {
    expect(seenOf("OPEN-03", exchangeOf("createBatch"))).toEqual(["OPEN-03 a new batch: open"]);
    const listed = (n: number) =>
      list({ batches: Array.from({ length: n }, (_, status) => ({ status: `s${status}` })) });
    expect(listed(20)).toHaveLength(20);
    expect(listed(21)).toEqual(["OPEN-03 a listed batch: more than 20 statuses"]);
  });
});

test("what could lead to more of a list: members beside the three, and headers of paging (INT-29)", () => {
  const list = (json: Json, headers: readonly (readonly [string, string])[] = []) =>
    cursorsOf(exchangeOf("listBatches", { json, headers }));
  expect(list({ batches: [], next: null, page: 1 })).toEqual(["member next", "member page"]);
  const names = ["Link", "X-Next-Cursor", "X-Page", "X-Total-Count", "X-Linked"];
  const fields = names.map((name) => [name, "x"] as const);
  expect(list({}, fields)).toEqual([
    "header link",
    "header x-next-cursor",
    "header x-page",
    "header x-total-count",
  ]);
  expect(list([7])).toEqual([]);
});
