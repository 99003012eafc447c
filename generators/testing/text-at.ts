import { valueAt, type Json } from "../../spec/json.ts";

/** The text at a pointer. Empty if there is none. */
export function textAt(body: Json, pointer: string): string {
  const value = valueAt(body, pointer);
  return typeof value === "string" ? value : "";
}
