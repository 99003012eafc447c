import { typeNameOf } from "../../generators/mutations.ts";
import { isObject, memberOf, type Json, type JsonObject } from "../../spec/json.ts";
import { limits, tooManySchemas } from "./budget.ts";
import type { ApiDocument } from "./document.ts";
import { isPattern } from "./patterns.ts";
import { childOf, followed, keyOf, referenceAt, referredTo, type Place } from "./place.ts";
import { shortJson } from "./reading.ts";
import { combinedAt } from "./schema.ts";

/** How a schema is read: which of its keywords and members count. */
export interface SchemaReading {
  /** Whether lengths, ranges, patterns and lists of values count. Without them, only types do. */
  readonly withLimits: boolean;
  /** The members that count as required if the schema requires them. All others may be left out. */
  readonly required: ReadonlySet<string>;
  /** Whether the specification asks for a double, so that `format: float` is too small. */
  readonly needsDouble: boolean;
  /**
   * Whether the body is a request. Members that only the other side sends, such as `readOnly` ones
   * in requests, are not required.
   */
  readonly isRequest: boolean;
  /** The names of the members that are compared. */
  readonly names: ReadonlySet<string>;
  /**
   * The index of the one alternative to read, by the place of its `anyOf` or `oneOf`. @defaultValue
   * all alternatives
   */
  readonly chosen?: ReadonlyMap<string, number>;
}

/** A keyword that is not compared, or not valid. */
export interface Uncompared {
  readonly schema: Place;
  readonly at: Place;
  readonly text: string;
  /** What cannot be judged because of the keyword. */
  readonly hides: "nothing" | "values" | "all";
}

/**
 * An `anyOf` or `oneOf` with several alternatives that can be objects. `count`: the number of all.
 */
export interface SchemaChoice {
  readonly key: string;
  readonly count: number;
}

const limitKeywords = new Set([
  "minLength",
  "maxLength",
  "multipleOf",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
]);
const uncomparedKeywords = new Set([
  "not",
  "if",
  "contains",
  "dependentSchemas",
  "dependentRequired",
  "propertyNames",
  "unevaluatedItems",
  "patternProperties",
  "prefixItems",
  "$dynamicRef",
]);
const ofValues = new Set(["pattern", "enum", "format"]);
const types = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/** A copy of a schema as JSON Schema 2020-12. It has only the keywords that are compared. */
export interface SchemaCopy {
  readonly schema: Json;
  /** The place in the document from which each object of the copy comes. */
  readonly origins: WeakMap<object, Place>;
  readonly uncompared: readonly Uncompared[];
  readonly choices: readonly SchemaChoice[];
}

/** A copy that is being made. `schemas` counts the schemas in it so far. */
interface Copying {
  readonly reading: SchemaReading;
  readonly document: ApiDocument;
  readonly origins: WeakMap<object, Place>;
  readonly uncompared: Uncompared[];
  readonly choices: SchemaChoice[];
  schemas: number;
}

/** Copies a schema of OpenAPI 3.0 or 3.1. Throws InputError if the schema is too large. */
export function copyOfSchema(
  schema: Place,
  reading: SchemaReading,
  document: ApiDocument,
): SchemaCopy {
  const copying: Copying = {
    reading,
    document,
    origins: new WeakMap(),
    uncompared: [],
    choices: [],
    schemas: 0,
  };
  return { ...copying, schema: copyOf(schema, copying, []) };
}

/**
 * The copy of a schema. `trail`: the keys of the schemas around it, by which a schema that contains
 * itself is found.
 */
