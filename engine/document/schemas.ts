import addFormats from "ajv-formats";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { typeNameOf } from "../../generators/mutations.ts";
import { isDateTime } from "../../harness/judging/response-schemas.ts";
import { InputError } from "../../model/files.ts";
import { escaped, isObject, memberOf, partsOf, type Json, type Schema } from "../../spec/contract.ts";
import { limits as bounds, tooManySchemas } from "./budget.ts";

/** How a schema is read. */
export interface Reading {
  /** Without the limits that a server may have, such as lengths and lists of values: types are left. */
  readonly isRelaxed: boolean;
  /** Which of `required` and the keywords for additional members count. */
  readonly keeps: readonly string[];
  /** The members that are compared. @defaultValue all */
  readonly names?: ReadonlySet<string>;
  /** Takes the pointers of keywords that are not compared, each with a reason. */
  readonly note: (place: string) => unknown;
}

/** A place where a value differs from a schema; a member that is missing or not allowed is such a place too. */
export interface Fault {
  readonly at: string;
  readonly text: string;
  /** The values that an enumeration lists. */
  readonly listed: readonly Json[];
}

export type Validate = (value: Json) => readonly Fault[];

/** Whether a schema says nothing against a place of a value, what is below it, and what it is in. */
export const allowsAt = (faults: readonly Fault[], place: string): boolean =>
  faults.every(({ at }) => !`${at}/`.startsWith(`${place}/`) && !`${place}/`.startsWith(`${at}/`));

/** Compiles a schema without references. */
export const validatorOf = (schema: Schema, reading: Reading): Validate => {
  try {
    const readable = copyOf(schema, "", { ...reading, count: { schemas: 0 } }, []);
    const key = JSON.stringify(readable);
    const validate = compiled.get(key) ?? ajv.compile(readable as Schema);
    compiled.set(key, validate);
    return (value) => (validate(value) ? [] : (validate.errors ?? []).map(faultOf));
  } catch (error) {
    if (error instanceof InputError) throw error;
    reading.note(`the schema (${(error as Error).message.split("\n")[0]})`);
    return () => [];
  }
};

const ajv = new Ajv2020({ allErrors: true, strict: false, ownProperties: true, validateSchema: false, logger: false });
addFormats.default(ajv, ["date", "time", "int32", "int64", "double"]);
ajv.addFormat("date-time", isDateTime);
ajv.addFormat("float", { type: "number", validate: (value) => Math.fround(value) === value });

/** Equal schemas, such as those of errors, are compiled once. */
const compiled = new Map<string, ValidateFunction>();

const faultOf = ({ keyword, instancePath, params, message = "" }: ErrorObject): Fault => {
  const { missingProperty, additionalProperty = missingProperty, unevaluatedProperty = additionalProperty } = params;
  const at = typeof unevaluatedProperty === "string" ? `${instancePath}/${escaped(unevaluatedProperty)}` : instancePath;
  const listed = (params["allowedValues"] ?? []) as readonly Json[];
  return {
    at,
    text: [`${keyword}: ${message}`, ...listed.slice(0, 10).map((one) => JSON.stringify(one))].join(" "),
    listed,
  };
};

const limits = new Set([
  ...["pattern", "minLength", "maxLength", "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties"],
  ...["maxProperties", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);
const uncompared = new Set([
  ...["not", "if", "contains", "dependentSchemas", "dependentRequired", "propertyNames", "unevaluatedItems"],
  ...["patternProperties", "prefixItems", "$dynamicRef"],
]);
const combined = ["allOf", "anyOf", "oneOf"];

interface Counted extends Reading {
  readonly count: { schemas: number };
}

/** A schema of OpenAPI 3.0 or 3.1 as JSON Schema 2020-12, with the keywords that are compared. */
const copyOf = (schema: Json | undefined, at: string, reading: Counted, trail: readonly Schema[]): Json => {
  if (!isObject(schema)) return schema !== false;
  reading.count.schemas += 1;
  if (reading.count.schemas > bounds.schemas) throw tooManySchemas("the document");
  const { isRelaxed, keeps, names, note } = reading;
  if (trail.includes(schema)) {
    note(`${at} refers to itself`);
    return true;
  }
  const below = (name: string, part: Json | undefined): Json =>
    copyOf(part, `${at}/${name}`, reading, [...trail, schema]);
  const own: Record<string, Json> = {};
  const more: Json[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (combined.includes(key) && Array.isArray(value)) {
      const parts = value.map((part: Json, index) => below(`${key}/${index}`, part));
      // Without limits, several alternatives can allow the same value.
      more.push({ [isRelaxed && key === "oneOf" ? "anyOf" : key]: parts });
    } else if (key === "properties" && isObject(value)) {
      own[key] = Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => names?.has(name) ?? true)
          .map(([name, part]) => [name, below(`${key}/${name}`, part)]),
      );
    } else if (key === "items" || (keeps.includes(key) && key !== "required")) own[key] = below(key, value);
    else if (key === "required" && keeps.includes(key))
      own[key] = [value].flat().filter((name) => !isReadOnly(schema, name));
    else if (isRelaxed && (key === "enum" || key === "const"))
      own["type"] ??= [...new Set([value].flat().map(typeNameOf))];
    else if (["type", "format", "enum", "const"].includes(key)) own[key] = value;
    // In 3.0, `exclusiveMinimum` is a boolean.
    else if (limits.has(key) && !isRelaxed && typeof value !== "boolean") own[key] = value;
    else if (uncompared.has(key)) note(`${at}/${key}`);
  }
  const whole = more.length === 0 ? own : { allOf: [own, ...more] };
  return schema["nullable"] === true ? { anyOf: [whole, { type: "null" }] } : whole;
};

/** A member that only responses have need not be in a request. */
const isReadOnly = ({ properties }: Schema, name: Json): boolean =>
  typeof name === "string" && memberOf(memberOf(properties, name), "readOnly") === true;

/** The schemas that describe a place in a value, in all alternatives; none if no schema names it. */
export const schemasAt = (schema: Schema, place: string): readonly Schema[] =>
  partsOf(place).reduce(
    (found, name) => found.flatMap((one) => alternativesOf(memberOf(one["properties"], name) ?? one["items"])),
    alternativesOf(schema),
  );

/** A schema and those that it combines. */
const alternativesOf = (schema: Json | undefined, found = new Set<Schema>()): readonly Schema[] => {
  if (!isObject(schema) || found.has(schema)) return [...found];
  found.add(schema);
  for (const part of combined.flatMap((key) => schema[key] ?? [])) alternativesOf(part, found);
  return [...found];
};
