import { bounds } from "../../../model/bounds.ts";
import { describe, expect, test } from "vitest";
import type { RequirementId } from "../../../spec/catalogue.ts";
import type { OperationName } from "../../../spec/operations.ts";
import { invalid, unusual } from "../../../model/request.ts";
import { isObject, valueAt, type Json } from "../../../spec/json.ts";
import type { Exchange } from "../../../model/exchange.ts";
import { batch, changed, exchangeOf, sound } from "../../../model/testing/exchanges.ts";
import {
  brokenIn,
  judgeExchange,
  mustsBrokenIn,
  nothingKnown,
  said,
} from "../../testing/judgements.ts";
import { members } from "./members.ts";
import { twiceRows } from "./shown-twice-rows.ts";

/** A sound response with another value at a pointer, or without it. */
function exchangeWith(name: OperationName, pointer: string, value: Json | undefined): Exchange {
  return exchangeOf(name, { json: changed(sound[name].response, pointer, value) });
}

/** What the rule says of the given requirements. */
function saidOf(
  ids: readonly RequirementId[],
  exchange: Exchange,
  known = nothingKnown(),
): readonly string[] {
  return said(members, exchange, known).filter((line) =>
    ids.some((id) => line.startsWith(`${id} `)),
  );
}

function listOf(...batches: readonly Json[]): Exchange {
  return exchangeOf("listBatches", {
    json: { batches, count: batches.length, total: batches.length },
  });
}
const created = (json: Json, status = 201): Exchange => exchangeOf("createBatch", { status, json });

/** The pointers to every place inside a value. */
function pointersIn(value: Json, at = ""): readonly string[] {
  return (typeof value === "object" && value !== null ? Object.entries(value) : []).flatMap(
    ([name, inner]) => [`${at}/${name}`, ...pointersIn(inner, `${at}/${name}`)],
  );
}
const places = (Object.keys(sound) as OperationName[]).flatMap((name) =>
  pointersIn(sound[name].response).map((pointer) => [name, pointer] as const),
);

test.each([
  [10.25, 10.2, "rounded"],
  [261.03, 261.02, "rounded"],
  [10.25, 10.75, "another value: a number"],
  [10, 11, "another value: a number"],
])("an amount of %d that comes back as %d is %s", (sent, returned, actual) => {
  const exchange = exchangeOf("createOperation", {
    sent: changed(sound.createOperation.sent ?? {}, "/currency_amount", sent),
    json: changed(sound.createOperation.response, "/foreign_currency_amount", returned),
  });
  const found = judgeExchange(exchange, nothingKnown()).flatMap(({ violation }) => violation ?? []);
  expect(found.map(({ mistake }) => mistake.actual)).toEqual([actual]);
});

test("a list at the top breaks one requirement, and its batches are judged (INT-48)", () => {
  const { response } = sound.listBatches;
  const batches =
    isObject(response) && Array.isArray(response["batches"]) ? (response["batches"] as Json[]) : [];
  const top = (...list: readonly Json[]) => exchangeOf("listBatches", { json: list });
  expect(mustsBrokenIn(top(...batches))).toEqual(["BATCH-20"]);
  expect(mustsBrokenIn(top())).toEqual(["BATCH-20"]);
  expect(mustsBrokenIn(top(...batches, { ...batch, id: 7 }))).toEqual(["BATCH-20", "BATCH-25"]);
  expect(saidOf(["BATCH-25"], top(...batches))).toEqual(["BATCH-25 holds"]);
  expect(mustsBrokenIn(top(...batches, 7))).toEqual(["BATCH-20"]);
  expect(saidOf(["BATCH-25"], top(...batches, 7))).toEqual([]);
});

describe("types at every depth (INT-07 and INT-09)", () => {
  test.each(places)("of %s, a wrong one at %s breaks one requirement", (name, pointer) => {
    expect(mustsBrokenIn(exchangeWith(name, pointer, true))).toHaveLength(1);
  });

  /**
   * Findings of these requirements name another place, or the first of several: operations in a
   * batch, members of an object.
   */
  const isElsewhere = (pointer: string): boolean =>
    /^(\/batches\/0)?\/id$|^\/(intermediary_bank|counterparty_address)$/.test(pointer);

  test.each(places.filter(([, pointer]) => !isElsewhere(pointer)))(
    "of %s, what is right where a finding on %s points repairs it",
    (name, pointer) => {
      const { response } = sound[name];
      for (const value of [7, -1.5, "x", "", true, null, {}, [], [7], undefined]) {
        const found = judgeExchange(exchangeWith(name, pointer, value), nothingKnown());
        const repaired = found
          .flatMap(({ violation }) => violation?.pointer ?? [])
          .reduce<Json>(
            (body, at) => changed(body, at, valueAt(response, at)),
            changed(response, pointer, value),
          );
        const broken = brokenIn(exchangeOf(name, { json: repaired }));
        // A repaired place may not agree with another one.
        const wrong = broken.filter(
          (id) => !twiceRows.some(({ requirement }) => requirement === id),
        );
        expect(wrong, JSON.stringify(value)).toEqual([]);
      }
    },
  );

  test("0, 2.0 and 2e0 are integers, 1e400 is not a number", () => {
    const counting = (count: string) =>
      exchangeOf("listBatches", { body: `{"batches":[],"count":${count},"total":2}` });
    for (const count of ["0", "2.0", "2e0", "20E-1", "9007199254740991"])
      expect(mustsBrokenIn(counting(count))).toEqual([]);
    expect(mustsBrokenIn(counting("1e400"))).toEqual(["BATCH-21"]);
  });
});

