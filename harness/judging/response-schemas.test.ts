import { describe, expect, test } from "vitest";
import type { ContractDocument, Schema } from "../../spec/contract.ts";
import { compileResponseSchemas, isDateTime, type ResponseSchemaName } from "./response-schemas.ts";
import { contract } from "../testing/contract.ts";
import { account, batch, changed } from "../../model/testing/exchanges.ts";

function faults(name: ResponseSchemaName, value: unknown) {
  return compileResponseSchemas(contract)
    .faultsIn(name, value)
    .map(({ pointer, keyword, expected }) => `${pointer} ${keyword}: ${expected}`);
}

describe("a response against its schema", () => {
  test.each([
    ["Token", [], [" type: an object"]],
    ["Token", { token: 7 }, ["/token type: a string"]],
    [
      "BatchList",
      { count: 2.5, total: "2" },
      ["/count type: an integer", "/total type: an integer"],
    ],
    ["BatchList", { batches: {} }, ["/batches type: an array"]],
    ["Operation", { batch_id: 7 }, ["/batch_id type: a string or null"]],
    ["Operation", { foreign_currency_amount: "7" }, ["/foreign_currency_amount type: a number"]],
    [
      "Operation",
      { created_at: "2026" },
      ["/created_at format: an RFC 3339 date-time with a zone"],
    ],
    ["Operation", { intermediary_bank: 7 }, ["/intermediary_bank type: an object or null"]],
    [
      "Operation",
      { intermediary_bank: { bank_name: "x", swift_code: 7 } },
      [
        "/intermediary_bank/bank_country required: present",
        "/intermediary_bank/swift_code type: a string",
      ],
    ],
    ["Operation", { intermediary_bank: null }, []],
    [
      "Operation",
      JSON.parse('{"foreign_currency_amount":1e400}'),
      ["/foreign_currency_amount type: a number"],
    ],
    [
      "Counterparty",
      { bank_account: null, intermediary_bank: null },
      ["/bank_account type: an object", "/intermediary_bank type: an object"],
    ],
    [
      "Batch",
      changed(batch, "/operations/0/bank_account/swift_code", undefined),
      ["/operations/0/bank_account/swift_code required: present"],
    ],
  ] as const)("%s %j", (name, value, wanted) => {
    expect(faults(name, value)).toEqual(wanted);
  });

  test("all faults are reported, and formats of requests bind nothing", () => {
    const wrong = { ...account, bank_name: 1, swift_code: 2, iban: "no IBAN" };
    expect(faults("Counterparty", { id: 3, bank_account: wrong })).toHaveLength(3);
  });

  test("members of the prototype do not count as present", () => {
    const prototype = { bank_account: Object.create(account) };
    expect(faults("Counterparty", prototype)).toHaveLength(4);
  });
});

describe("a contract", () => {
  const withSchema = (name: string, schema: Schema): ContractDocument => ({
    ...contract,
    components: { schemas: { ...contract.components.schemas, [name]: schema } },
  });

  test("may have extensions and formats of its own", () => {
    const schema = { type: "string", format: "of-ours", "x-of-ours": [null] };
    const { faultsIn } = compileResponseSchemas(withSchema("Token", schema));
    expect(faultsIn("Token", "x")).toEqual([]);
    expect(faultsIn("Token", 7)).toEqual([{ pointer: "", keyword: "type", expected: "a string" }]);
  });
});

describe("a date-time of RFC 3339 (INT-08)", () => {
  test.each([
    "1985-04-12T23:20:50.52Z",
    "1996-12-19T16:39:57-08:00",
    "1990-12-31T23:59:60Z",
    "2000-02-29T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999999Z",
    "2026-01-31t00:00:00z",
    "2026-01-01T00:00:00+23:59",
    "2026-01-01T00:00:00-00:00",
    "0000-02-29T00:00:00-00:00",
  ])("is %s", (text) => expect(isDateTime(text)).toBe(true));

  test.each([
    ["a space", "2026-01-02 03:04:05Z"],
    ["no zone", "2026-01-02T03:04:05"],
    ["a zone without colon", "2026-01-02T03:04:05+0200"],
    ["a zone by name", "2026-01-02T03:04:05[UTC]"],
    ["two zones", "2026-01-02T03:04:05Z+00:00"],
    ["a date", "2026-01-02"],
    ["no seconds", "2026-01-02T03:04Z"],
    ["a point without digits", "2026-01-02T03:04:05.Z"],
    ["month 0", "2026-00-02T03:04:05Z"],
    ["month 13", "2026-13-02T03:04:05Z"],
    ["day 0", "2026-01-00T03:04:05Z"],
    ["29 February of a common year", "2026-02-29T03:04:05Z"],
    ["29 February of 1900", "1900-02-29T03:04:05Z"],
    ["31 April", "2026-04-31T03:04:05Z"],
    ["hour 24", "2026-01-02T24:00:00Z"],
    ["minute 60", "2026-01-02T03:60:05Z"],
    ["second 61", "2026-01-02T03:04:61Z"],
    ["zone hour 24", "2026-01-02T03:04:05+24:00"],
    ["zone minute 60", "2026-01-02T03:04:05+01:60"],
    ["five digits of a year", "12026-01-02T03:04:05Z"],
    ["text before", " 2026-01-02T03:04:05Z"],
    ["text after", "2026-01-02T03:04:05Z\n"],
    ["other digits", "２026-01-02T03:04:05Z"],
    ["nothing", ""],
  ])("is none with %s", (_, text) => expect(isDateTime(text)).toBe(false));
});
