import { isValidIBAN } from "ibantools";
import { beforeAll, expect, test } from "vitest";
import { valueAt, type Json } from "../spec/json.ts";
import { payeeArbitrary, payeeRows, sampleOf, stamp } from "./index.ts";
import { withValue } from "./pointer.ts";
import { requestSchemaOf, validatorsOf } from "./testing/schemas.ts";
import { contract } from "./testing/contract.ts";
import { textAt } from "./testing/text-at.ts";

let bodies: readonly Json[] = [];
beforeAll(() => {
  bodies = payeeRows().flatMap((row) => sampleOf(payeeArbitrary(row), { seed: 3, n: 1 }));
});
function stamped(body: Json, serial = 1, runId = "run-1") {
  return stamp(body, { runId, serial });
}
const uniques = ["/external_id", "/name", "/bank_account/account_number"];

test("a body stays valid, and its codes still agree", () => {
  const validate = validatorsOf(contract)(requestSchemaOf(contract, "createCounterparty"));
  for (const body of bodies.map((one, serial) => stamped(one, serial))) {
    expect(validate(body)).toBe(true);
    expect(valueAt(body, "/name")).toMatch(/^(?=.{5,30}$)\p{Lu}\p{Ll}+( \p{Lu}\p{Ll}+)+$/u);
    const iban = valueAt(body, "/bank_account/iban");
    if (typeof iban !== "string") continue;
    expect(isValidIBAN(iban)).toBe(true);
    expect(iban.endsWith(textAt(body, "/bank_account/account_number"))).toBe(true);
  }
});

test("nothing else changes", () => {
  for (const body of bodies) {
    const restored = [...uniques, "/bank_account/iban"].reduce(
      (changed, pointer) => withValue(changed, pointer, valueAt(body, pointer)),
      stamped(body),
    );
    expect(restored).toEqual(body);
  }
});

test("each differs for each serial of a run, even of equal bodies", () => {
  const many = Array.from({ length: 5_000 }, (_, serial) => stamped(bodies[0] ?? null, serial));
  for (const pointer of uniques)
    expect(new Set(many.map((one) => valueAt(one, pointer))).size).toBe(5_000);
});

test.each(uniques)("%s differs between runs, with an IBAN and without", (pointer) => {
  for (const body of bodies.filter(
    (one) => JSON.stringify(valueAt(one, pointer) ?? "").length >= 10,
  ))
    expect(valueAt(stamped(body, 1, "run-1"), pointer)).not.toBe(
      valueAt(stamped(body, 1, "run-2"), pointer),
    );
});

test.each<Json>([
  { name: "Торговый дом", external_id: "поставщик" },
  { name: null, external_id: 12, bank_account: { account_number: 5, iban: true } },
  { bank_account: { account_number: "12-34", iban: "DE00370400440532013000" } },
  { name: "A name that is longer than thirty letters", external_id: "x".repeat(65) },
  { bank_account: null },
  [],
])("values that no generator makes stay as they are: %j", (body) =>
  expect(stamped(body)).toEqual(body),
);