describe("what a success repeats", () => {
  const amount = (sent: number, returned: string) =>
    exchangeOf("createOperation", {
      sent: { ...sound.createOperation.sent, currency_amount: sent },
      body: JSON.stringify(sound.createOperation.response).replace(
        '"foreign_currency_amount":10.5',
        `"foreign_currency_amount":${returned}`,
      ),
    });

  test.each([
    [1000, "1e3", true],
    [0, "-0", true],
    [10.55, "10.550000000000002", false],
    [0.1, "0.10000000149011612", false],
  ])("of amounts, as an IEEE double (INT-09): %d as %s is right: %s", (sent, returned, isRight) => {
    expect(brokenIn(amount(sent, returned))).toEqual(isRight ? [] : ["OPER-06"]);
  });

  test("is judged of an unusual request too, and not of a counterparty that was there before", () => {
    const odd = exchangeOf("createBatch", {
      json: { currency_pair: "XXXYYY" },
      intent: unusual("odd"),
    });
    expect(saidOf(["BATCH-02"], odd)).toHaveLength(1);
    const known = nothingKnown();
    const of = (name: string, account_number: string) =>
      judgeExchange(
        exchangeOf("createCounterparty", {
          sent: { name, bank_account: { account_number } },
          json: { id: "c-1", name: "first" },
        }),
        known,
      ).some(({ requirement, violation }) => requirement === "CPTY-07" && violation !== undefined);
    expect([of("first", "1"), of("second", "1"), of("third", "2")]).toEqual([false, false, true]);
  });
});

test.each([
  ["", "an empty token"],
  ["a\nb", "a token with characters that no header may have"],
  ["tökén", "a token with characters that no header may have"],
])("a token %j is %s (INT-14)", (token, actual) => {
  expect(saidOf(["AUTH-01"], exchangeOf("createToken", { json: { token } }))).toEqual([
    expect.stringContaining(`| ${actual} |`),
  ]);
});

test("a member that has one right value is needed", () => {
  expect(mustsBrokenIn(exchangeWith("createOperation", "/status", undefined))).toEqual(["OPER-02"]);
});

test.each<[Json, number]>([
  [{ errors: [{ code: 7 }] }, 1],
  [{ id: null, status: "rejected" }, 1],
  [{ id: "", created_at: "0001-01-01T00:00:00Z" }, 1],
  [{ id: 0 }, 1],
  [{ id: "b", error: "a warning" }, 0],
  [{ id: 7 }, 0],
  [{}, 0],
  [[], 0],
])("a success of %j may report a failure (INT-05): %i violations", (json, count) => {
  const exchange = exchangeOf("createBatch", { intent: invalid("with an empty pair"), json });
  expect(said(members, exchange)).toHaveLength(count);
});

describe("a batch", () => {
  test("is created with 201, unless it is the first of its pair again (INT-06)", () => {
    expect(saidOf(["BATCH-03"], created({ id: "b" }))).toEqual(["BATCH-03 holds"]);
    expect(brokenIn(created({ id: "b" }, 200))).toEqual(["BATCH-03"]);
    const known = nothingKnown();
    known.ids.remember("batch", "b", '"USDBRL"');
    expect(saidOf(["BATCH-03"], created({ id: "b" }, 200), known)).toEqual(["BATCH-03 holds"]);
    expect(brokenIn(created({ id: "c" }, 200), known)).toEqual(["BATCH-03"]);
    const operation = exchangeOf("createOperation", {
      status: 201,
      json: { id: "b", operation_id: "o" },
    });
    expect(brokenIn(operation, known)).toContain("OPER-01");
  });

  test("that an invalid request of ours made is not judged, at whatever place of the list (INT-12)", () => {
    const known = nothingKnown();
    known.ids.taint("batch", "b-2");
    const wrong = { id: "b-1", currency_pair: "XXXYYY", status: 7, operations: [] };
    const ours = { ...wrong, id: "b-2", operation_count: -1 };
    const ten = Array.from({ length: 10 }, (_, n) => ({
      id: `other-${n}`,
      currency_pair: "USDBRL",
      operations: [],
    }));
    const broken = (...batches: readonly Json[]) => mustsBrokenIn(listOf(...batches), known);
    expect([broken(ours), broken(...ten, ours)]).toEqual([[], []]);
    expect([broken(wrong, ours), broken(ours, ...ten, wrong)]).toEqual([
      ["BATCH-25"],
      ["BATCH-25"],
    ]);
    known.ids.taint("operation", "o-2");
    const odd = {
      id: "b-1",
      operations: [{ operation_id: "o-2", status: 7, operation_purpose: "EFX" }],
    };
    expect([broken(odd), mustsBrokenIn(created(odd), known)]).toEqual([[], []]);
  });

  test("among hundreds is judged, and of thousands of mistakes a part is reported", () => {
    const batches = Array.from({ length: 400 }, (_, i): Json => ({ id: `b-${i}`, operations: [] }));
    expect(saidOf(["BATCH-25"], listOf(...batches, { id: 7, operations: [] }))).toHaveLength(1);
    const wrong = batches.map(() => ({ id: 7, operations: [] }));
    expect(saidOf(["BATCH-25"], listOf(...wrong))).toHaveLength(bounds.violations);
  });
});
