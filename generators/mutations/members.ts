import type { Schema } from "../../spec/contract.ts";
import { escaped, schemaAt } from "../pointer.ts";
import type { Member } from "./mutation.ts";

/** The members of the schema at a pointer, at all depths, in its order. An object precedes its members. */
export function membersOf(document: unknown, reference: string, pointer = ""): readonly Member[] {
  const schema = followed(document, schemaAt(document, reference));
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>).flatMap(([name, one]) => {
    const member = {
      pointer: `${pointer}/${escaped(name)}`,
      schema: followed(document, one),
      required: required.includes(name),
    };
    return typeof one.$ref === "string" ? [member, ...membersOf(document, one.$ref, member.pointer)] : [member];
  });
}

const followed = (document: unknown, schema: Schema): Schema =>
  typeof schema.$ref === "string" ? followed(document, schemaAt(document, schema.$ref)) : schema;
