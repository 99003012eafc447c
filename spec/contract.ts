export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; a member that may be missing reads as `undefined`. */
export interface JsonObject {
  readonly [member: string]: Json;
}

/** Whether a value is a JSON object: not an array, not null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A member of a JSON object; `undefined` if it is missing or the value is not an object. */
export const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A member name, escaped for a JSON pointer (RFC 6901). */
export const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The unescaped parts of a JSON pointer, which may start with `#`. */
export const partsOf = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The value at a JSON pointer; `undefined` if there is none. */
export const valueAt = (json: Json | undefined, pointer: string): Json | undefined =>
  partsOf(pointer).reduce<Json | undefined>(
    (value, part) => (Array.isArray(value) ? (value[Number(part)] as Json | undefined) : memberOf(value, part)),
    json,
  );

export type Schema = JsonObject;

/** The content of a request body or of a response: schema and examples, by media type. */
export interface ContractContent {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly examples?: JsonObject }>>;
}

export interface ContractOperation {
  readonly operationId: string;
  readonly requestBody?: ContractContent;
  /** By status code or range: `200`, `2XX`, `4XX`. */
  readonly responses: Readonly<Record<string, ContractContent>>;
}

/** `openapi.yaml`, bundled: plain JSON whose references all point into the document (`#/components/schemas/…`). */
export interface ContractDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<"get" | "post", ContractOperation>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The location of `openapi.yaml`: beside this module, both in the source tree and in the built package. */
export const contractPath: URL = new URL("./openapi.yaml", import.meta.url);

/** The location of the same document as JSON, which parses faster. Only the built package has it. */
export const contractJsonPath: URL = new URL("./openapi.json", import.meta.url);
