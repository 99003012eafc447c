import type { JsonObject } from "./json.ts";
import { operations, type OperationName } from "./operations.ts";

export type Schema = JsonObject;

/** The content of a request body or of a response: schema and examples, by media type. */
export interface ContractContent {
  readonly content?: Readonly<
    Record<string, { readonly schema?: Schema; readonly examples?: JsonObject }>
  >;
}

export interface ContractOperation {
  readonly operationId: string;
  readonly requestBody?: ContractContent;
  /** The responses by status code or range: `200`, `2XX`, `4XX`. */
  readonly responses: Readonly<Record<string, ContractContent>>;
}

/**
 * `openapi.yaml`, bundled: plain JSON whose references all point into the document
 * (`#/components/schemas/…`).
 */
export interface ContractDocument {
  /** The operations by path, then by method in lower case. */
  readonly paths: Readonly<
    Record<string, Readonly<Partial<Record<"get" | "post", ContractOperation>>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * The location of `openapi.yaml`: beside this module, both in the source tree and in the built
 * package.
 */
export const contractPath: URL = new URL("./openapi.yaml", import.meta.url);

/**
 * The location of the contract as JSON, bundled when it was built, because that takes longer than a
 * start should. Only the built package has this file.
 */
export const contractJsonPath: URL = new URL("./openapi.json", import.meta.url);

/** The schema for the body of an operation. Undefined if the operation takes no body. */
export function requestSchemaOf(
  document: ContractDocument,
  name: OperationName,
): Schema | undefined {
  const { method, path } = operations[name];
  const content = document.paths[path]?.[method === "GET" ? "get" : "post"]?.requestBody?.content;
  return content?.["application/json"]?.schema;
}
