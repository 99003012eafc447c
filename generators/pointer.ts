import { escaped, isObject, partsOf, valueAt } from "../spec/json.ts";
import type { ContractDocument, Schema } from "../spec/contract.ts";
import type { Json } from "../spec/json.ts";
import { operations, type OperationName } from "../spec/operations.ts";

/**
 * The schema that a pointer into a document points to. The pointer starts with `#`. Throws
 * GeneratorError if there is no schema.
 */
export function schemaAt(document: unknown, pointer: string): Schema {
  const found = valueAt(document as Json, pointer);
  if (!pointer.startsWith("#") || !isObject(found))
    throw new GeneratorError(pointer, "has no schema");
  return found;
}

/**
 * A copy of a body with another value at the pointer, or without the member if the value is
 * undefined. Throws GeneratorError if the pointer leads into what is neither object nor list.
 */
export function withValue(body: Json, pointer: string, value: Json | undefined): Json {
  const replaced = (at: Json | undefined, [name, ...rest]: readonly string[]): Json | undefined => {
    if (name === undefined) return value;
    if (Array.isArray(at))
      return at.map((one: Json, index) =>
        String(index) === name ? (replaced(one, rest) ?? null) : one,
      );
    if (!isObject(at)) throw new GeneratorError(pointer, "is not in the body");
    const inner = replaced(at[name], rest);
    if (inner !== undefined) return { ...at, [name]: inner };
    return Object.fromEntries(Object.entries(at).filter(([member]) => member !== name));
  };
  return replaced(body, partsOf(pointer)) ?? null;
}

/**
 * Thrown if no valid value can be generated: a schema has no source of values, or no place
 * satisfies it.
 */
export class GeneratorError extends Error {
  /** A JSON pointer (RFC 6901): to a schema in the contract, or to a place in a body. */
  readonly pointer: string;

  constructor(pointer: string, problem: string) {
    super(`${pointer}: ${problem}`);
    this.name = "GeneratorError";
    this.pointer = pointer;
  }
}

/**
 * The pointer to the schema of an operation's JSON body. Throws GeneratorError if the operation
 * takes no body.
 */
export function requestSchemaOf(document: ContractDocument, operation: OperationName): string {
  const { method, path } = operations[operation];
  const verb = method === "GET" ? "get" : "post";
  const pointer = `#/paths/${escaped(path)}/${verb}`;
  const body = document.paths[path]?.[verb]?.requestBody;
  if (!body?.content?.["application/json"]?.schema)
    throw new GeneratorError(pointer, `${operation} takes no JSON body`);
  return `${pointer}/requestBody/content/${escaped("application/json")}/schema`;
}
