import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { ContractDocument, Schema } from "../../spec/contract.ts";
import { operationNames, operations, type OperationName } from "../../spec/operations.ts";
import { valueAt, type Json } from "../../model/exchange.ts";

/** A place where the body of a request differs from the contract, in presence or type. */
export interface BodyFault {
  readonly kind: "omit" | "null" | "type";
  /** JSON pointer into the body. */
  readonly pointer: string;
}

/** The body of a request, read by the contract. */
export interface ReadBody {
  /** None for an operation that takes no body. */
  readonly faults: readonly BodyFault[];
  /** Without the members that the contract does not name: nobody stated that they come back. */
  readonly known: Json;
}

export type RequestSchemas = (operation: OperationName, body: Json) => ReadBody;

/** A body with more faults than this is not judged member by member. */
const mostFaults = 50;

/**
 * Compiles the contract's request schemas, without formats: these say what a client means, and are not stated rules.
 */
export const compileRequestSchemas = (document: ContractDocument): RequestSchemas => {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    ownProperties: true,
    validateFormats: false,
    removeAdditional: "all",
  });
  ajv.addSchema(document, "api");
  const validators = new Map<OperationName, ValidateFunction>();
  for (const name of operationNames) {
    const reference = requestSchemaOf(document, name)?.["$ref"];
    if (typeof reference === "string") validators.set(name, ajv.compile({ $ref: `api${reference}` }));
  }
  return (operation, body) => {
    const validate = validators.get(operation);
    const known = structuredClone(body);
    if (validate === undefined || validate(known)) return { faults: [], known };
    return { faults: (validate.errors ?? []).slice(0, mostFaults).flatMap((error) => faultOf(error, body)), known };
  };
};

/** The schema of the body of an operation; undefined if it takes none. */
export const requestSchemaOf = (document: ContractDocument, name: OperationName): Schema | undefined => {
  const { method, path } = operations[name];
  const content = document.paths[path]?.[method === "GET" ? "get" : "post"]?.requestBody?.content;
  return content?.["application/json"]?.schema;
};

const faultOf = ({ keyword, instancePath, params }: ErrorObject, body: Json): readonly BodyFault[] => {
  if (keyword === "required")
    return [{ kind: "omit", pointer: `${instancePath}/${String(params["missingProperty"])}` }];
  if (keyword !== "type") return [];
  return [{ kind: valueAt(body, instancePath) === null ? "null" : "type", pointer: instancePath }];
};
