import type { Json } from "../spec/contract.ts";

/** JSON bodies that are not objects; those that servers most often accept come first. */
export const nonObjectBodies: readonly { readonly id: string; readonly body: Json }[] = [
  { id: "an empty array", body: [] },
  { id: "null", body: null },
  { id: "a string", body: "text" },
  { id: "a number", body: 12345 },
  { id: "true", body: true },
  { id: "an array with an empty object", body: [{}] },
  { id: "an empty string", body: "" },
  { id: "zero", body: 0 },
  { id: "false", body: false },
];
