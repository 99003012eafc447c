import { beforeAll, describe, expect, test } from "vitest";
import { valueAt, type Json } from "../spec/json.ts";
import { createGenerators, GeneratorError, sampleOf } from "./index.ts";
import { requestSchemaOf } from "./pointer.ts";
import { validatorsOf } from "./testing/schemas.ts";
import { contract, domain, withBody } from "./testing/contract.ts";
import { expectLaws } from "./testing/laws.ts";

const generators = createGenerators(contract, domain);

let validatorOf: ReturnType<typeof validatorsOf>;
beforeAll(() => {
  validatorOf = validatorsOf(contract);
});

/** The members of each body, from the specification, section "Endpoints". */
const membersOf: Readonly<Record<(typeof withBody)[number], string>> = {
  createCounterparty: "bank_account counterparty_address external_id intermediary_bank name",
  createOperation: "counterparty_id currency_amount currency_pair operation_purpose",
  addAcamItem: "local_currency_amount merchant tax_id",
  createBatch: "currency_pair",
};

describe.each(withBody)("%s", (operation) => {
  const accepts = (body: Json): boolean => validatorOf(requestSchemaOf(contract, operation))(body);

  test("valid bodies keep the laws", () => expectLaws(generators.valid(operation), accepts));
  test("complete bodies keep the laws", () => expectLaws(generators.complete(operation), accepts));
  test("complete bodies have the members of the specification", () => {
    const [body] = sampleOf(generators.complete(operation), { seed: 1, n: 1 });
    expect(Object.keys(body ?? {}).toSorted()).toEqual(membersOf[operation].split(" "));
  });
});

test.each(["createToken", "listBatches"] as const)("%s has no body to generate", (operation) => {
  expect(() => generators.valid(operation)).toThrow(GeneratorError);
  expect(() => generators.valid(operation)).toThrow(`${operation} takes no JSON body`);
});

describe("counterparties", () => {
  let valid: readonly Json[] = [];
  let complete: readonly Json[] = [];
  beforeAll(() => {
    valid = sampleOf(generators.valid("createCounterparty"), { seed: 5, n: 500 });
    complete = sampleOf(generators.complete("createCounterparty"), { seed: 5, n: 500 });
  });
  const has = (pointer: string) => (body: Json) => valueAt(body, pointer) !== undefined;

  test.each(["/intermediary_bank", "/bank_account/iban", "/bank_account/aba_routing_number"])(
    "%s is optional",
    (pointer) => {
      expect(valid.some(has(pointer))).toBe(true);
      expect(valid.every(has(pointer))).toBe(false);
    },
  );

  test.each([
    "/name",
    "/counterparty_address/state",
    "/bank_account/account_number",
    "/external_id",
  ])("%s is always there", (pointer) => expect(valid.every(has(pointer))).toBe(true));

  test("complete bodies have all members that fit the country", () => {
    expect(complete.every(has("/intermediary_bank"))).toBe(true);
    const iban = has("/bank_account/iban");
    const aba = has("/bank_account/aba_routing_number");
    expect(complete.every((body) => iban(body) !== aba(body))).toBe(true);
    expect(
      complete.every(
        (body) => aba(body) === (valueAt(body, "/bank_account/bank_country") === "US"),
      ),
    ).toBe(true);
  });
});

describe("operations", () => {
  let bodies: readonly Json[] = [];
  beforeAll(() => {
    bodies = sampleOf(generators.valid("createOperation"), { seed: 5, n: 300 });
  });
  const values = (pointer: string) => new Set(bodies.map((body) => valueAt(body, pointer)));

  test("pairs and purposes are the configured ones, all of them", () => {
    expect(values("/currency_pair")).toEqual(new Set(["USDBRL", "EURBRL"]));
    expect(values("/operation_purpose")).toEqual(new Set(["EFX", "IMPORT"]));
  });

  test("without other purposes, every purpose is EFX", () => {
    const plain = createGenerators(contract, { ...domain, otherPurposes: [] }).valid(
      "createOperation",
    );
    for (const body of sampleOf(plain, { seed: 5, n: 20 }))
      expect(valueAt(body, "/operation_purpose")).toBe("EFX");
  });
});

describe("ACAM amounts are never above the operation's", () => {
  const amounts = (amountAtMost?: number) =>
    sampleOf(generators.valid("addAcamItem", amountAtMost === undefined ? {} : { amountAtMost }), {
      seed: 5,
      n: 200,
    }).map((body) => Number(valueAt(body, "/local_currency_amount")));
  test("the smallest amount by default", () => expect(new Set(amounts())).toEqual(new Set([10])));
  test("up to the given amount", () => {
    expect(Math.max(...amounts(12.34))).toBe(12.34);
    expect(Math.min(...amounts(12.34))).toBe(10);
    expect(Math.max(...amounts(99_999))).toBe(1000);
  });
  test("a lower bound with more decimals than amounts have is rounded up", () => {
    const odd = createGenerators(contract, {
      ...domain,
      amount: { min: 10.001, max: 20, decimals: 2 },
    });
    const [body = null] = sampleOf(odd.valid("addAcamItem"), { seed: 5, n: 1 });
    expect(valueAt(body, "/local_currency_amount")).toBe(10.01);
  });
});
