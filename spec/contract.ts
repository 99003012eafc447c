/** A JSON value (RFC 8259). */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; a member that may be missing reads as `undefined`. */
export interface JsonObject {
  readonly [member: string]: Json;
}

/** What the suite reads of a schema object. The rest of it is open. */
export type Schema = JsonObject;

/** A media type with its schema, as a request or a response has it. */
export interface ContractContent {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly examples?: JsonObject }>>;
}

/** One operation of the contract. */
export interface ContractOperation {
  readonly operationId: string;
  readonly requestBody?: ContractContent;
  /** By status code or range: `200`, `2XX`, `4XX`. */
  readonly responses: Readonly<Record<string, ContractContent>>;
}

/** `openapi.yaml` bundled: plain JSON whose only references point into itself (`#/components/schemas/…`). */
export interface ContractDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<"get" | "post", ContractOperation>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Where `openapi.yaml` lies: beside this module, in the source and in the built package alike. */
export const contractPath: URL = new URL("./openapi.yaml", import.meta.url);

/** The same as JSON, which is read sooner: the build writes it. */
export const contractJsonPath: URL = new URL("./openapi.json", import.meta.url);