function copyOf(schema: Place, copying: Copying, trail: readonly string[]): Json {
  copying.schemas += 1;
  if (copying.schemas > limits.schemas) throw tooManySchemas(copying.document.name);
  if (typeof schema.value === "boolean") return schema.value;
  if (!isObject(schema.value)) {
    leaveOut(copying, schema, "", `${shortJson(schema.value)} is no schema`, "all");
    return true;
  }
  if (trail.includes(keyOf(schema))) {
    leaveOut(copying, schema, "$ref", "the schema contains itself", "nothing");
    return true;
  }
  const inner = [...trail, keyOf(schema)];
  const reference = referenceAt(schema);
  if (reference === undefined) return ownCopy(schema, copying, inner);
  const target = copyOf(referredTo(schema, reference), copying, inner);
  const isAlone = copying.document.version === "3.0" || Object.keys(schema.value).length === 1;
  return isAlone
    ? target
    : made({ allOf: [target, ownCopy(schema, copying, inner)] }, schema, copying);
}

/** Copies what stands in a schema, without its reference. */
function ownCopy(schema: Place, copying: Copying, trail: readonly string[]): Json {
  const { version } = copying.document;
  const own: Record<string, Json> = {};
  const combined: Json[] = [];
  for (const keyword of Object.keys(schema.value as JsonObject)) {
    const child = childOf(schema, keyword);
    if (child === undefined) continue;
    if (!isSound(keyword, child.value, version)) {
      const hides = limitKeywords.has(keyword) || ofValues.has(keyword) ? "values" : "all";
      leaveOut(
        copying,
        schema,
        keyword,
        `${keyword} ${shortJson(child.value)} is not valid`,
        hides,
      );
      if (keyword === "type") return true;
    } else if (keyword === "allOf" || keyword === "anyOf" || keyword === "oneOf") {
      combined.push(combination(schema, keyword, child, copying, trail));
    } else if (keyword === "nullable" && version === "3.1") {
      leaveOut(copying, schema, keyword, "nullable is no keyword of 3.1 and is ignored", "nothing");
    } else if (uncomparedKeywords.has(keyword)) {
      leaveOut(copying, schema, keyword, `${keyword} is not compared`, "nothing");
    } else Object.assign(own, plainCopy(schema, keyword, child, copying, trail));
  }
  const plain = made(own, schema, copying);
  const whole =
    combined.length === 0 ? plain : made({ allOf: [plain, ...combined] }, schema, copying);
  const isNullable = version === "3.0" && memberOf(schema.value, "nullable") === true;
  if (!isNullable) return whole;
  return made({ anyOf: [whole, made({ type: "null" }, schema, copying)] }, schema, copying);
}

function made(copy: JsonObject, origin: Place, { origins }: Copying): JsonObject {
  origins.set(copy, origin);
  return copy;
}

function leaveOut(
  { uncompared }: Copying,
  schema: Place,
  keyword: string,
  text: string,
  hides: Uncompared["hides"],
): void {
  uncompared.push({ schema, at: childOf(schema, keyword) ?? schema, text, hides });
}

function combination(
  schema: Place,
  keyword: string,
  list: Place,
  copying: Copying,
  trail: readonly string[],
): JsonObject {
  const { reading, choices, document } = copying;
  const parts = (list.value as readonly Json[]).map((_, index) => childOf(list, String(index)));
  const known = parts.filter((part) => part !== undefined);
  const one = reading.chosen?.get(keyOf(list));
  if (keyword !== "allOf" && one === undefined) {
    const objects = known.filter((part) => canBeObject(part, document.version));
    if (objects.length > 1) choices.push({ key: keyOf(list), count: known.length });
  }
  const chosen = known.filter((_, index) => one === undefined || index === one);
  // Without limits, several alternatives can allow the same value, which `oneOf` would refuse.
  const name = keyword === "oneOf" && !reading.withLimits ? "anyOf" : keyword;
  return made({ [name]: chosen.map((part) => copyOf(part, copying, trail)) }, schema, copying);
}

function canBeObject(part: Place, version: Version): boolean {
  return combinedAt(part, { version }).some((one) => {
    const type = memberOf(one.value, "type");
    const hasMembers = memberOf(one.value, "properties") !== undefined;
    return [type].flat().includes("object") || (type === undefined && hasMembers);
  });
}

