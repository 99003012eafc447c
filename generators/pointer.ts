import { isObject, partsOf, type Json } from "../spec/json.ts";

/**
 * A copy of a body with another value at the pointer, or without the member if the value is
 * undefined. Throws an error if the pointer leads into what is neither object nor list.
 */
export function withValue(body: Json, pointer: string, value: Json | undefined): Json {
  const replaced = (at: Json | undefined, [name, ...rest]: readonly string[]): Json | undefined => {
    if (name === undefined) return value;
    if (Array.isArray(at))
      return at.map((one: Json, index) =>
        String(index) === name ? (replaced(one, rest) ?? null) : one,
      );
    if (!isObject(at)) throw new Error(`${pointer}: is not in the body`);
    const inner = replaced(at[name], rest);
    if (inner !== undefined) return { ...at, [name]: inner };
    return Object.fromEntries(Object.entries(at).filter(([member]) => member !== name));
  };
  return replaced(body, partsOf(pointer)) ?? null;
}
