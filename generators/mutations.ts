import { escaped, valueAt, type Json } from "../spec/json.ts";
import type { Schema } from "../spec/contract.ts";
import { schemaAt, withValue } from "./pointer.ts";

export interface Mutation {
  /** A permanent id: `omit /currency_amount`, `array /bank_account/iban`. */
  readonly id: string;
  readonly pointer: string;
  readonly kind: "omit" | "null" | "type";
  /** The keyword of the request schema that the change breaks. Undefined if it breaks none. */
  readonly keyword: "required" | "type" | undefined;
  /** The JSON type of the value that is sent. Undefined if the member is left out. */
  readonly sent: TypeName | undefined;
  /**
   * Whether few servers accept the value, such as zero in place of a text. Only some of these
   * values are sent.
   */
  readonly rare: boolean;
  /**
   * Returns a changed copy of a body. Throws GeneratorError if the body lacks the object that
   * contains the member.
   */
  readonly apply: (body: Json) => Json;
}

interface MutatedMember {
  readonly pointer: string;
  /** The schema of the member, with `$ref` resolved. */
  readonly schema: Schema;
  readonly required: boolean;
}

/**
 * The members of the schema at `reference`, at all depths, in the order of the schema. An object
 * comes before its members. `pointer` leads to the value that has the schema.
 */
export function membersOf(
  document: unknown,
  reference: string,
  pointer = "",
): readonly MutatedMember[] {
  const schema = followed(document, schemaAt(document, reference));
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>).flatMap(
    ([name, one]) => {
      const member = {
        pointer: `${pointer}/${escaped(name)}`,
        schema: followed(document, one),
        required: required.includes(name),
      };
      return typeof one.$ref === "string"
        ? [member, ...membersOf(document, one.$ref, member.pointer)]
        : [member];
    },
  );
}

function followed(document: unknown, schema: Schema): Schema {
  return typeof schema.$ref === "string"
    ? followed(document, schemaAt(document, schema.$ref))
    : schema;
}

/**
 * The change that leaves out a member. It breaks a rule only if the specification calls the member
 * required.
 */
export function omissionOf({ pointer, required }: MutatedMember): Mutation {
  return {
    id: `omit ${pointer}`,
    pointer,
    kind: "omit",
    sent: undefined,
    rare: false,
    keyword: required ? "required" : undefined,
    apply: (body) => withValue(body, pointer, undefined),
  };
}

/**
 * Every change to a member that breaks `required` or `type`: the member is left out, or has one of
 * the wrong values, of which the rare ones come last.
 */
export function mutationsOf(member: MutatedMember): readonly Mutation[] {
  const { pointer, schema, required } = member;
  const wrong = wrongValues.filter(({ made }) => typeNameOf(made(1)) !== schema.type);
  return [
    ...(required ? [omissionOf(member)] : []),
    ...wrong.map(({ id, made, rare = false }): Mutation => {
      const kind = id === "null" ? "null" : "type";
      const apply = (body: Json): Json =>
        withValue(body, pointer, made(valueAt(body, pointer) ?? "text"));
      return {
        id: `${id} ${pointer}`,
        pointer,
        kind,
        keyword: "type",
        sent: typeNameOf(made(1)),
        rare,
        apply,
      };
    }),
  ];
}

/** The two halves of a text, like the two codes of a currency pair. */
function halvesOf(value: Json): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

/**
 * The values of a wrong type: the name of each, how it is made from the right value, and whether it
 * is rare. The type of a wrong value is the same for every right value.
 */
const wrongValues: readonly {
  readonly id: string;
  readonly made: (value: Json) => Json;
  readonly rare?: true;
}[] = [
  { id: "null", made: () => null },
  {
    id: "string",
    made: (value) => (typeof value === "object" ? JSON.stringify(value) : String(value)),
  },
  {
    id: "number",
    made: (value) =>
      typeof value === "string" && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : 12345,
  },
  { id: "boolean", made: () => true },
  { id: "object", made: (value) => ({ value }) },
  { id: "array", made: (value) => [value] },
  { id: "empty string", made: () => "", rare: true },
  { id: "zero", made: () => 0, rare: true },
  { id: "false", made: () => false, rare: true },
  { id: "empty object", made: () => ({}), rare: true },
  { id: "empty array", made: () => [], rare: true },
  {
    id: "whole number as a string",
    made: (value) => String(typeof value === "number" ? Math.trunc(value) : 1),
    rare: true,
  },
  {
    id: "decimals after a comma as a string",
    made: (value) => `${Math.trunc(typeof value === "number" ? value : 1)},5`,
    rare: true,
  },
  { id: "the word NaN as a string", made: () => "NaN", rare: true },
  { id: "one", made: () => 1, rare: true },
  { id: "halves", made: halvesOf, rare: true },
  // Document databases read such a value as a condition that every value meets.
  { id: "operator", made: () => ({ $gt: "" }), rare: true },
  { id: "reference", made: (value) => ({ id: value }), rare: true },
];

type TypeName = "null" | "boolean" | "number" | "string" | "array" | "object";

/** The JSON type of a value. An integer has the type `number`. */
export function typeNameOf(value: Json): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as TypeName;
}
