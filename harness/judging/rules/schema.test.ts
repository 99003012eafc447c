import { describe, expect, test } from "vitest";
import type { RequirementId } from "../../../spec/catalogue.ts";
import type { OperationName } from "../../../spec/operations.ts";
import { unusual, type Json } from "../../../model/exchange.ts";
import type { Knowledge } from "./rule.ts";
import { changed, exchangeOf, sound } from "../../../model/testing/exchanges.ts";
import { mustsBrokenIn, nothingKnown, said, saidOf } from "../../testing/judgements.ts";
import { placeText } from "./violation.ts";
import { members } from "./members.ts";

/** A sound response with another value at a pointer, or without it. */
const exchangeWith = (name: OperationName, pointer: string, value: Json | undefined) =>
  exchangeOf(name, { json: changed(sound[name].response, pointer, value) });

const inBatch = "/operations/0";
const listed = "/batches/0";

describe("listed batches of our own invalid requests (INT-12)", () => {
  const saidOf = (json: Json, prepare: (identities: Knowledge["identities"]) => void): readonly string[] => {
    const known = nothingKnown();
    prepare(known.identities);
    return said(members, exchangeOf("listBatches", { json }), known).filter((line) => !line.endsWith(" holds"));
  };
  const wrong = { id: "b-1", currency_pair: "XXXYYY", status: 7, operations: [] };
  const broken = [expect.stringMatching(/^BATCH-25 .*status/)];

  test("are not judged, at whatever place of the list", () => {
    const ours = { ...wrong, id: "b-2" };
    const taint = (identities: Knowledge["identities"]): void => identities.taint("batch", "b-2");
    const list = (...batches: readonly Json[]): Json => ({ batches, count: batches.length, total: batches.length });
    expect(saidOf(list(ours), () => undefined)).toEqual(broken);
    expect(saidOf(list(ours), taint)).toEqual([]);
    expect(saidOf(list(wrong, ours), taint)).toEqual(broken);
    const ten = Array.from({ length: 10 }, (_, n) => ({ id: `other-${n}`, currency_pair: "USDBRL", operations: [] }));
    expect(saidOf(list(...ten, ours), taint)).toEqual([]);
    expect(saidOf(list(ours, ...ten, wrong), taint)).toEqual(broken);
  });

  test("do not excuse the list around them", () => {
    const json = { batches: [wrong], count: "1", total: 1 };
    expect(
      saidOf(json, (identities) => {
        identities.taint("batch", "b-1");
        identities.taint("batch of pair", "null");
      }),
    ).toEqual([expect.stringMatching(/^BATCH-21 .*count/)]);
  });
});

