export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Reading a member that it does not have gives `undefined`. */
export interface JsonObject {
  readonly [member: string]: Json;
}

/** Whether a value is a JSON object: not an array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a member of a value; `undefined` if the value is no object or lacks the member. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The kind of a value in words: `a boolean`, `an object`, `absent`. */
export function classOf(value: Json | undefined): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : `a ${typeof value}`;
}

/** A member name, escaped for a JSON pointer (RFC 6901). */
export const escaped = (name: string): string =>
  /[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;

/** The unescaped parts of a JSON pointer, which may start with `#`. */
export function partsOf(pointer: string): readonly string[] {
  const parts = pointer.split("/").slice(1);
  return pointer.includes("~")
    ? parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    : parts;
}

/** The value that a JSON pointer points to; `undefined` if there is none. */
export function valueAt(json: Json | undefined, pointer: string): Json | undefined {
  return partsOf(pointer).reduce<Json | undefined>(
    (value, part) =>
      Array.isArray(value) ? (value[Number(part)] as Json | undefined) : memberOf(value, part),
    json,
  );
}
