import { createContext, Script } from "node:vm";
import { isObject, memberOf, type Json } from "../../spec/json.ts";
import type { ApiDocument } from "./document.ts";
import { InputError } from "../../model/files.ts";
import {
  childOf,
  childrenOf,
  keyOf,
  lineText,
  referenceAt,
  referredTo,
  type Place,
  shortJson,
} from "./place.ts";

/** A kind of value. Of numbers, whole ones and others are two kinds. */
export type Kind = (typeof kinds)[number];

export const kinds = [
  "string",
  "decimal",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
] as const;

/** A place in the values that a schema describes. */
export interface Described {
  readonly schema: Place;
  /** The names of the members that lead to the place, with 0 for the elements of a list. */
  readonly path: readonly string[];
  readonly document: ApiDocument;
}

export function inside<At extends Described>(at: At, name: string): At {
  return { ...at, path: [...at.path, name] };
}

/** The most schemas that are looked at. The documents of real services need far less. */
const mostSchemas = 400_000;

/**
 * Whether a document allows what a test asks of one place: each schema that a value must fit allows
 * it, and of `anyOf` and `oneOf` one. A test, and the answer, are undefined where the others decide.
 * That only one of `oneOf` may allow a value is not compared, because documents do not mean it.
 * Throws InputError if there are too many schemas.
 */
export function allows(
  { schema: whole, path, document }: Described,
  test: (schema: Place) => boolean | undefined,
): boolean | undefined {
  document.cost.schemas += 1;
  if (document.cost.schemas > mostSchemas)
    throw new InputError(
      document.name,
      "holds too many schemas, once references are followed. " +
        "Look for schemas that repeat each other in allOf, anyOf or oneOf",
    );
  const reference = referenceAt(whole);
  const isOld = document.version === "3.0";
  // In 3.0, what stands beside a reference is ignored.
  const schema =
    reference !== undefined && isOld ? { ...whole, value: { $ref: reference } } : whole;
  const inner = (part: Place) => allows({ schema: part, path, document }, test);
  const [name, ...rest] = path;
  const child = name === undefined ? undefined : memberIn(schema, name);
  const all = [
    schema.value === false ? false : undefined,
    name === undefined
      ? test(schema)
      : child && allows({ schema: child, path: rest, document }, test),
    ...(reference === undefined ? [] : [inner(referredTo(schema, reference))]),
    ...partsAt(schema, "allOf").map(inner),
    ...["anyOf", "oneOf"].flatMap((keyword) =>
      childOf(schema, keyword) === undefined ? [] : anyOf(partsAt(schema, keyword).map(inner)),
    ),
  ];
  const own = [false, true].find((one) => all.includes(one));
  const isNullable = isOld && name === undefined && memberOf(schema.value, "nullable") === true;
  return isNullable ? anyOf([own, test({ ...schema, value: { type: "null" } })]) : own;
}

const anyOf = (all: readonly (boolean | undefined)[]): boolean | undefined =>
  [true, undefined, false].find((one) => all.includes(one));

/** All schemas of a place, those that refer or combine included, the outermost first. */
export function schemasAt(at: Described): readonly Place[] {
  const found = new Map<string, Place>();
  allows(at, (schema) => {
    const key = keyOf(schema);
    if (!found.has(key)) found.set(key, schema);
    return undefined;
  });
  return [...found.values()];
}

/** The kinds of values that a document allows at a place. */
export function kindsAt(at: Described): readonly Kind[] {
  return kinds.filter((kind) => allows(at, (schema) => kindsOf(schema).has(kind)));
}

/** The schema of a member, or of the elements of a list for 0, that a schema has itself. */
function memberIn(schema: Place, name: string): Place | undefined {
  if (name === "0") return childOf(schema, "items");
  const members = childOf(schema, "properties");
  return members && childOf(members, name);
}

function partsAt(schema: Place, keyword: string): readonly Place[] {
  return childrenOf(childOf(schema, keyword)).map(([, part]) => part);
}

const isFull = (value: Json): boolean => Array.isArray(value) && value.length > 0;
const isSchema = (value: Json): boolean => isObject(value) || typeof value === "boolean";
const typeNames = new Set<Json>([...kinds, "number"].filter((kind) => kind !== "decimal"));

/** Which values a keyword may have on which the shape of a body depends. */
const sound: Readonly<Record<string, (value: Json) => boolean>> = {
  type: (value) => isFull([value].flat()) && [value].flat().every((one) => typeNames.has(one)),
  properties: isObject,
  required: (value) => Array.isArray(value),
  items: isSchema,
  allOf: isFull,
  anyOf: isFull,
  oneOf: isFull,
};