describe("types at every depth (INT-07 and INT-09)", () => {
  const wrong = {
    string: [7, true, null, {}, []],
    number: ["10.50", null, true],
    integer: [2.5, "2", null, [2]],
    object: [null, "x", 7, []],
    array: [null, {}, "x", 7],
  } as const;
  const places: readonly (readonly [RequirementId, OperationName, string, keyof typeof wrong])[] = [
    ["AUTH-01", "createToken", "/token", "string"],
    ["CPTY-01", "createCounterparty", "/id", "string"],
    ["CPTY-02", "createCounterparty", "/name", "string"],
    ["CPTY-03", "createCounterparty", "/counterparty_address", "object"],
    ["CPTY-04", "createCounterparty", "/bank_account", "object"],
    ["CPTY-04", "createCounterparty", "/bank_account/iban", "string"],
    ["CPTY-05", "createCounterparty", "/intermediary_bank", "object"],
    ["CPTY-05", "createCounterparty", "/intermediary_bank/swift_code", "string"],
    ["OPER-02", "createOperation", "/status", "string"],
    ["OPER-05", "createOperation", "/operation_id", "string"],
    ["OPER-10", "createOperation", "/customer_id", "string"],
    ["OPER-10", "createOperation", "/foreign_currency_amount", "number"],
    ["OPER-11", "createOperation", "/bank_account", "object"],
    ["OPER-13", "createOperation", "/created_at", "string"],
    ["BATCH-01", "createBatch", "/id", "string"],
    ["BATCH-04", "createBatch", "/status", "string"],
    ["BATCH-04", "createBatch", "/operation_count", "integer"],
    ["BATCH-04", "createBatch", "/operations", "array"],
    ["BATCH-04", "createBatch", inBatch, "object"],
    ["BATCH-05", "createBatch", "/created_at", "string"],
    ["BATCH-30", "createBatch", `${inBatch}/operation_id`, "string"],
    ["BATCH-30", "createBatch", `${inBatch}/foreign_currency_amount`, "number"],
    ["BATCH-31", "createBatch", `${inBatch}/created_at`, "string"],
    ["BATCH-32", "createBatch", `${inBatch}/bank_account`, "object"],
    ["BATCH-33", "createBatch", `${inBatch}/intermediary_bank`, "object"],
    ["BATCH-20", "listBatches", "/batches", "array"],
    ["BATCH-20", "listBatches", listed, "object"],
    ["BATCH-21", "listBatches", "/count", "integer"],
    ["BATCH-22", "listBatches", "/total", "integer"],
    ["BATCH-23", "listBatches", `${listed}/operations`, "array"],
    ["BATCH-23", "listBatches", `${listed}${inBatch}`, "object"],
    ["BATCH-25", "listBatches", `${listed}/id`, "string"],
    ["BATCH-25", "listBatches", `${listed}/operation_count`, "integer"],
    ["BATCH-26", "listBatches", `${listed}/created_at`, "string"],
    ["BATCH-30", "listBatches", `${listed}${inBatch}/status`, "string"],
    ["BATCH-30", "listBatches", `${listed}${inBatch}/foreign_currency_amount`, "number"],
    ["BATCH-31", "listBatches", `${listed}${inBatch}/created_at`, "string"],
    ["BATCH-32", "listBatches", `${listed}${inBatch}/bank_account`, "object"],
    ["BATCH-33", "listBatches", `${listed}${inBatch}/intermediary_bank`, "object"],
  ];

  test.each(places)("%s: %s %s has the type %s", (id, name, pointer, type) => {
    for (const value of wrong[type])
      expect(mustsBrokenIn(exchangeWith(name, pointer, value)), JSON.stringify(value)).toEqual([id]);
  });

  test("0, 2.0 and 2e0 are integers, 1e400 is not a number", () => {
    const listOf = (count: string) => exchangeOf("listBatches", { body: `{"batches":[],"count":${count},"total":2}` });
    for (const count of ["0", "2.0", "2e0", "20E-1", "9007199254740991"])
      expect(mustsBrokenIn(listOf(count))).toEqual([]);
    expect(mustsBrokenIn(listOf("1e400"))).toEqual(["BATCH-21"]);
  });

  test("intermediary_bank may be null on an operation, and nothing else than null or a bank", () => {
    expect(mustsBrokenIn(exchangeWith("createOperation", "/intermediary_bank", null))).toEqual([]);
    expect(mustsBrokenIn(exchangeWith("createOperation", "/intermediary_bank", undefined))).toEqual([]);
    for (const value of ["x", 7, [], false])
      expect(mustsBrokenIn(exchangeWith("createOperation", "/intermediary_bank", value))).toEqual(["OPER-12"]);
    expect(said(members, exchangeWith("createOperation", "/intermediary_bank", "x"))).toContain(
      'OPER-12 POST /corporate/operation: /intermediary_bank is not an object or null. | /intermediary_bank is a Bank or null | /intermediary_bank = "x" | /intermediary_bank',
    );
  });

  test.each([
    ["AUTH-01", "createToken"],
    ["CPTY-02", "createCounterparty"],
    ["OPER-10", "createOperation"],
    ["BATCH-04", "createBatch"],
    ["BATCH-20", "listBatches"],
  ] as const)("%s: the response of %s is an object", (id, name) => {
    for (const json of [[], "x", 7, null]) {
      expect(saidOf(id, members, exchangeOf(name, { body: JSON.stringify(json) }))).toEqual([
        expect.stringMatching(
          new RegExp(
            `^${id} .*: the body is not an object\\. \\| the body is a JSON object with [a-z_, ]+ \\| the body = .* \\| $`,
          ),
        ),
      ]);
    }
  });
});

