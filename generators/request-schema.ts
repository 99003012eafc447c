import type { ContractDocument } from "../spec/contract.ts";
import { operations, type OperationName } from "../spec/operations.ts";
import { GeneratorError } from "./error.ts";
import { escaped } from "./pointer.ts";

/** The pointer to the schema of an operation's JSON body. Throws GeneratorError if the operation takes none. */
export function requestSchemaOf(document: ContractDocument, operation: OperationName): string {
  const { method, path } = operations[operation];
  const verb = method === "GET" ? "get" : "post";
  const pointer = `#/paths/${escaped(path)}/${verb}`;
  const body = document.paths[path]?.[verb]?.requestBody;
  if (!body?.content?.["application/json"]?.schema)
    throw new GeneratorError(pointer, `${operation} takes no JSON body`);
  return `${pointer}/requestBody/content/${escaped("application/json")}/schema`;
}
