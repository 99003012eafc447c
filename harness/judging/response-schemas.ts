import { setImmediate as nextTurn } from "node:timers/promises";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { ContractDocument, Schema } from "../../spec/contract.ts";
import { bounds } from "../../model/bounds.ts";
import { escaped, memberOf, isObject, type Json } from "../../spec/json.ts";

const responseSchemaNames = ["Token", "Counterparty", "Operation", "Batch", "BatchList"] as const;
export type ResponseSchemaName = (typeof responseSchemaNames)[number];

export interface SchemaFault {
  readonly pointer: string;
  readonly keyword: string;
  /** What the schema expects: `a string`, or `present` if a member is missing. */
  readonly expected: string;
}

export type ResponseSchemas = ReturnType<typeof compileResponseSchemas>;

/**
 * Makes validators of the response schemas of the contract, with Ajv, which compiles each schema
 * when it is first needed. Keywords of OpenAPI and formats of requests do not constrain responses.
 */
export function compileResponseSchemas(document: ContractDocument) {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    strictNumbers: true,
    logger: false,
    ownProperties: true,
    validateSchema: false,
  });
  ajv.addFormat("date-time", isDateTime);
  ajv.addSchema(document, "api");
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (schema: string): ValidateFunction => {
    const known = compiled.get(schema) ?? ajv.getSchema(`api#/components/schemas/${schema}`);
    if (known === undefined) throw new Error(`the contract has no schema ${schema}`);
    compiled.set(schema, known);
    return known;
  };
  const errorsIn = ({ schema, value }: SchemaPart): readonly ErrorObject[] => {
    const validate = validatorOf(schema);
    return validate(value) === true ? [] : (validate.errors ?? []);
  };
  const findFaults = (name: ResponseSchemaName, whole: unknown): readonly SchemaFault[] => {
    const found = new Map<string, SchemaFault>();
    const counts = new Map<string, number>();
    let failing = 0;
    for (const part of partsOf(document.components.schemas, name, whole)) {
      const faults = faultsOf(errorsIn(part));
      for (const fault of faults) {
        const pointer = part.at + fault.pointer;
        const kind = `${pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*")} ${fault.expected}`;
        const count = counts.get(kind) ?? 0;
        if (count >= bounds.violations) continue;
        counts.set(kind, count + 1);
        found.set(`${pointer} ${fault.expected}`, { ...fault, pointer });
      }
      if (faults.length > 0) failing += 1;
      if (failing >= bounds.failingElements) break;
    }
    return [...found.values()];
  };
  /** The faults of each body, kept because many exchanges can return the same body. */
  const known = new WeakMap<object, readonly SchemaFault[]>();
  const faultsIn = (name: ResponseSchemaName, whole: unknown): readonly SchemaFault[] => {
    if (typeof whole !== "object" || whole === null) return findFaults(name, whole);
    const faults = known.get(whole) ?? findFaults(name, whole);
    known.set(whole, faults);
    return faults;
  };
  return {
    /** Compiles all schemas, one in each turn of the event loop. */
    compile: async (): Promise<void> => {
      for (const name of [
        ...responseSchemaNames,
        ...Object.values(lists).map(([, element]) => element),
      ]) {
        await nextTurn();
        validatorOf(name);
      }
    },
    faultsIn,
    placeIn: (name: ResponseSchemaName, pointer: string) =>
      placeIn(document.components.schemas, name, pointer),
  };
}

interface SchemaPart {
  readonly schema: string;
  readonly value: unknown;
  readonly at: string;
}

/**
 * The lists in responses, by the schema with the list: the member with the list, and the schema of
 * an element.
 */
const lists: Readonly<Record<string, readonly [member: string, element: string]>> = {
  BatchList: ["batches", "Batch"],
  Batch: ["operations", "BatchOperation"],
};

type Schemas = ContractDocument["components"]["schemas"];

/**
 * Yields a value without the elements of its list, and then each element. If the value were
 * validated as a whole, Ajv would copy all errors so far for each further element.
 */
