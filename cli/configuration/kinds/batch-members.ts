import type { Json, JsonObject } from "../../../spec/contract.ts";
import { Misfit, type Kind } from "./kind.ts";

const wanted = `an object such as {"operation_ids":["{operation_id}"]}`;

/** Members of a batch that the specification does not name: JSON in a flag or a variable, an object in the file. */
export const batchMembers: Kind<JsonObject> = {
  ofText,
  ofFile: (value) => (typeof value === "string" ? ofText(value) : checked(value)),
  schema: {
    anyOf: [
      { type: "object", minProperties: 1, propertyNames: { not: { const: "currency_pair" } } },
      { type: "string", pattern: "^\\s*\\{" },
    ],
  },
  toText: (value) => JSON.stringify(value),
  toFile: (value) => value,
};

function ofText(text: string): JsonObject {
  try {
    return checked(JSON.parse(text));
  } catch (error) {
    if (error instanceof Misfit) throw error;
    throw new Misfit(`${wanted}, in JSON`);
  }
}

function checked(value: unknown): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Misfit(wanted);
  const members = value as JsonObject;
  if (Object.keys(members).length === 0) throw new Misfit(wanted, "Name at least one member.");
  if (Object.hasOwn(members, "currency_pair")) {
    throw new Misfit("an object without currency_pair", "Name the pairs with --currency-pairs.");
  }
  const unknown = textsIn(members)
    .flatMap((text) => text.match(/\{\w+\}/g) ?? [])
    .find((placeholder) => placeholder !== "{operation_id}");
  if (unknown !== undefined) {
    throw new Misfit("an object with no placeholder but {operation_id}", `Replace ${unknown} with {operation_id}.`);
  }
  return members;
}

/** All strings inside a value. */
const textsIn = (value: Json): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
