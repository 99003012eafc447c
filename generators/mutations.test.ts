import { beforeAll, describe, expect, test } from "vitest";
import { valueAt, type Json } from "../spec/json.ts";
import { createGenerators, sampleOf } from "./index.ts";
import { requestSchemaOf } from "./pointer.ts";
import { validatorsOf } from "./testing/schemas.ts";
import { typeNameOf } from "./mutations.ts";
import { contract, domain, withBody } from "./testing/contract.ts";

const generators = createGenerators(contract, domain);
let validatorOf: ReturnType<typeof validatorsOf>;
beforeAll(() => {
  validatorOf = validatorsOf(contract);
});

/** The errors of Ajv for a body: the keyword and the member. */
function violations(operation: (typeof withBody)[number], body: unknown): readonly string[] {
  const validate = validatorOf(requestSchemaOf(contract, operation));
  validate(body);
  return (validate.errors ?? []).map(({ keyword, instancePath, params }) =>
    keyword === "required"
      ? `required ${instancePath}/${String(params.missingProperty)}`
      : `${keyword} ${instancePath}`,
  );
}

describe.each(withBody)("%s", (operation) => {
  let bodies: readonly Json[] = [];
  beforeAll(() => {
    bodies = sampleOf(generators.complete(operation), { seed: 11, n: 20 });
  });

  test("each mutation is refused for exactly its keyword at exactly its place", () => {
    for (const { keyword, pointer, apply } of generators.mutations(operation))
      for (const body of bodies)
        expect(violations(operation, apply(body))).toEqual([`${keyword} ${pointer}`]);
  });

  test("an omission keeps the body valid and removes at most its member", () => {
    for (const { pointer, keyword, apply } of generators.omissions(operation)) {
      expect(keyword).toBeUndefined();
      for (const body of bodies) {
        const changed = apply(body);
        expect(violations(operation, changed)).toEqual([]);
        expect(changed).not.toHaveProperty(pointer.slice(1).replaceAll("/", "."));
      }
    }
  });

  test("the original body is not modified", () => {
    const before = JSON.stringify(bodies);
    const all = [...generators.mutations(operation), ...generators.omissions(operation)];
    for (const { apply } of all) bodies.forEach(apply);
    expect(JSON.stringify(bodies)).toBe(before);
  });

  test("ids are unique", () => {
    const ids = [generators.mutations, generators.omissions].flatMap((changes) =>
      changes(operation).map(({ id }) => id),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test("the changes of an operation, by their permanent ids", async () => {
  const { mutations, omissions } = createGenerators(contract, domain);
  const body = {
    currency_amount: 10.5,
    operation_purpose: "EFX",
    currency_pair: "USDBRL",
    counterparty_id: "c-1",
  };
  const lines = mutations("createOperation").map(
    ({ id, pointer, rare, apply }) =>
      `${rare ? "sometimes" : "always"} ${id}: ${JSON.stringify(valueAt(apply(body), pointer))}`,
  );
  const left = omissions("createCounterparty").map(({ id }) => id);
  await expect([...lines, ...left].join("\n")).toMatchFileSnapshot("testing/changes.golden");
  expect(omissions("createOperation")).toEqual([]);
});

test("the types of JSON have names", () => {
  expect([null, [], {}, 1.5].map(typeNameOf)).toEqual(["null", "array", "object", "number"]);
});

test.each(withBody)("%s: a change sends a value of the type that it says", (operation) => {
  const [body = null] = sampleOf(generators.complete(operation), { seed: 11, n: 1 });
  for (const change of generators.mutations(operation)) {
    const value = valueAt(change.apply(body), change.pointer);
    expect(value === undefined ? undefined : typeNameOf(value)).toBe(change.sent);
  }
});

test.each<[change: string, value: Json, changed: Json]>([
  ["number /counterparty_id", "12", 12],
  ["number /counterparty_id", "a12", 12345],
  ["number /counterparty_id", "012", 12345],
  ["number /counterparty_id", "123456789012345", 123456789012345],
  ["number /counterparty_id", "1234567890123456", 12345],
  ["string /currency_amount", 10.5, "10.5"],
  ["string /currency_amount", [1], "[1]"],
  ["string /currency_amount", null, "text"],
  ["array /operation_purpose", "EFX", ["EFX"]],
  ["object /operation_purpose", "EFX", { value: "EFX" }],
  ["empty string /currency_amount", 10.5, ""],
  ["whole number as a string /currency_amount", 12.9, "12"],
  ["decimals after a comma as a string /currency_amount", 12.9, "12,5"],
  ["one /operation_purpose", "EFX", 1],
  ["halves /currency_pair", "USDBRL", ["USD", "BRL"]],
  ["halves /currency_amount", 12.5, ["12", ".5"]],
  ["operator /counterparty_id", "c-1", { $gt: "" }],
  ["reference /counterparty_id", "c-1", { id: "c-1" }],
])("%s of %j is %j, and nothing else changes", (id, value, changed) => {
  const member = id.slice(id.indexOf("/") + 1);
  const change = generators.mutations("createOperation").find((mutation) => mutation.id === id);
  expect(change?.apply({ other: "x", [member]: value })).toEqual({ other: "x", [member]: changed });
});

test("a wrong value is added if the member was absent", () => {
  const change = generators
    .mutations("createOperation")
    .find(({ id }) => id === "array /counterparty_id");
  expect(change?.apply({})).toEqual({ counterparty_id: ["text"] });
});

test("an object as a string is its JSON text", () => {
  const change = generators
    .mutations("createCounterparty")
    .find(({ id }) => id === "string /bank_account");
  expect(change?.apply({ bank_account: { a: 1 } })).toEqual({ bank_account: '{"a":1}' });
});

test("a change inside an absent object is an error", () => {
  const change = generators
    .mutations("createCounterparty")
    .find(({ id }) => id === "null /intermediary_bank/swift_code");
  expect(() => change?.apply({ name: "x" })).toThrow(
    "/intermediary_bank/swift_code: is not in the body",
  );
});
