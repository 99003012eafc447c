import { isObject, type Json } from "../../model/exchange.ts";
import type { ContractDocument, Schema } from "../../spec/contract.ts";
import type { OperationName } from "../../spec/operations.ts";
import { requestSchemaOf } from "./schemas.ts";

/** The body of a request without the members that the contract does not name: nobody stated that they come back. */
export type KnownMembers = (operation: OperationName, body: Json | undefined) => Json | undefined;

export const createKnownMembers = (document: ContractDocument): KnownMembers => {
  const schemaAt = (reference: unknown): Schema | undefined =>
    typeof reference === "string" ? document.components.schemas[reference.split("/").at(-1) ?? ""] : undefined;
  const known = (value: Json, schema: Schema | undefined): Json => {
    const referred = schemaAt(schema?.["$ref"]) ?? schema;
    const properties = referred?.["properties"] as Readonly<Record<string, Schema>> | undefined;
    if (!isObject(value) || properties === undefined) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inside]) =>
        Object.hasOwn(properties, name) ? [[name, known(inside, properties[name])]] : [],
      ),
    );
  };
  return (operation, body) => {
    const schema = requestSchemaOf(document, operation);
    return body === undefined || schema === undefined ? body : known(body, schema);
  };
};
