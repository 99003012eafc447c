import addFormats from "ajv-formats";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { ContractDocument, Schema } from "../../spec/contract.ts";
import { memberOf, isObject } from "../../model/exchange.ts";

/** The schemas that responses are validated against, by their names in the contract. */
const names = ["Token", "Counterparty", "Operation", "Batch", "BatchList", "Error"] as const;
export type ResponseSchemaName = (typeof names)[number];

/** A place where a response differs from its schema. */
export interface SchemaFault {
  readonly pointer: string;
  readonly keyword: string;
  /** `a string`, `the member "swift_code"`. */
  readonly expected: string;
}

/** What a schema says of a place in a response. */
export interface SchemaPlace {
  /** `a string`, `a BankAccount`, `a Bank or null`. */
  readonly text: string;
  /** The member must be present; an element of a list cannot be left out either. */
  readonly isRequired: boolean;
}

type Validators = Readonly<Record<ResponseSchemaName, (value: unknown) => readonly SchemaFault[]>>;

/** Compiled once for a run. */
export type ResponseSchemas = Validators & {
  /** Undefined for a place that the schema does not name. Indexes may be stars. */
  readonly placeIn: (name: ResponseSchemaName, pointer: string) => SchemaPlace | undefined;
};

/** How many errors are kept: a list of a hundred thousand wrong elements is one fault, not a hundred thousand. */
const mostFaults = 300;

/** Words of OpenAPI that are not keywords of JSON Schema. */
const openApiWords = [
  "openapi",
  "info",
  "servers",
  "paths",
  "components",
  "security",
  "tags",
  "example",
  "externalDocs",
  "xml",
  "discriminator",
];

/** Compiles the contract's response schemas with Ajv in strict mode. Throws where the contract is not a valid schema. */
export const compileResponseSchemas = (document: ContractDocument): ResponseSchemas => {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    ownProperties: true,
    verbose: false,
    validateSchema: false,
    validateFormats: true,
    formats: requestFormats(document),
  });
  ajv.addVocabulary([...openApiWords, ...extensionWords(document)]);
  addFormats.default(ajv, ["int32", "int64", "float", "double"]);
  ajv.addFormat("date-time", isDateTime);
  ajv.addSchema(document, "api");
  const validator = (name: ResponseSchemaName): ((value: unknown) => readonly SchemaFault[]) => {
    let validate: ValidateFunction | undefined;
    return (value) => {
      validate ??= ajv.compile({ $ref: `api#/components/schemas/${name}` });
      const found = new Map<string, SchemaFault>();
      for (const part of partsOf(value)) {
        if (validate(part.value)) continue;
        for (const { pointer, ...fault } of faultsOf(validate.errors ?? [])) {
          const whole = part.pointerInWhole(pointer);
          found.set(`${whole} ${fault.expected}`, { ...fault, pointer: whole });
        }
        if (found.size >= mostFaults) break;
      }
      return [...found.values()].slice(0, mostFaults);
    };
  };
  const validators = Object.fromEntries(names.map((name) => [name, validator(name)])) as Validators;
  return { ...validators, placeIn: (name, pointer) => placeIn(document.components.schemas, name, pointer) };
};

type Schemas = ContractDocument["components"]["schemas"];

const placeIn = (schemas: Schemas, name: ResponseSchemaName, pointer: string): SchemaPlace | undefined => {
  let schema = schemas[name];
  let isRequired = true;
  for (const part of pointer.split("/").slice(1)) {
    const whole = alternativesOf(schema).map((each) => schemas[refOf(each) ?? ""] ?? each)[0];
    isRequired = whole?.["type"] === "array" || [whole?.["required"]].flat().includes(part);
    schema = (whole?.["items"] ?? memberOf(whole?.["properties"], part)) as Schema | undefined;
  }
  return schema && { text: alternativesOf(schema).map(placeText).join(" or "), isRequired };
};

/** The schemas of which one applies; the first is the one that is not null. */
const alternativesOf = (schema: Schema | undefined): readonly Schema[] =>
  schema === undefined ? [] : ((schema["anyOf"] as readonly Schema[] | undefined) ?? [schema]);

const placeText = (schema: Schema): string =>
  schema["format"] === "date-time"
    ? formatText("date-time")
    : [refOf(schema) ?? (schema["type"] as string | readonly string[])].flat().map(article).join(" or ");

/** The name of the schema that this one refers to. */
const refOf = ({ $ref }: Schema): string | undefined =>
  typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : undefined;

/** Formats of requests do not constrain responses; they are known here only because strict mode demands it. */
const requestFormats = (document: ContractDocument): Record<string, true> => {
  const found: Record<string, true> = {};
  visit(document, (key, value) => {
    if (key === "format" && typeof value === "string") found[value] = true;
  });
  return found;
};

const extensionWords = (document: ContractDocument): readonly string[] => {
  const found = new Set<string>();
  visit(document, (key) => {
    if (key.startsWith("x-")) found.add(key);
  });
  return [...found];
};

const visit = (value: unknown, see: (key: string, value: unknown) => void): void => {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    see(key, inner);
    visit(inner, see);
  }
};

