import { isObject, partsOf } from "../../spec/json.ts";
import type { ApiDocument } from "./document.ts";
import {
  childOf,
  entriesAt,
  followed,
  keyOf,
  memberAt,
  referenceAt,
  referredTo,
  type Place,
} from "./place.ts";

/** How schemas are looked at: by which version of OpenAPI, and in which alternatives. */
export interface SchemaView {
  /**
   * The version of OpenAPI. In 3.0, what stands beside a reference is ignored, and `nullable` is a
   * keyword.
   */
  readonly version: ApiDocument["version"];
  /**
   * The index of the one alternative that counts, by the place of its `anyOf` or `oneOf`.
   * @defaultValue all alternatives
   */
  readonly chosen?: ReadonlyMap<string, number> | undefined;
  /** Look only at what always holds, and not at alternatives. */
  readonly isCertain?: true;
}

/** Returns a schema, and after it all schemas that it refers to or combines. */
export function combinedAt(schema: Place, view: SchemaView): readonly Place[] {
  const found = new Map<string, Place>();
  const add = (place: Place): void => {
    if (!isObject(place.value) || found.has(keyOf(place))) return;
    found.set(keyOf(place), place);
    const reference = referenceAt(place);
    if (reference !== undefined) {
      add(referredTo(place, reference));
      if (view.version === "3.0") return;
    }
    for (const keyword of view.isCertain === true ? certain : combining) {
      const list = childOf(place, keyword);
      for (const part of partsOfList(list, view)) add(part);
    }
  };
  add(schema);
  return [...found.values()];
}

const combining = ["allOf", "anyOf", "oneOf"];
const certain = ["allOf"];

function partsOfList(list: Place | undefined, { chosen }: SchemaView): readonly Place[] {
  if (list === undefined || !Array.isArray(list.value)) return [];
  const one = chosen?.get(keyOf(list));
  const indexes = one === undefined ? list.value.map((_, index) => index) : [one];
  return indexes.map((index) => childOf(list, String(index))).filter((part) => part !== undefined);
}

/**
 * The schemas that describe a place in a body, in all alternatives. None if no schema names the
 * place.
 */
export function describedAt(schema: Place, pointer: string, view: SchemaView): readonly Place[] {
  let found = combinedAt(schema, view);
  for (const name of partsOf(pointer)) {
    const inner = found.flatMap((one) => {
      const member = memberPlace(one, name);
      return member === undefined ? [] : combinedAt(member, view);
    });
    found = [...new Map(inner.map((one) => [keyOf(one), one])).values()];
  }
  return found;
}

function memberPlace(schema: Place, name: string): Place | undefined {
  const properties = childOf(schema, "properties");
  const member = properties && childOf(followed(properties), name);
  return member ?? childOf(schema, "items");
}

/** The members that these schemas name, each with its schema. */
export function membersOf(schemas: readonly Place[]): ReadonlyMap<string, Place> {
  return new Map(schemas.flatMap((schema) => entriesAt(memberAt(childOf(schema, "properties")))));
}

/**
 * Returns the place of the first of these keywords that one of the schemas has, or else the first
 * schema.
 */
export function keywordAt(
  schemas: readonly Place[],
  ...keywords: readonly string[]
): Place | undefined {
  for (const keyword of keywords) {
    for (const schema of schemas) {
      const found = childOf(schema, keyword);
      if (found !== undefined) return found;
    }
  }
  return schemas[0];
}
