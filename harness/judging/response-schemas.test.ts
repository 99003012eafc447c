import { describe, expect, test } from "vitest";
import { compileResponseSchemas, isDateTime, type ResponseSchemaName } from "./response-schemas.ts";
import { contract } from "../testing/contract.ts";
import { account } from "../../model/testing/exchanges.ts";

function faults(name: ResponseSchemaName, value: unknown) {
  return compileResponseSchemas(contract)
    .faultsIn(name, value)
    .map(({ pointer, keyword, expected }) => `${pointer} ${keyword}: ${expected}`);
}

describe("a response against its schema", () => {
  test("has each fault at its place", () => {
    expect(faults("Operation", { batch_id: 7, intermediary_bank: { bank_name: "x" } })).toEqual([
      "/intermediary_bank/swift_code required: present",
      "/intermediary_bank/bank_country required: present",
      "/batch_id type: a string or null",
    ]);
    expect(faults("Token", "x")).toEqual([" type: an object"]);
    const infinite: unknown = JSON.parse('{"foreign_currency_amount":1e400}');
    expect(faults("Operation", infinite)).toEqual(["/foreign_currency_amount type: a number"]);
  });

  test("members of the prototype do not count as present", () => {
    const prototype = { bank_account: Object.create(account) };
    expect(faults("Counterparty", prototype)).toHaveLength(4);
  });
});

describe("a date-time of RFC 3339 (INT-08)", () => {
  test.each([
    "1985-04-12T23:20:50.52Z",
    "1990-12-31T23:59:60Z",
    "2000-02-29T00:00:00Z",
    "2026-01-31t00:00:00z",
    "2026-01-01T00:00:00-00:00",
  ])("is %s", (text) => expect(isDateTime(text)).toBe(true));

  test.each([
    ["a space", "2026-01-02 03:04:05Z"],
    ["a zone without colon", "2026-01-02T03:04:05+0200"],
    ["month 13", "2026-13-02T03:04:05Z"],
    ["29 February of 1900", "1900-02-29T03:04:05Z"],
    ["hour 24", "2026-01-02T24:00:00Z"],
    ["second 61", "2026-01-02T03:04:61Z"],
    ["zone hour 24", "2026-01-02T03:04:05+24:00"],
    ["text after", "2026-01-02T03:04:05Z\n"],
  ])("is none with %s", (_, text) => expect(isDateTime(text)).toBe(false));
});
