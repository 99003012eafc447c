import { isObject, memberOf, type Json } from "../../spec/json.ts";
import type { ApiDocument } from "./document.ts";
import { InputError } from "../../model/files.ts";
import { childOf, keyOf, lineText, referenceAt, referredTo } from "./place.ts";
import type { Place } from "./place.ts";
import { shortJson } from "./reading.ts";

/** A kind of value. Of numbers, whole ones and others are two kinds. */
export type Kind = "string" | "decimal" | "integer" | "boolean" | "object" | "array" | "null";

export const kinds = [
  "string",
  "decimal",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
] as const;

/** A value must fit all of these schemas, each without what it refers to or combines. */
export type Alternative = readonly Place[];

/** What a document says of one place in a body. */
export interface Described {
  /** A value must fit one of them. Empty if the document excludes every value. */
  readonly alternatives: readonly Alternative[];
  /** All schemas of the place, those that refer or combine included, the outermost first. */
  readonly schemas: readonly Place[];
  /** What is not compared, each with its place. */
  readonly problems: readonly string[];
}

interface Unfolding {
  readonly document: ApiDocument;
  readonly schemas: Map<string, Place>;
  readonly problems: string[];
}

const known = new WeakMap<ApiDocument, Map<string, Described>>();

/**
 * Unfolds the schemas that a value at one place must fit, all together, into alternatives: follows
 * references, joins `allOf`, and makes alternatives of `anyOf`, `oneOf` and `nullable`. Looks no
 * further than this one place, so that schemas which contain themselves do no harm. Throws
 * InputError if there are too many, or if one is no schema.
 */
export function describedBy(roots: readonly Place[], document: ApiDocument): Described {
  const ofDocument = known.get(document) ?? new Map<string, Described>();
  known.set(document, ofDocument);
  const key = roots.map(keyOf).join(" ");
  const made = ofDocument.get(key) ?? unfolded(roots, document);
  ofDocument.set(key, made);
  return made;
}

function unfolded(roots: readonly Place[], document: ApiDocument): Described {
  const unfolding = { document, schemas: new Map<string, Place>(), problems: [] };
  const alternatives = roots
    .map((root) => unfold(root, unfolding, []))
    .reduce((all, one) => product(all, one, unfolding), [[]]);
  const { schemas, problems } = unfolding;
  return { alternatives, schemas: [...schemas.values()], problems };
}

function unfold(
  schema: Place,
  unfolding: Unfolding,
  trail: readonly string[],
): readonly Alternative[] {
  const { document, schemas, problems } = unfolding;
  const key = keyOf(schema);
  document.budget.takeSchemas(1);
  if (typeof schema.value === "boolean") {
    schemas.set(key, schema);
    return schema.value ? [[]] : [];
  }
  if (trail.includes(key)) {
    problems.push(`the schema contains itself (${lineText(schema)})`);
    return [[]];
  }
  schemas.set(key, schema);
  const inner = [...trail, key];
  const reference = referenceAt(schema);
  const target =
    reference === undefined ? [[]] : unfold(referredTo(schema, reference), unfolding, inner);
  // In 3.0, what stands beside a reference is ignored.
  if (reference !== undefined && document.version === "3.0") return target;
  problems.push(...uncomparedIn(schema, document));
  const parts = (keyword: string): readonly (readonly Alternative[])[] =>
    partsAt(schema, keyword).map((part) => unfold(part, unfolding, inner));
  const all: (readonly Alternative[])[] = [target, [[schema]], ...parts("allOf")];
  // That only one of `oneOf` may allow a value is not compared: documents do not mean it.
  for (const keyword of ["anyOf", "oneOf"])
    if (childOf(schema, keyword) !== undefined) all.push(parts(keyword).flat());
  const own = all.reduce((before, one) => product(before, one, unfolding));
  if (document.version !== "3.0" || memberOf(schema.value, "nullable") !== true) return own;
  return [...own, [{ ...(childOf(schema, "nullable") ?? schema), value: { type: "null" } }]];
}

function product(
  some: readonly Alternative[],
  others: readonly Alternative[],
  unfolding: Unfolding,
): readonly Alternative[] {
  if (some.length === 1 && some[0]?.length === 0) return others;
  unfolding.document.budget.takeSchemas(some.length * others.length);
  return some.flatMap((one) => others.map((other) => [...one, ...other]));
}