function* partsOf(
  schemas: Schemas,
  schema: string,
  value: unknown,
  at = "",
): Generator<SchemaPart> {
  const [member, element] = lists[schema] ?? ["", ""];
  const list = memberOf(value as Json, member);
  if (!isObject(value) || !Array.isArray(list)) return yield { schema, value, at };
  // A response can have a million members. The schema constrains only the members that it names.
  const names = Object.keys(schemas[schema]?.["properties"] ?? {}).filter((name) =>
    Object.hasOwn(value, name),
  );
  yield {
    schema,
    value: Object.fromEntries(names.map((name) => [name, name === member ? [] : value[name]])),
    at,
  };
  for (const [index, one] of list.entries())
    yield* partsOf(schemas, element, one, `${at}/${member}/${index}`);
}

/**
 * What the schema says of a place: its type in words, such as `a BankAccount` or `a Bank or null`,
 * and whether it must be present, as every element of a list must. Undefined if the schema does not
 * name the place. In the pointer, a star can stand for any index.
 */
function placeIn(schemas: Schemas, name: ResponseSchemaName, pointer: string) {
  let schema = schemas[name];
  let isRequired = true;
  for (const part of pointer.split("/").slice(1)) {
    const whole = alternativesOf(schema).map((each) => schemas[refOf(each) ?? ""] ?? each)[0];
    isRequired = whole?.["type"] === "array" || [whole?.["required"]].flat().includes(part);
    schema = (whole?.["items"] ?? memberOf(whole?.["properties"], part)) as Schema | undefined;
  }
  return schema && { text: alternativesOf(schema).map(placeText).join(" or "), isRequired };
}

/** The alternatives of a schema. The first is the one that is not null. */
function alternativesOf(schema: Schema | undefined): readonly Schema[] {
  return schema === undefined
    ? []
    : ((schema["anyOf"] as readonly Schema[] | undefined) ?? [schema]);
}

function placeText(schema: Schema): string {
  return schema["format"] === "date-time"
    ? dateTimeText
    : [refOf(schema) ?? (schema["type"] as string | readonly string[])]
        .flat()
        .map(article)
        .join(" or ");
}

function refOf({ $ref }: Schema): string | undefined {
  return typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : undefined;
}

/** Errors of these keywords repeat the errors of their branches. */
const combining = new Set(["anyOf", "oneOf", "allOf", "if", "$ref"]);

function faultsOf(errors: readonly ErrorObject[]): readonly SchemaFault[] {
  const plain = errors.filter(({ keyword }) => !combining.has(keyword));
  // For schemas that allow null or an object: if the value is an object, the error that it is not
  // null says nothing.
  const nullable = new Set(
    plain.filter((error) => error.params["type"] === "null").map((error) => error.instancePath),
  );
  return plain
    .filter((error) => error.params["type"] !== "null")
    .map((error) => faultOf(error, nullable.has(error.instancePath)));
}

function faultOf(
  { keyword, instancePath: pointer, params }: ErrorObject,
  nullable: boolean,
): SchemaFault {
  const or = nullable ? " or null" : "";
  if (keyword === "type")
    return {
      pointer,
      keyword,
      expected: [params["type"]].flat().map(String).map(article).join(" or ") + or,
    };
  if (keyword === "format") return { pointer, keyword, expected: dateTimeText };
  if (keyword !== "required")
    return { pointer, keyword, expected: `${keyword} ${JSON.stringify(params)}` };
  const missing = escaped(String(params["missingProperty"]));
  return { pointer: `${pointer}/${missing}`, keyword, expected: "present" };
}

const dateTimeText = "an RFC 3339 date-time with a zone";

function article(type: string): string {
  return type === "null" ? "null" : `${/^[aeioAEIO]/.test(type) ? "an" : "a"} ${type}`;
}

/**
 * ajv-formats checks the numbers of a date-time. Its shape is checked here, because ajv-formats
 * also takes a space in place of the T, and zones without a colon.
 */
const { validate: hasValidNumbers } = fullFormats["date-time"] as {
  readonly validate: (text: string) => boolean;
};

const shape = /^[\d-]+[Tt][\d:]+(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * Whether a text is a date-time of RFC 3339, 5.6, with a zone and any number of fraction digits.
 */
export const isDateTime = (text: string): boolean => shape.test(text) && hasValidNumbers(text);

/** Whether a text is a date-time in UTC: its zone is `Z`, `+00:00` or `-00:00`. */
export function isUtc(text: string): boolean {
  return isDateTime(text) && /(?:[Zz]|[+-]00:00)$/.test(text);
}
