import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { Json, Schema } from "../../spec/contract.ts";
import { arbitraryOf } from "../arbitrary.ts";
import { GeneratorError } from "../error.ts";
import { formats } from "../formats/index.ts";
import { sampleOf } from "../sample.ts";
import { domain } from "../testing/contract.ts";
import { expectLaws } from "../testing/laws.ts";

const draw = (schema: Schema, complete = false) =>
  arbitraryOf({ $defs: { one: { type: "boolean" } }, schema }, "#/schema", { domain, complete });

function accepts(schema: Schema): (value: Json) => boolean {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false });
  ajv.addVocabulary(["x-fxconform-domain", "x-fxconform-usual", "x-fxconform-question"]);
  for (const { name, isValid } of formats) ajv.addFormat(name, { type: "string", validate: isValid });
  ajv.addFormat("double", { type: "number", validate: Number.isFinite });
  return ajv.compile({ $defs: { one: { type: "boolean" } }, ...schema });
}

const object = (properties: Schema, required: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  required,
});

describe("laws", () => {
  /** Schemas and values that a few hundred draws must reach, bounds among them. */
  const table: readonly (readonly [name: string, schema: Schema, reached: readonly Json[]])[] = [
    ["type boolean", { type: "boolean" }, [true, false]],
    ["type null", { type: "null" }, [null]],
    ["type list", { type: ["boolean", "null"] }, [true, null]],
    ["const", { const: 3 }, [3]],
    ["enum", { enum: ["a", 1, null] }, ["a", 1, null]],
    ["enum within a type", { type: "string", enum: ["a", "b"] }, ["a", "b"]],
    ["enum within several types", { type: ["string", "null"], enum: ["a", null, 1] }, ["a", null]],
    ["integer of one value", { type: "integer", minimum: 3, maximum: 3 }, [3]],
    ["string of no length", { type: "string", minLength: 0, maxLength: 0 }, [""]],
    ["anyOf", { anyOf: [{ const: 1 }, { type: "boolean" }] }, [1, true]],
    ["integer", { type: "integer" }, [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]],
    ["integer within bounds", { type: "integer", minimum: 3, maximum: 6 }, [3, 6]],
    ["integer within fractions", { type: "integer", minimum: 2.5, maximum: 6.5 }, [3, 6]],
    ["integer between excluded", { type: "integer", exclusiveMinimum: 3, exclusiveMaximum: 6 }, [4, 5]],
    ["integer between excluded fractions", { type: "integer", exclusiveMinimum: 3.5, exclusiveMaximum: 5.5 }, [4, 5]],
    ["integer from one bound", { type: "integer", minimum: 7, maximum: Number.MAX_SAFE_INTEGER }, [7]],
    ["number", { type: "number", format: "double" }, [0]],
    ["number within bounds", { type: "number", minimum: 1.5, maximum: 2.5 }, [1.5, 2.5]],
    [
      "number between excluded",
      { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
      [5e-324, 0.9999999999999999],
    ],
    [
      "number between excluded negatives",
      { type: "number", exclusiveMinimum: -1, exclusiveMaximum: 0 },
      [-0.9999999999999999, -5e-324],
    ],
    ["string", { type: "string", maxLength: 1 }, [""]],
    ["string of a length", { type: "string", minLength: 2, maxLength: 2 }, []],
    ["array", { type: "array", items: { const: 1 }, minItems: 1, maxItems: 2 }, [[1], [1, 1]]],
    ["array without bounds", { type: "array", items: { const: 1 } }, [[], [1, 1, 1, 1, 1]]],
    ["reference", { $ref: "#/$defs/one", description: "" }, [true, false]],
    ["object", object({ a: { const: 1 }, b: { const: 2 } }, ["a"]), [{ a: 1 }, { a: 1, b: 2 }]],
    ["object without members", { type: "object" }, [{}]],
    ["nested object", object({ a: object({ b: { type: "null" } }) }), [{}, { a: {} }, { a: { b: null } }]],
    ["meaning", { type: "string", "x-fxconform-domain": "purpose" }, ["EFX", "IMPORT"]],
    ["amount", { type: "number", format: "double", "x-fxconform-domain": "amount" }, [10, 1000]],
    [
      "place",
      object({ x: { type: "string", format: "iban" }, y: { type: "string", format: "aba-routing-number" } }),
      [{}],
    ],
    ...formats.map(({ name }) => [`format ${name}`, { type: "string", format: name }, []] as const),
  ];

  test.each(table)("%s", (_, schema, reached) => {
    expectLaws(draw(schema), accepts(schema));
    const drawn = sampleOf(draw(schema), { seed: 1, n: 500 });
    for (const value of reached) expect(drawn).toContainEqual(value);
  });

  test("lengths reach both bounds, and count what JSON Schema counts", () => {
    const lengths = (schema: Schema): ReadonlySet<number> =>
      new Set(
        sampleOf(draw({ type: "string", ...schema }), { seed: 1, n: 1000 }).map((text) => (text as string).length),
      );
    expect(lengths({ minLength: 2, maxLength: 4 })).toEqual(new Set([2, 3, 4]));
    expect(Math.min(...lengths({ minLength: 3 }))).toBe(3);
    expect(Math.max(...lengths({ minLength: 3 }))).toBe(23);
  });

  test("zero has no sign", () => {
    const drawn = sampleOf(draw({ type: "number", minimum: -1e-323, maximum: 0 }), { seed: 1, n: 100 });
    expect(drawn).toContain(0);
    expect(drawn.some((x) => Object.is(x, -0))).toBe(false);
  });

  test("integers without bounds stay exact", () => {
    const drawn = sampleOf(draw({ type: "integer" }), { seed: 1, n: 500 });
    expect(drawn.every(Number.isSafeInteger)).toBe(true);
    expect(drawn.some((x) => Number(x) < -1e15)).toBe(true);
    expect(drawn.some((x) => Number(x) > 1e15)).toBe(true);
  });

  test("members come in the order of the schema", () => {
    const schema = object({ b: { const: 1 }, x: { type: "string", format: "bic" }, a: { const: 2 } });
    const [body] = sampleOf(draw(schema, true), { seed: 1, n: 1 });
    expect(Object.keys(body ?? {})).toEqual(["b", "x", "a"]);
  });

  test("usual members are always present, the others are optional", () => {
    const schema = { ...object({ a: { const: 1 }, b: { const: 2 } }), "x-fxconform-usual": ["b"] };
    expect(new Set(sampleOf(draw(schema), { seed: 1, n: 50 }).map((body) => JSON.stringify(body)))).toEqual(
      new Set(['{"b":2}', '{"a":1,"b":2}']),
    );
  });

  test("a complete body has as many members as a place can have values", () => {
    const schema = object(
      Object.fromEntries(["iban", "aba-routing-number", "bic"].map((format) => [format, { type: "string", format }])),
    );
    const sizes = sampleOf(draw(schema, true), { seed: 1, n: 100 }).map((body) => Object.keys(body ?? {}).length);
    expect(new Set(sizes)).toEqual(new Set([2]));
  });

  test("a required IBAN puts the place into a country that has it", () => {
    const schema = object({ iban: { type: "string", format: "iban" }, at: { type: "string", format: "country" } }, [
      "iban",
    ]);
    for (const body of sampleOf(draw(schema, false), { seed: 1, n: 50 })) expect(body).toHaveProperty("iban");
  });
});

describe("a schema without a generator is an error with its pointer", () => {
  const bad: readonly (readonly [schema: Schema, message: string])[] = [
    [{ type: "string", pattern: "^a$" }, "#/schema/pattern: is an unknown keyword here"],
    [{ type: "string", "x/y": 1 }, "#/schema/x~1y: is an unknown keyword here"],
    [{ type: "number", multipleOf: 2 }, "#/schema/multipleOf: is an unknown keyword here"],
    [{ type: "boolean", minimum: 2 }, "#/schema/minimum: is an unknown keyword here"],
    [{}, "#/schema: does not constrain its values"],
    [{ type: "date" }, "#/schema/type: is an unknown keyword here"],
    [{ type: [] }, "#/schema/type: is empty"],
    [{ type: "string", format: "uri" }, '#/schema/format: "uri" is not known'],
    [{ type: "number", format: "float" }, '#/schema/format: "float" is not known for numbers'],
    [{ "x-fxconform-domain": "colour" }, '#/schema/x-fxconform-domain: "colour" is not known'],
    [{ "x-fxconform-domain": "toString" }, '#/schema/x-fxconform-domain: "toString" is not known'],
    [{ enum: "a" }, "#/schema: lists no value of its type"],
    [{ type: ["date"] }, "#/schema/type/0/type: is an unknown keyword here"],
    [{ "x-fxconform-domain": ["city"] }, '#/schema/x-fxconform-domain: ["city"] is not known'],
    [{ enum: [] }, "#/schema: lists no value of its type"],
    [{ type: "string", enum: [1, null] }, "#/schema: lists no value of its type"],
    [{ type: "integer", const: 1.5 }, "#/schema: lists no value of its type"],
    [{ anyOf: [] }, "#/schema/anyOf: is empty"],
    [{ anyOf: [{ type: "null" }, { type: "string", not: {} }] }, "#/schema/anyOf/1/not: is an unknown keyword here"],
    [{ type: "integer", minimum: 2.2, maximum: 2.8 }, "#/schema: has no number within its bounds"],
    [{ type: "number", minimum: 2, exclusiveMaximum: 2 }, "#/schema: has no number within its bounds"],
    [{ type: "number", minimum: 2, exclusiveMinimum: true }, "#/schema/exclusiveMinimum: is not a number"],
    [{ type: "integer", maximum: "2" }, "#/schema/maximum: is not a number"],
    [{ type: "string", minLength: 3, maxLength: 2 }, "#/schema/minLength: 3 is above maxLength 2"],
    [{ type: "string", maxLength: -1 }, "#/schema/maxLength: is not a count"],
    [{ type: "array", items: { type: "null" }, minItems: 0.5 }, "#/schema/minItems: is not a count"],
    [{ type: "array", items: { type: "null" }, minItems: 2, maxItems: 1 }, "#/schema/minItems: 2 is above maxItems 1"],
    [{ type: "array" }, "#/schema/items: is missing"],
    [{ type: "array", items: { type: "x" } }, "#/schema/items/type: is an unknown keyword here"],
    [object({ a: {} }), "#/schema/properties/a: does not constrain its values"],
    [object({}, ["a"]), "#/schema/required/0: a is not among the properties"],
    [
      object({ i: { type: "string", format: "iban" }, r: { type: "string", format: "aba-routing-number" } }, [
        "i",
        "r",
      ]),
      "#/schema: no place has all required members",
    ],
    [{ $ref: "#/nowhere" }, "#/nowhere: has no schema"],
    [{ $ref: "other.yaml#/schema" }, "other.yaml#/schema: has no schema"],
    [{ $ref: 1 }, "#/schema/$ref: is not a string"],
    [{ $ref: "#/schema" }, "#/schema: refers to itself"],
    [object({ self: { $ref: "#/schema" } }), "#/schema: refers to itself"],
  ];

  test.each(bad)("%j", (schema, message) => {
    expect(() => draw(schema)).toThrow(GeneratorError);
    expect(() => draw(schema)).toThrow(message);
  });
});

test("annotations do not constrain values", () => {
  const words = "title description example examples default deprecated readOnly writeOnly externalDocs".split(" ");
  for (const word of [...words, "x-fxconform-question"])
    expect(sampleOf(draw({ type: "null", [word]: "any" }), { seed: 1, n: 1 })).toEqual([null]);
});