function partsAt(schema: Place, keyword: string): readonly Place[] {
  const list = childOf(schema, keyword);
  if (!Array.isArray(list?.value)) return [];
  return list.value.flatMap((_, index) => childOf(list, String(index)) ?? []);
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
function uncomparedIn(schema: Place, { version }: ApiDocument): readonly string[] {
  const invalid = (at: Place, what: string): InputError =>
    new InputError(lineText(at), `${what}${shortJson(at.value)} is not valid. Correct the schema`);
  if (!isObject(schema.value)) throw invalid(schema, "the schema ");
  return Object.keys(schema.value).flatMap((keyword): readonly string[] => {
    const at = childOf(schema, keyword);
    if (at === undefined) return [];
    if (sound[keyword]?.(at.value) === false) throw invalid(at, `${keyword} `);
    if (keyword === "nullable" && version === "3.1")
      return [`nullable is no keyword of 3.1 and is ignored (${lineText(at)})`];
    return uncompared.includes(keyword) ? [`${keyword} is not compared (${lineText(at)})`] : [];
  });
}

/** The kinds of values that a schema allows by its `type`, or by its list of values. */
export function kindsOf({ value }: Place): ReadonlySet<Kind> {
  const { type, enum: list, const: only } = value as Readonly<Record<string, Json | undefined>>;
  let listed: readonly Json[] | undefined;
  if (only !== undefined) listed = [only];
  else if (Array.isArray(list)) listed = list;
  const byType = type === undefined ? kinds : [type].flat().flatMap((one) => kindsNamed(one));
  const byValue = new Set<Kind>(listed === undefined ? kinds : listed.flatMap(kindsLike));
  return new Set(byType.filter((kind) => byValue.has(kind)));
}

function kindsNamed(type: Json): readonly Kind[] {
  return type === "number" ? ["decimal", "integer"] : [type as Kind];
}

/** The kinds of a value. A whole number in a list is there for its value, so that it is both. */
function kindsLike(value: Json): readonly Kind[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  return kindsNamed(typeof value);
}

/** The kinds that all schemas of an alternative allow. */
export function kindsIn(alternative: Alternative): readonly Kind[] {
  const each = alternative.map(kindsOf);
  return kinds.filter((kind) => each.every((one) => one.has(kind)));
}

/** The schemas of a member in an alternative, or of the elements of a list for an index. */
export function childrenIn(alternative: Alternative, name: string): readonly Place[] {
  return alternative.flatMap((schema) => {
    const members = childOf(schema, "properties");
    return (members && childOf(members, name)) ?? [];
  });
}

export function elementsIn(alternative: Alternative): readonly Place[] {
  return alternative.flatMap((schema) => childOf(schema, "items") ?? []);
}

/** What a document says of a place in several alternatives of what is around it. */
export function union(all: readonly Described[], { budget }: ApiDocument): Described {
  const each = [...new Set(all)];
  budget.takeSchemas(each.reduce((sum, one) => sum + one.alternatives.length, 0));
  const schemas = each.flatMap((one) =>
    one.schemas.map((schema) => [keyOf(schema), schema] as const),
  );
  return {
    alternatives: each.flatMap(({ alternatives }) => alternatives),
    schemas: [...new Map(schemas).values()],
    problems: each.flatMap(({ problems }) => problems),
  };
}

/** The members that schemas name, each with its schema, which may be a reference. */
export function membersOf(schemas: readonly Place[]): ReadonlyMap<string, Place> {
  return new Map(
    schemas.flatMap((schema) => {
      const members = childOf(schema, "properties");
      return Object.keys(members?.value ?? {}).flatMap((name) => {
        const at = members && childOf(members, name);
        return at === undefined ? [] : [[name, at] as const];
      });
    }),
  );
}

/** The keyword of an alternative that excludes a member, if there is one. */
export function excluding(alternative: Alternative, name: string): Place | undefined {
  return alternative
    .filter((schema) => childrenIn([schema], name).length === 0)
    .map((schema) => childOf(schema, "additionalProperties"))
    .find((at) => at?.value === false);
}

/**
 * The place in `required` where an alternative requires a member, if it does. Not for members that
 * only the other side sends: those that are `readOnly` in a request, or `writeOnly` in a response.
 */
export function requiringAt(
  alternative: Alternative,
  name: string,
  isRequest: boolean,
  document: ApiDocument,
): Place | undefined {
  document.budget.takeSchemas(0);
  const keyword = isRequest ? "readOnly" : "writeOnly";
  const { schemas } = describedBy(childrenIn(alternative, name), document);
  if (schemas.some(({ value }) => memberOf(value, keyword) === true)) return undefined;
  for (const schema of alternative) {
    const list = childOf(schema, "required");
    const index = Array.isArray(list?.value) ? list.value.indexOf(name) : -1;
    if (list !== undefined && index >= 0) return childOf(list, String(index));
  }
  return undefined;
}

/**
 * Returns the place of the first of these keywords that one of the schemas has, or else the first
 * schema.
 */
export function keywordAt(
  schemas: readonly Place[],
  ...keywords: readonly string[]
): Place | undefined {
  for (const keyword of keywords) {
    for (const schema of schemas) {
      const found = childOf(schema, keyword);
      if (found !== undefined) return found;
    }
  }
  return schemas[0];
}
