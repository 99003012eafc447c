import type { Call } from "./policy.ts";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Returns a changed body; `call` is the request. */
export type Edit = (body: Json, call: Call) => unknown;

/** True for an object that is not a list. */
export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Sets members, whether they were there or not. */
export const set =
  (members: Json) =>
  <T extends object>(it: T): T => ({ ...it, ...members });

/** Leaves members out. */
export const omit =
  (...names: readonly string[]) =>
  (it: Json): Json =>
    Object.fromEntries(Object.entries(it).filter(([name]) => !names.includes(name)));

/** Shows a member under another name. */
export const rename =
  (from: string, to: string) =>
  (it: Json): Json => ({ ...omit(from)(it), [to]: it[from] });

/** Changes a member if it is present. `T` is its type on a server that obeys. */
export const edit =
  <T>(name: string, change: (value: T) => unknown) =>
  (it: Json): Json =>
    name in it ? { ...it, [name]: change(it[name] as T) } : it;
