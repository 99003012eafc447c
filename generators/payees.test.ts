import { beforeAll, describe, expect, test } from "vitest";
import { valueAt, type Json } from "../spec/json.ts";
import type { Row } from "./covering-array.ts";
import { anyPayeeRow, payeeArbitrary, payeeDesign, payeeRows, usualRow } from "./payees.ts";
import { countries } from "./places.ts";
import { sampleOf } from "./samples.ts";
import { scriptOf } from "./texts.ts";
import { stamp } from "./stamp.ts";
import { contract } from "./testing/contract.ts";
import { expectLaws } from "./testing/laws.ts";
import { pairsIn } from "./testing/pairs.ts";
import { requestSchemaOf, validatorsOf } from "./testing/schemas.ts";
import { textAt } from "./testing/text-at.ts";

const rows = payeeRows();
let bodies: readonly Json[] = [];
beforeAll(() => {
  bodies = rows.flatMap((row, index) => sampleOf(payeeArbitrary(row), { seed: index, n: 1 }));
});

test("every possible pair of values occurs", () => {
  const { of, covered } = pairsIn(payeeDesign, rows);
  expect(covered).toBe(of);
  expect(of).toBeGreaterThan(200);
  expect(new Set(rows.map(({ bank_country: code }) => code)).size).toBe(countries.length);
  expect(rows.length).toBeLessThanOrEqual(50);
});

/** The row of a body, read from the body alone. */
function rowOf(body: Json): Row {
  const has = (pointer: string): boolean => valueAt(body, pointer) !== undefined;
  const country = textAt(body, "/bank_account/bank_country");
  const where = (pointer: string): string => textAt(body, pointer);
  const inBank = where("/bank_account/swift_code").length === 8 ? "8 characters" : "11 characters";
  const usualNumber = has("/bank_account/aba_routing_number") ? "ABA number" : "number alone";
  const partOfAddress = has("/counterparty_address/state") ? "whole" : "without state";
  const forwarding =
    has("/intermediary_bank") && where("/intermediary_bank/bank_country") === country
      ? "in the same country"
      : "in another country";
  return {
    region: countries.find(({ code }) => code === country)?.region ?? "none",
    bank_country: country,
    account: has("/bank_account/iban") ? "IBAN" : usualNumber,
    account_number: where("/bank_account/account_number").startsWith("0")
      ? "beginning with zero"
      : "beginning with another digit",
    address: has("/counterparty_address") ? partOfAddress : "none",
    external_id: has("/external_id") ? "present" : "absent",
    intermediary_bank: has("/intermediary_bank") ? forwarding : "none",
    swift_code: inBank,
    name: scriptOf(where("/name")),
    address_country:
      has("/counterparty_address") && where("/counterparty_address/country") !== country
        ? "another"
        : "that of the bank",
  };
}

test("a body is what its row says, before and after it is stamped", () => {
  for (const [index, body] of bodies.entries()) {
    const stamped = stamp(body, { runId: "run-1", serial: index });
    expect(rowOf(body)).toEqual(rows[index]);
    expect(rowOf(stamped)).toEqual(rows[index]);
    expect(stamped).not.toEqual(body);
  }
});

describe("bodies are valid", () => {
  test.each(rows.filter((_, index) => index % 30 === 0).map((row) => [JSON.stringify(row), row]))(
    "%s",
    (_, row) => {
      const accepts = validatorsOf(contract)(requestSchemaOf(contract, "createCounterparty"));
      const hasUsual = row["address"] === "whole" && row["external_id"] === "present";
      expectLaws(payeeArbitrary(row), (body) => accepts(body) || !hasUsual, 20);
    },
  );
});

test("a drawn row is an allowed one, and the usual row of each country too", () => {
  for (const row of sampleOf(anyPayeeRow, { seed: 1, n: 100 })) {
    const [body = null] = sampleOf(payeeArbitrary(row), { seed: 1, n: 1 });
    expect(rowOf(body)).toEqual(row);
  }
  for (const country of countries) {
    const [body = null] = sampleOf(payeeArbitrary(usualRow(country)), { seed: 1, n: 1 });
    expect(rowOf(body)).toEqual(usualRow(country));
  }
});