const uncompared =
  "not if contains dependentSchemas dependentRequired propertyNames unevaluatedItems unevaluatedProperties patternProperties prefixItems $dynamicRef".split(
    " ",
  );

/** What is not compared in a schema. Throws InputError if the schema is not valid. */
export function uncomparedIn(schema: Place, { version }: ApiDocument): readonly string[] {
  const invalid = (at: Place, what: string): InputError =>
    new InputError(lineText(at), `${what}${shortJson(at.value)} is not valid. Correct the schema`);
  if (typeof schema.value === "boolean") return [];
  if (!isObject(schema.value)) throw invalid(schema, "the schema ");
  return childrenOf(schema).flatMap(([keyword, at]): readonly string[] => {
    if (sound[keyword]?.(at.value) === false) throw invalid(at, `${keyword} `);
    if (keyword === "nullable" && version === "3.1")
      return [`nullable is no keyword of 3.1 and is ignored (${lineText(at)})`];
    const isUnread = keyword === "pattern" && patternOf(at.value) === undefined;
    return isUnread || uncompared.includes(keyword)
      ? [`${keyword} is not compared (${lineText(at)})`]
      : [];
  });
}

/** The kinds of values that a schema allows by its `type`, and by its list of values. */
export function kindsOf({ value }: Place): ReadonlySet<Kind> {
  const only = memberOf(value, "const");
  const listed = only === undefined ? memberOf(value, "enum") : [only];
  const byType = [memberOf(value, "type") ?? kinds].flat().flatMap(kindsNamed);
  const byValue = Array.isArray(listed)
    ? new Set((listed as Json[]).flatMap(kindsLike))
    : undefined;
  return new Set(byType.filter((kind) => byValue?.has(kind) ?? true));
}

/** The kinds of values of a JSON type. */
export function kindsNamed(type: Json): readonly Kind[] {
  return type === "number" ? ["decimal", "integer"] : [type as Kind];
}

/** The kinds of a value. A whole number in a list is there for its value, so that it is both. */
function kindsLike(value: Json): readonly Kind[] {
  if (value === null) return ["null"];
  return kindsNamed(Array.isArray(value) ? "array" : typeof value);
}

/** The members that the schemas of a place name, each with its schema, which may be a reference. */
export function membersAt(at: Described): ReadonlyMap<string, Place> {
  return new Map(schemasAt(at).flatMap((schema) => childrenOf(childOf(schema, "properties"))));
}

/** The keyword of a schema that excludes a value. */
export function limitAgainst(value: string | null, schema: Place): Place | undefined {
  const kind = value === null ? "null" : "string";
  const tests: Readonly<Record<string, (limit: Place) => boolean>> = {
    type: (at) => [at.value].flat().includes(kind),
    enum: (at) => !Array.isArray(at.value) || at.value.includes(value),
    const: (at) => at.value === value,
    pattern: (at) => value === null || matches(at, value),
    minLength: (at) => value === null || value.length >= Number(at.value),
    maxLength: (at) => value === null || value.length <= Number(at.value),
  };
  return Object.entries(tests)
    .flatMap(([keyword, isAllowed]) => {
      const at = childOf(schema, keyword);
      return at === undefined || isAllowed(at) ? [] : [at];
    })
    .at(0);
}

/**
 * How long one pattern may be tested on one value, in milliseconds. A hostile pattern can take
 * years.
 */
const patternTime = 1000;

const script = new Script("pattern.test(value)");

/** One context for all tests, because making one takes longer than most tests. */
const inputs: Record<string, unknown> = {};
const context = createContext(inputs);

/** Whether a pattern matches a value. Throws InputError if that takes too long. */
function matches(at: Place, value: string): boolean {
  const pattern = patternOf(at.value);
  if (pattern === undefined) return true;
  Object.assign(inputs, { pattern, value });
  try {
    return script.runInContext(context, { timeout: patternTime }) === true;
  } catch {
    throw new InputError(lineText(at), "the pattern takes too long. Write a simpler one");
  }
}

/** A pattern with the flag `u`, unless it only compiles without. Undefined if it never does. */
function patternOf(source: Json): RegExp | undefined {
  if (typeof source !== "string") return undefined;
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags);
    } catch {
      // The next flags may do.
    }
  }
  return undefined;
}

/** The place of the first of these keywords that one of the schemas has. */
export function keywordAt(
  schemas: readonly Place[],
  ...keywords: readonly string[]
): Place | undefined {
  return keywords
    .flatMap((keyword) => schemas.flatMap((schema) => childOf(schema, keyword) ?? []))
    .at(0);
}
