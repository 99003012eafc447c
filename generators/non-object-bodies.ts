import type { Json } from "../spec/contract.ts";

/** JSON bodies that are not objects. */
export const nonObjectBodies: readonly { readonly id: string; readonly body: Json }[] = [
  { id: "an empty array", body: [] },
  { id: "an array with an empty object", body: [{}] },
  { id: "a string", body: "text" },
  { id: "an empty string", body: "" },
  { id: "a number", body: 12345 },
  { id: "zero", body: 0 },
  { id: "true", body: true },
  { id: "false", body: false },
  { id: "null", body: null },
];
