import { isObject, type Json, type JsonObject } from "../../spec/contract.ts";
import { childOf, keyOf, referenceAt, referredTo, type Place } from "./place.ts";

/** A document with what it refers to in the place of references: a value contains itself if its schema does. */
export function dereferenced(root: Place): JsonObject {
  const known = new Map<string, Json>();
  const childrenOf = (place: Place): readonly (readonly [string, Json])[] =>
    Object.keys(place.value as object).flatMap((name) => {
      const child = childOf(place, name);
      return child === undefined ? [] : [[name, valueOf(child)] as const];
    });
  const valueOf = (place: Place): Json => {
    const { value } = place;
    if (typeof value !== "object" || value === null) return value;
    const already = known.get(keyOf(place));
    if (already !== undefined) return already;
    const reference = referenceAt(place);
    if (reference !== undefined && Object.keys(value).length === 1) return valueOf(referredTo(place, reference));
    const own: Json = Array.isArray(value) ? [] : {};
    known.set(keyOf(place), own);
    const base = reference === undefined ? {} : valueOf(referredTo(place, reference));
    if (isObject(base)) Object.assign(own, base);
    for (const [name, child] of childrenOf(place)) if (name !== "$ref") Object.assign(own, { [name]: child });
    return own;
  };
  return valueOf(root) as JsonObject;
}