function plainCopy(
  schema: Place,
  keyword: string,
  child: Place,
  copying: Copying,
  trail: readonly string[],
): JsonObject {
  const { value } = child;
  const { reading } = copying;
  if (keyword === "properties")
    return { properties: propertiesOf(followed(child), copying, trail) };
  if (keyword === "items") return { items: copyOf(child, copying, trail) };
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties")
    return value === false ? { [keyword]: false } : {};
  if (keyword === "required")
    return { required: requiredIn(schema, value as readonly Json[], copying) };
  if (keyword === "type") return { type: value };
  if (keyword === "format")
    return value === "float" && !reading.needsDouble ? {} : { format: value };
  if (keyword === "enum" || keyword === "const") return listOf(schema, keyword, value, reading);
  return reading.withLimits && isLimit(keyword, value) ? { [keyword]: value } : {};
}

function propertiesOf(properties: Place, copying: Copying, trail: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.keys(properties.value as JsonObject)
      .filter((member) => copying.reading.names.has(member))
      .flatMap((member) => {
        const child = childOf(properties, member);
        return child === undefined ? [] : [[member, copyOf(child, copying, trail)] as const];
      }),
  );
}

/**
 * Returns the required members that `reading.required` contains, without those that only the other
 * side sends.
 */
function requiredIn(
  schema: Place,
  names: readonly Json[],
  { reading, document }: Copying,
): readonly Json[] {
  return names.filter((member) => {
    if (typeof member !== "string" || !reading.required.has(member)) return false;
    return !isOfOtherSide(schema, member, reading.isRequest, document.version);
  });
}

function listOf(
  schema: Place,
  keyword: string,
  value: Json,
  { withLimits }: SchemaReading,
): JsonObject {
  if (withLimits) return { [keyword]: value };
  const isTyped = memberOf(schema.value, "type") !== undefined;
  const listed = keyword === "const" ? [value] : (value as readonly Json[]);
  return isTyped ? {} : { type: [...new Set(listed.map(typeNameOf))] };
}

/**
 * Whether a keyword with this value is a limit. In 3.0, `exclusiveMinimum` is a boolean, which
 * alone is no limit.
 */
function isLimit(keyword: string, value: Json): boolean {
  return keyword === "pattern" || (limitKeywords.has(keyword) && typeof value === "number");
}

/**
 * Whether only the other side sends a member: it is `readOnly` in a request, or `writeOnly` in a
 * response.
 */
export function isOfOtherSide(
  schema: Place,
  member: string,
  isRequest: boolean,
  version: Version,
): boolean {
  const keyword = isRequest ? "readOnly" : "writeOnly";
  const properties = childOf(schema, "properties");
  const place = properties && childOf(followed(properties), member);
  return (
    place !== undefined &&
    combinedAt(place, { version }).some((one) => memberOf(one.value, keyword) === true)
  );
}

type Version = ApiDocument["version"];

/** Whether the value of a keyword has the form that JSON Schema gives it. */
function isSound(keyword: string, value: Json, version: Version): boolean {
  if (keyword === "type") {
    const listed = [value].flat();
    return listed.length > 0 && listed.every((one) => typeof one === "string" && types.has(one));
  }
  if (keyword === "enum") return Array.isArray(value) && value.length > 0;
  if (keyword === "required") return Array.isArray(value);
  if (keyword === "properties") return isObject(value);
  if (keyword === "items") return isObject(value) || typeof value === "boolean";
  if (keyword === "allOf" || keyword === "anyOf" || keyword === "oneOf")
    return Array.isArray(value) && value.length > 0;
  if (keyword === "pattern")
    return typeof value === "string" && (isPattern(value, "u") || isPattern(value, ""));
  if (keyword === "format") return typeof value === "string";
  if (!limitKeywords.has(keyword)) return true;
  return typeof value === "number" || (version === "3.0" && typeof value === "boolean");
}
