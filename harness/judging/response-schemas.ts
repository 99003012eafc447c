import addFormats from "ajv-formats";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { ContractDocument } from "../../spec/contract.ts";
import { isDateTime } from "./date-time.ts";
import { partsOf } from "./list-slices.ts";

/** The schemas that responses are validated against, by their names in the contract. */
const names = ["Token", "Counterparty", "Operation", "Batch", "BatchList", "Error"] as const;
export type ResponseSchemaName = (typeof names)[number];

/** A place where a response differs from its schema. */
export interface SchemaFault {
  readonly pointer: string;
  readonly keyword: string;
  /** `a string`, `the member "swift_code"`. */
  readonly expected: string;
  /** The schema requires the member, so leaving it out is no remedy. */
  readonly isRequired: boolean;
}

/** Compiled once for a run. */
export type ResponseSchemas = Readonly<Record<ResponseSchemaName, (value: unknown) => readonly SchemaFault[]>>;

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
  const required = requiredMembers(document);
  const validator = (name: ResponseSchemaName): ((value: unknown) => readonly SchemaFault[]) => {
    let validate: ValidateFunction | undefined;
    return (value) => {
      validate ??= ajv.compile({ $ref: `api#/components/schemas/${name}` });
      const found = new Map<string, SchemaFault>();
      for (const part of partsOf(value)) {
        if (validate(part.value)) continue;
        for (const { pointer, ...fault } of faultsOf(validate.errors ?? [], required)) {
          const whole = part.pointerInWhole(pointer);
          found.set(`${whole} ${fault.expected}`, { ...fault, pointer: whole });
        }
        if (found.size >= mostFaults) break;
      }
      return [...found.values()].slice(0, mostFaults);
    };
  };
  return Object.fromEntries(names.map((name) => [name, validator(name)])) as ResponseSchemas;
};

/** Members that some response schema requires: none is required in one and optional in another. */
const requiredMembers = (document: ContractDocument): ReadonlySet<string> => {
  const found = new Set<string>();
  const seen = new Set<string>();
  const see = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    visit(document.components.schemas[name], (key, value) => {
      if (key === "required" && Array.isArray(value)) for (const member of value) found.add(String(member));
      if (key === "$ref" && typeof value === "string") see(value.split("/").at(-1) ?? "");
    });
  };
  for (const name of names) see(name);
  return found;
};

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

const faultsOf = (errors: readonly ErrorObject[], required: ReadonlySet<string>): readonly SchemaFault[] => {
  const plain = errors.filter(({ keyword }) => !combining.has(keyword));
  // If a nullable object is an object, the error that it is not null says nothing.
  const nullable = new Set(plain.filter((error) => error.params["type"] === "null").map((error) => error.instancePath));
  return plain
    .filter((error) => error.params["type"] !== "null")
    .map((error) => {
      const fault = faultOf(error, nullable.has(error.instancePath));
      return {
        ...fault,
        isRequired: fault.keyword === "required" || required.has(fault.pointer.split("/").at(-1) ?? ""),
      };
    });
};

const faultOf = (
  { keyword, instancePath, params }: ErrorObject,
  nullable: boolean,
): Omit<SchemaFault, "isRequired"> => {
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

const article = (type: string): string => (type === "null" ? "null" : `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`);
