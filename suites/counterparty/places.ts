import { isObject, valueAt, type Json } from "../../spec/json.ts";
import type { Change } from "../kit/index.ts";

/**
 * Whether a body has the object around a place. It may lack the intermediary bank, for example, if
 * the server accepts none.
 */
export function hasPlace(body: Json, place: string): boolean {
  return isObject(valueAt(body, place.slice(0, place.lastIndexOf("/"))));
}

/** Whether a body has a value at a place. */
export function hasValue(body: Json, place: string): boolean {
  return valueAt(body, place) !== undefined;
}

/**
 * The changes at places that a body has. A change at several places keeps the places that the body
 * has.
 */
export function changesIn<Row extends Change>(
  body: Json,
  rows: readonly Row[],
  has = hasPlace,
): readonly Row[] {
  return rows.flatMap((row) => {
    const values = Object.entries(row.with ?? {}).filter(([place]) => has(body, place));
    return values.length === 0 ? [] : [{ ...row, with: Object.fromEntries(values) }];
  });
}
