import addFormats from "ajv-formats";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { isDateTime } from "../../harness/judging/response-schemas.ts";
import { escaped, isObject, partsOf, type Json } from "../../spec/json.ts";
import type { ApiDocument } from "./document.ts";
import { boundedPattern } from "./patterns.ts";
import { childOf, decodedText, keyOf, type Place } from "./place.ts";
import {
  copyOfSchema,
  type SchemaChoice,
  type SchemaReading,
  type Uncompared,
} from "./schema-copy.ts";

/**
 * A place where a body does not fit a schema. It may be the place of a member that is missing or
 * not allowed.
 */
export interface Fault {
  /** The place in the body, as a JSON pointer. */
  readonly at: string;
  readonly keyword: string;
  /** The keyword of the document that the body contradicts. */
  readonly place: Place;
  /** The values that the keyword lists, if it is an enumeration, and otherwise none. */
  readonly listed: readonly Json[];
}

export interface CompiledSchema {
  readonly faultsOf: (body: Json) => readonly Fault[];
  readonly uncompared: readonly Uncompared[];
  readonly choices: readonly SchemaChoice[];
}

/**
 * Returns a function that compiles the schemas of a document, each once for each way to read it.
 * The function throws InputError if a schema is too large, or if the time is used up.
 */
export function createCompiler(document: ApiDocument) {
  const known = new Map<string, CompiledSchema>();
  return (schema: Place, reading: SchemaReading): CompiledSchema => {
    const { names, required, chosen, ...flags } = reading;
    const key = JSON.stringify([
      keyOf(schema),
      [...names],
      [...required],
      [...(chosen ?? [])],
      flags,
    ]);
    const made = known.get(key) ?? compiled(schema, reading, document);
    known.set(key, made);
    document.budget.takeTime();
    return made;
  };
}

export type Compiler = ReturnType<typeof createCompiler>;

function compiled(schema: Place, reading: SchemaReading, document: ApiDocument): CompiledSchema {
  const { schema: copy, uncompared, choices, origins } = copyOfSchema(schema, reading, document);
  const originOf = (path: string): Place => originAt(copy, path, origins) ?? schema;
  try {
    const validate = validatorOf(copy);
    const faultsOf = (body: Json): readonly Fault[] => {
      document.budget.takeTime();
      return validate(body) === true
        ? []
        : (validate.errors ?? []).map((error) => faultOf(error, originOf));
    };
    return { faultsOf, uncompared, choices };
  } catch {
    const text = "the schema cannot be compiled";
    return {
      faultsOf: () => [],
      uncompared: [{ schema, at: schema, text, hides: "all" }],
      choices,
    };
  }
}

/** The validators by schema, so that equal schemas, such as those of errors, are compiled once. */
const validators = new Map<string, ValidateFunction>();

function validatorOf(copy: Json): ValidateFunction {
  const key = JSON.stringify(copy);
  const made =
    validators.get(key) ?? sharedAjv().compile(isObject(copy) ? copy : { allOf: [copy] });
  validators.set(key, made);
  return made;
}

/**
 * The place in the document from which the object around a keyword was copied. `path`:
 * `#/properties/status/type`.
 */
function originAt(copy: Json, path: string, origins: WeakMap<object, Place>): Place | undefined {
  let value: Json | undefined = copy;
  let origin = isObject(copy) ? origins.get(copy) : undefined;
  for (const part of partsOf(path).map(decodedText)) {
    if (typeof value !== "object" || value === null) return origin;
    value = (value as Readonly<Record<string, Json>>)[part];
    if (isObject(value)) origin = origins.get(value) ?? origin;
  }
  return origin;
}

let shared: Ajv2020 | undefined;

/** Returns the one Ajv for all schemas, which is made when the first schema needs it. */
function sharedAjv(): Ajv2020 {
  shared ??= createAjv();
  return shared;
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    ownProperties: true,
    validateSchema: false,
    logger: false,
    code: { regExp: Object.assign(boundedPattern, { code: "" }) },
  });
  addFormats.default(ajv, ["date", "time", "int32", "int64", "double"]);
  ajv.addFormat("date-time", isDateTime);
  ajv.addFormat("float", { type: "number", validate: (value) => Math.fround(value) === value });
  return ajv;
}

function faultOf(error: ErrorObject, originOf: (path: string) => Place): Fault {
  const { keyword, instancePath, params, schemaPath } = error;
  const member: unknown =
    params["missingProperty"] ?? params["additionalProperty"] ?? params["unevaluatedProperty"];
  return {
    at: typeof member === "string" ? `${instancePath}/${escaped(member)}` : instancePath,
    keyword,
    // The place is looked up only when it is read, because few faults are shown.
    get place() {
      return keywordPlace(originOf(schemaPath), keyword);
    },
    listed: (params["allowedValues"] ?? []) as readonly Json[],
  };
}

/**
 * The keyword of the document that a value contradicts. The copy of a schema may have `type` where
 * the document has a list of values.
 */
function keywordPlace(schema: Place, keyword: string): Place {
  return childOf(schema, keyword) ?? childOf(schema, "enum") ?? childOf(schema, "const") ?? schema;
}

/**
 * Whether a schema allows what a body has at a place. `faults` are all faults of the body: those
 * below the place, and those of the objects around it, count as well.
 */
export function allowsAt(faults: readonly Fault[], place: string): boolean {
  return faults.every(
    ({ at }) => !`${at}/`.startsWith(`${place}/`) && !`${place}/`.startsWith(`${at}/`),
  );
}