/** Errors of `anyOf` and the like repeat the errors of their branches. */
const combining = new Set(["anyOf", "oneOf", "allOf", "if", "$ref"]);

const faultsOf = (errors: readonly ErrorObject[]): readonly SchemaFault[] => {
  const plain = errors.filter(({ keyword }) => !combining.has(keyword));
  // If a nullable object is an object, the error that it is not null says nothing.
  const nullable = new Set(plain.filter((error) => error.params["type"] === "null").map((error) => error.instancePath));
  return plain
    .filter((error) => error.params["type"] !== "null")
    .map((error) => faultOf(error, nullable.has(error.instancePath)));
};

const faultOf = ({ keyword, instancePath, params }: ErrorObject, nullable: boolean): SchemaFault => {
  const or = nullable ? " or null" : "";
  switch (keyword) {
    case "type":
      return {
        pointer: instancePath,
        keyword,
        expected: [params["type"]].flat().map(String).map(article).join(" or ") + or,
      };
    case "required":
      return {
        pointer: `${instancePath}/${String(params["missingProperty"]).replaceAll("~", "~0").replaceAll("/", "~1")}`,
        keyword,
        expected: "present",
      };
    case "format":
      return { pointer: instancePath, keyword, expected: formatText(String(params["format"])) };
    default:
      return { pointer: instancePath, keyword, expected: `${keyword} ${JSON.stringify(params)}` };
  }
};

const formatText = (format: string): string =>
  format === "date-time" ? "an RFC 3339 date-time with a zone" : `a number that is a ${format}`;

const article = (type: string): string =>
  type === "null" ? "null" : `${/^[aeioAEIO]/.test(type) ? "an" : "a"} ${type}`;

/** A response with only a slice of its lists, short enough to validate at once. */
export interface Part {
  readonly value: unknown;
  /** Converts a JSON pointer into the part to one into the whole response. */
  readonly pointerInWhole: (pointer: string) => string;
}

/**
 * At each element with errors, Ajv copies all errors so far: a server could choose a list that takes quadratic time.
 */
const atOnce = 100;

/** The parts of a response with batches or operations in it. Any other response is its own only part. */
export function* partsOf(value: unknown): Generator<Part> {
  const batches = listIn(value, "batches");
  if (batches === undefined) return yield* partsOfBatch(value);
  let from = 0;
  let weight = 0;
  for (const [index, batch] of batches.entries()) {
    const own = listIn(batch, "operations")?.length ?? 0;
    if (own > atOnce) {
      if (index > from) yield sliceOf(value, "batches", from, index);
      for (const part of partsOfBatch(batch)) yield within(value, index, part);
      from = index + 1;
      weight = 0;
    } else if ((weight += 1 + own) > atOnce) {
      yield sliceOf(value, "batches", from, index + 1);
      from = index + 1;
      weight = 0;
    }
  }
  if (from < batches.length || batches.length === 0) yield sliceOf(value, "batches", from, batches.length);
}

function* partsOfBatch(batch: unknown): Generator<Part> {
  const count = listIn(batch, "operations")?.length ?? 0;
  if (count <= atOnce) return yield { value: batch, pointerInWhole: (pointer) => pointer };
  for (let from = 0; from < count; from += atOnce) yield sliceOf(batch, "operations", from, from + atOnce);
}

const listIn = (value: unknown, member: string): readonly unknown[] | undefined => {
  const list = isObject(value) ? value[member] : undefined;
  return Array.isArray(list) ? list : undefined;
};

const sliceOf = (value: unknown, member: string, from: number, to: number): Part => ({
  value: { ...(value as object), [member]: listIn(value, member)?.slice(from, to) },
  pointerInWhole: (pointer) =>
    pointer.replace(new RegExp(`^/${member}/(\\d+)`), (_, index: string) => `/${member}/${Number(index) + from}`),
});

/** A part of one batch of a list. */
const within = (list: unknown, index: number, part: Part): Part => ({
  value: { ...(list as object), batches: [part.value] },
  pointerInWhole: (pointer) =>
    pointer.replace(/^\/batches\/0(.*)$/s, (_, rest: string) => `/batches/${index}${part.pointerInWhole(rest)}`),
});

const shape = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** A date-time of RFC 3339, 5.6, with its zone; any number of fraction digits. */
export const isDateTime = (text: string): boolean => {
  const parts = shape.exec(text);
  if (parts === null) return false;
  const [, year, month, day, hour, minute, second, , zoneHour = 0, zoneMinute = 0] = parts;
  return (
    Number(day) >= 1 &&
    Number(day) <= daysIn(Number(year), Number(month)) &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second) <= 60 &&
    Number(zoneHour) <= 23 &&
    Number(zoneMinute) <= 59
  );
};

/** A date-time whose zone is UTC: `Z`, `+00:00` or `-00:00`. */
export const isUtc = (text: string): boolean => isDateTime(text) && /(?:[Zz]|[+-]00:00)$/.test(text);

/** 0 for an invalid month. Creates no `Date`, because a list has a date-time for each batch. */
const daysIn = (year: number, month: number): number => {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (days[month - 1] ?? 0);
};

const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
