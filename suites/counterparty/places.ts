import { isObject, valueAt, type Json } from "../../spec/json.ts";
import type { Change } from "../kit/index.ts";

/**
 * Whether a body has the object around a place. A body lacks the intermediary bank, for example, if
 * the server accepts no counterparty with such a bank.
 */
export function hasPlace(body: Json, place: string): boolean {
  return isObject(valueAt(body, place.slice(0, place.lastIndexOf("/"))));
}

/**
 * Returns the changes, each only with the places that the body has. Leaves out a change if the body
 * has none of its places.
 */
export function changesIn<Row extends Change>(body: Json, rows: readonly Row[]): readonly Row[] {
  return rows.flatMap((row) => {
    const values = Object.entries(row.with ?? {}).filter(([place]) => hasPlace(body, place));
    const parts = row.parts === undefined ? {} : { parts: changesIn(body, row.parts) };
    return values.length === 0 ? [] : [{ ...row, with: Object.fromEntries(values), ...parts }];
  });
}
