import { describe, expect, test } from "vitest";
import { invalid, unusual, type Exchange, type Json } from "../../model/exchange.ts";
import { cursorsOf, standingObservations } from "./standing-observations.ts";
import { batch, changed, exchangeOf, sound } from "../../model/testing/exchanges.ts";

const seen = (exchange: Exchange): readonly string[] =>
  standingObservations(exchange).map(({ question, case: inCase, answer }) => `${question} ${inCase}: ${answer}`);

describe("statuses", () => {
  test.each([
    ["createToken", 201, []],
    ["createCounterparty", 202, ["OPEN-08 a success: 202"]],
    ["createOperation", 200, []],
    ["addAcamItem", 201, ["OPEN-10 a success: 201"]],
    ["createBatch", 200, ["OPEN-12 a success: 200"]],
    ["listBatches", 206, ["OPEN-15 a success: 206"]],
  ] as const)("success of %s", (name, status, wanted) => {
    expect(seen(exchangeOf(name, { status, json: {}, intent: invalid("x") }))).toEqual(wanted);
  });

  test.each([
    ["createToken", "OPEN-07"],
    ["createCounterparty", "OPEN-09"],
    ["addAcamItem", "OPEN-11"],
    ["createBatch", "OPEN-13"],
    ["listBatches", "OPEN-15"],
  ] as const)("refusal of %s", (name, question) => {
    const words = "OPEN-26 an error: nothing beside message";
    const refusal = { status: 409, json: { message: "no" } };
    expect(seen(exchangeOf(name, refusal))).toEqual([`${question} a valid request: 409`, words]);
    expect(seen(exchangeOf(name, { ...refusal, intent: unusual("long name") }))).toEqual([
      `${question} long name: 409`,
      words,
    ]);
    expect(seen(exchangeOf(name, { ...refusal, intent: invalid("no name") }))).toEqual([
      `${question} no name: 409`,
      words,
    ]);
    expect(seen(exchangeOf(name, { ...refusal, status: 429 }))).toEqual([words]);
    expect(seen(exchangeOf(name, { ...refusal, status: 302 }))).toEqual([]);
  });

  test("of an operation are no question", () => {
    expect(seen(exchangeOf("createOperation", { status: 422, json: { message: "no" } }))).toEqual([
      "OPEN-26 an error: nothing beside message",
    ]);
  });

  test("nothing of what is outside the contract", () => {
    expect(seen(exchangeOf("listBatches", { status: 401, offContract: true }))).toEqual([]);
  });
});

describe("refusals", () => {
  test("401 with and without a challenge", () => {
    const headers = [["WWW-Authenticate", "Bearer"]] as const;
    const told = { status: 401, body: "no", intent: invalid("x") };
    expect(seen(exchangeOf("createOperation", told))).toEqual(["OPEN-25 a 401: no"]);
    expect(seen(exchangeOf("createOperation", { ...told, headers }))).toEqual(["OPEN-25 a 401: yes"]);
    expect(seen(exchangeOf("createOperation", { ...told, status: 403 }))).toEqual([]);
  });

  test("members beside message, the first eight", () => {
    const json = { message: "no", ...Object.fromEntries("abcdefghij".split("").map((name) => [name, 1])) };
    expect(seen(exchangeOf("createOperation", { status: 400, json }))).toEqual([
      "OPEN-26 an error: a, b, c, d, e, f, g, h",
    ]);
    expect(seen(exchangeOf("createOperation", { status: 400, json: [] }))).toEqual([]);
  });
});

test.each([
  ["API-Version", "OPEN-43 API-Version: 1"],
  ["Deprecation", "OPEN-43 Deprecation: 1"],
  ["sunset", "OPEN-43 sunset: 1"],
])("header %s", (name, wanted) => {
  expect(seen(exchangeOf("createToken", { headers: [[name, "1"]] }))).toEqual([wanted]);
  expect(seen(exchangeOf("createToken", { headers: [["Server", "1"]] }))).toEqual([]);
});

