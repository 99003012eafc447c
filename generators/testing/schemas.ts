import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { ContractDocument } from "../../spec/contract.ts";
import { escaped } from "../../spec/json.ts";
import { operations, type OperationName } from "../../spec/operations.ts";
import { isOfFormat } from "./formats.ts";

/** Keywords of OpenAPI, and our own, that do not constrain values. */
const vocabulary = [
  "openapi",
  "info",
  "servers",
  "paths",
  "components",
  "security",
  "tags",
  "example",
  "x-fxconform-personal",
  "x-fxconform-question",
];

/**
 * Makes Ajv validators for the schemas of a bundled contract, by pointer such as
 * `#/components/schemas/Bank`. A validator reports all violations. An unknown keyword or format is
 * an error.
 */
export function validatorsOf(document: ContractDocument): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    allowUnionTypes: true,
    ownProperties: true,
  });
  ajv.addVocabulary(vocabulary);
  for (const [name, validate] of Object.entries(isOfFormat))
    ajv.addFormat(name, { type: "string", validate });
  ajv.addFormat("double", { type: "number", validate: Number.isFinite });
  ajv.addSchema(document, "contract");
  return (pointer) => {
    const validate = ajv.getSchema(`contract${pointer}`);
    if (!validate) throw new Error(`${pointer}: has no schema`);
    return validate;
  };
}

/**
 * The pointer to the schema of an operation's JSON body. Throws an error if the operation takes
 * no body.
 */
export function requestSchemaOf(document: ContractDocument, operation: OperationName): string {
  const { method, path } = operations[operation];
  const verb = method === "GET" ? "get" : "post";
  const pointer = `#/paths/${escaped(path)}/${verb}`;
  const body = document.paths[path]?.[verb]?.requestBody;
  if (!body?.content?.["application/json"]?.schema)
    throw new Error(`${operation} takes no JSON body`);
  return `${pointer}/requestBody/content/${escaped("application/json")}/schema`;
}