describe("required members of banks and accounts, wherever they are (INT-07)", () => {
  const account = ["bank_name", "swift_code", "bank_country", "account_number"];
  const bank = ["bank_name", "swift_code", "bank_country"];
  const complete = { bank_name: "Via", swift_code: "CHASUS33", bank_country: "US" };

  test.each([
    ["CPTY-04", "createCounterparty", "/bank_account", account],
    ["CPTY-05", "createCounterparty", "/intermediary_bank", bank],
    ["OPER-11", "createOperation", "/bank_account", account],
    ["BATCH-32", "createBatch", `${inBatch}/bank_account`, account],
    ["BATCH-33", "createBatch", `${inBatch}/intermediary_bank`, bank],
    ["BATCH-32", "listBatches", `${listed}${inBatch}/bank_account`, account],
    ["BATCH-33", "listBatches", `${listed}${inBatch}/intermediary_bank`, bank],
  ] as const)("%s: %s %s", (id, name, pointer, names) => {
    for (const member of names) {
      const exchange = exchangeWith(name, `${pointer}/${member}`, undefined);
      expect(mustsBrokenIn(exchange)).toEqual([id]);
      expect(saidOf(id, members, exchange)).toContainEqual(
        expect.stringContaining(` | ${placeText(exchange.json, `${pointer}/${member}`)} is absent in {`),
      );
    }
  });

  test("a bank on an operation is complete", () => {
    for (const member of bank) {
      const partial = changed(complete, `/${member}`, undefined);
      expect(mustsBrokenIn(exchangeWith("createOperation", "/intermediary_bank", partial))).toEqual(["OPER-12"]);
    }
    expect(mustsBrokenIn(exchangeWith("createOperation", "/intermediary_bank", complete))).toEqual([]);
  });

  test("iban, routing number and everything outside banks may be left out", () => {
    expect(mustsBrokenIn(exchangeWith("createCounterparty", "/counterparty_address", {}))).toEqual([]);
    expect(mustsBrokenIn(exchangeWith("createOperation", "/bank_account", undefined))).toEqual([]);
    expect(mustsBrokenIn(exchangeWith("createOperation", "/created_at", undefined))).toEqual([]);
    expect(mustsBrokenIn(exchangeWith("createBatch", "/operations", undefined))).toEqual([]);
  });

  test("extra members are free", () => {
    expect(mustsBrokenIn(exchangeWith("createOperation", "/bank_account/extra", { a: [null] }))).toEqual([]);
    expect(mustsBrokenIn(exchangeWith("listBatches", "/next", null))).toEqual([]);
  });
});

describe("how much is said", () => {
  test("the last of hundreds is seen, of thousands the first three hundred are reported", () => {
    const batches = Array.from({ length: 400 }, (_, i): Json => ({ id: `b-${i}`, operations: [] }));
    const last = { batches: [...batches, { id: 7, operations: [] }], count: 401, total: 401 };
    expect(saidOf("BATCH-25", members, exchangeOf("listBatches", { json: last }))).toEqual([
      "BATCH-25 GET /batches: /batches/*/id is not a string. | /batches/400/id is a string | /batches/400/id = 7 | /batches/400/id",
    ]);
    const all = { batches: batches.map(() => ({ id: 7, operations: [] })), count: 400, total: 400 };
    expect(saidOf("BATCH-25", members, exchangeOf("listBatches", { json: all }))).toHaveLength(300);
  });

  test("an unusual request that succeeds is judged in full", () => {
    expect(mustsBrokenIn(exchangeOf("createCounterparty", { intent: unusual("long name"), json: { id: 7 } }))).toEqual([
      "CPTY-01",
    ]);
  });
});