describe("a new operation", () => {
  test("its status and the members that are absent", () => {
    expect(seen(exchangeOf("createOperation"))).toEqual([
      "OPEN-01 any: pending_quote",
      "OPEN-40 a new operation: all are present",
    ]);
    const json = changed(changed(sound.createOperation.response, "/customer_id", undefined), "/created_at", undefined);
    expect(seen(exchangeOf("createOperation", { json }))).toEqual([
      "OPEN-01 any: pending_quote",
      "OPEN-40 a new operation: absent: customer_id, created_at",
    ]);
    expect(seen(exchangeOf("createOperation", { json: { status: 7 } }))).toEqual([
      "OPEN-40 a new operation: absent: operation_purpose, foreign_currency_amount, currency_pair, customer_id, counterparty_id, bank_account, intermediary_bank, batch_id, created_at",
    ]);
  });

  test("of an invalid request says nothing", () => {
    expect(seen(exchangeOf("createOperation", { intent: invalid("x") }))).toEqual([]);
    expect(seen(exchangeOf("createOperation", { intent: unusual("x") }))).toHaveLength(2);
  });
});

describe("batches", () => {
  const list = (json: Json, headers: readonly (readonly [string, string])[] = []) =>
    seen(exchangeOf("listBatches", { json, headers })).slice(1);

  test("a created one shows its status", () => {
    expect(seen(exchangeOf("createBatch"))).toEqual(["OPEN-12 a success: 201", "OPEN-03 any: open"]);
    expect(seen(exchangeOf("createBatch", { json: {} }))).toEqual(["OPEN-12 a success: 201"]);
  });

  test("listed ones show each status once, those of their operations too", () => {
    const batches = [
      batch,
      { ...batch, status: "closed" },
      batch,
      { status: "booked", operations: [{ status: "sent" }, { status: "sent" }] },
    ];
    expect(list({ batches, count: 4, total: 4 })).toEqual([
      "OPEN-03 any: open",
      "OPEN-01 any: booked",
      "OPEN-03 any: closed",
      "OPEN-03 any: booked",
      "OPEN-01 any: sent",
      "OPEN-16 count: equals the batches shown",
      "OPEN-16 total: equals the batches shown",
      "OPEN-18 the list: nothing looks like a cursor",
    ]);
  });

  test("no more than some fifty", () => {
    const batches = Array.from({ length: 500 }, (_, i) => ({ status: `s${i}` }));
    expect(list({ batches }).filter((value) => value.startsWith("OPEN-03"))).toHaveLength(51);
  });

  test.each([
    [0, 2, "is below the batches shown", "is above the batches shown"],
    [1, "1", "equals the batches shown", "is no number"],
  ])("count %j and total %j", (count, total, ofCount, ofTotal) => {
    const wanted = [`OPEN-16 count: ${ofCount}`, `OPEN-16 total: ${ofTotal}`];
    expect(list({ batches: [{}], count, total })).toEqual(expect.arrayContaining(wanted));
  });

  const at = (...days: readonly Json[]) =>
    list({ batches: days.map((created_at) => ({ created_at })) }).find((value) => value.startsWith("OPEN-17"));

  test.each([
    [["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z"], "OPEN-17 the list: oldest first"],
    [["2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"], "OPEN-17 the list: newest first"],
    [["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z", "2026-01-01T00:00:00Z"], "OPEN-17 the list: neither by age"],
    [["2026-01-01T23:00:00-03:00", "2026-01-02T01:00:00Z"], "OPEN-17 the list: newest first"],
    [["2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z"], undefined],
    [["2026-01-02T00:00:00Z", "x", 7], undefined],
    [[], undefined],
  ])("order of %j", (days, wanted) => {
    expect(at(...days)).toBe(wanted);
  });

  test("no array shows nothing", () => {
    expect(list({ batches: 7, count: 1 })).toEqual([]);
  });
});

describe("what could lead to more of a list (ruling 29)", () => {
  const list = (json: Json, headers: readonly (readonly [string, string])[] = []) =>
    cursorsOf(exchangeOf("listBatches", { json, headers }));

  test("members beside the three, and headers of paging", () => {
    expect(list({ batches: [], count: 0, total: 0 })).toEqual([]);
    expect(list({ batches: [], next: null, page: 1 })).toEqual(["member next", "member page"]);
    expect(
      list({}, [
        ["Link", "x"],
        ["X-Next-Cursor", "x"],
        ["X-Page", "1"],
        ["X-Total-Count", "1"],
        ["Server", "x"],
        ["X-Linked", "x"],
      ]),
    ).toEqual(["header link", "header x-next-cursor", "header x-page", "header x-total-count"]);
    expect(list([])).toEqual([]);
  });

  test("at most twelve", () => {
    expect(list(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`m${i}`, i])))).toHaveLength(12);
  });

  test("are observed", () => {
    const exchange = exchangeOf("listBatches", { json: { batches: [], next: "x" } });
    expect(seen(exchange).at(-1)).toBe("OPEN-18 the list: member next");
  });
});
