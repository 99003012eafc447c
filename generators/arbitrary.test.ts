import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { Json } from "../spec/json.ts";
import type { Schema } from "../spec/contract.ts";
import { arbitraryOf } from "./arbitrary.ts";
import { GeneratorError } from "./pointer.ts";
import { isOfFormat } from "./testing/formats.ts";
import { sampleOf } from "./pool.ts";
import { domain } from "./testing/contract.ts";
import { expectLaws } from "./testing/laws.ts";

function draw(schema: Schema, complete = false) {
  return arbitraryOf(
    { $defs: { one: { type: "string", "x-fxconform-domain": "purpose" } }, schema },
    "#/schema",
    {
      domain,
      complete,
    },
  );
}

function accepts(schema: Schema): (value: Json) => boolean {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false });
  ajv.addVocabulary(["x-fxconform-domain", "x-fxconform-usual", "x-fxconform-question"]);
  for (const [name, validate] of Object.entries(isOfFormat))
    ajv.addFormat(name, { type: "string", validate });
  ajv.addFormat("double", { type: "number", validate: Number.isFinite });
  return ajv.compile({
    $defs: { one: { type: "string", "x-fxconform-domain": "purpose" } },
    ...schema,
  });
}

const pair = { type: "string", format: "currency-pair" };

function object(properties: Schema, required: readonly string[] = []): Schema {
  return {
    type: "object",
    properties,
    required,
  };
}

describe("laws", () => {
  /** Schemas, each with values that a few hundred draws must reach, the bounds among them. */
  const table: readonly (readonly [name: string, schema: Schema, reached: readonly Json[]])[] = [
    ["reference", { $ref: "#/$defs/one", description: "" }, ["EFX", "IMPORT"]],
    [
      "object",
      object({ a: pair, b: pair }, ["a"]),
      [{ a: "USDBRL" }, { a: "USDBRL", b: "USDBRL" }],
    ],
    ["object without members", { type: "object" }, [{}]],
    ["nested object", object({ a: object({ b: pair }) }), [{}, { a: {} }, { a: { b: "USDBRL" } }]],
    ["meaning", { type: "string", "x-fxconform-domain": "purpose" }, ["EFX", "IMPORT"]],
    ["amount", { type: "number", format: "double", "x-fxconform-domain": "amount" }, [10, 1000]],
    [
      "place",
      object({
        x: { type: "string", format: "iban" },
        y: { type: "string", format: "aba-routing-number" },
      }),
      [{}],
    ],
    // In the contract, only responses have times.
    ...Object.keys(isOfFormat)
      .filter((name) => name !== "date-time")
      .map((name) => [`format ${name}`, { type: "string", format: name }, []] as const),
  ];

  test.each(table)("%s", (_, schema, reached) => {
    expectLaws(draw(schema), accepts(schema));
    const drawn = sampleOf(draw(schema), { seed: 1, n: 500 });
    for (const value of reached) expect(drawn).toContainEqual(value);
  });

  test("members come in the order of the schema", () => {
    const schema = object({ b: pair, x: { type: "string", format: "bic" }, a: pair });
    const [body] = sampleOf(draw(schema, true), { seed: 1, n: 1 });
    expect(Object.keys(body ?? {})).toEqual(["b", "x", "a"]);
  });

  test("usual members are always present, the others are optional", () => {
    const schema = { ...object({ a: pair, b: pair }), "x-fxconform-usual": ["b"] };
    expect(
      new Set(
        sampleOf(draw(schema), { seed: 1, n: 50 }).map((body) => Object.keys(body ?? {}).join()),
      ),
    ).toEqual(new Set(["b", "a,b"]));
  });

  test("a complete body has as many members as a place can have values", () => {
    const schema = object(
      Object.fromEntries(
        ["iban", "aba-routing-number", "bic"].map((format) => [format, { type: "string", format }]),
      ),
    );
    const sizes = sampleOf(draw(schema, true), { seed: 1, n: 100 }).map(
      (body) => Object.keys(body ?? {}).length,
    );
    expect(new Set(sizes)).toEqual(new Set([2]));
  });

  test("a required IBAN puts the place into a country that has it", () => {
    const schema = object(
      { iban: { type: "string", format: "iban" }, at: { type: "string", format: "country" } },
      ["iban"],
    );
    for (const body of sampleOf(draw(schema, false), { seed: 1, n: 50 }))
      expect(body).toHaveProperty("iban");
  });
});

describe("a schema without a generator is an error with its pointer", () => {
  const none = "has no meaning and no format with a known source";
  const bad: readonly (readonly [schema: Schema, message: string])[] = [
    [{ type: "string" }, `#/schema: ${none}`],
    [{ type: "string", format: "uri" }, `#/schema: ${none}`],
    [{ "x-fxconform-domain": "colour" }, `#/schema: ${none}`],
    [{ "x-fxconform-domain": "toString" }, `#/schema: ${none}`],
    [{ "x-fxconform-domain": ["city"] }, `#/schema: ${none}`],
    [object({ "a/b": {} }), `#/schema/properties/a~1b: ${none}`],
    [
      object(
        {
          i: { type: "string", format: "iban" },
          r: { type: "string", format: "aba-routing-number" },
        },
        ["i", "r"],
      ),
      "#/schema: no place has all required members",
    ],
    [{ $ref: "#/nowhere" }, "#/nowhere: has no schema"],
    [{ $ref: "other.yaml#/schema" }, "other.yaml#/schema: has no schema"],
  ];

  test.each(bad)("%j", (schema, message) => {
    expect(() => draw(schema)).toThrow(GeneratorError);
    expect(() => draw(schema)).toThrow(message);
  });
});
