import type { Change } from "../kit/index.ts";

/** Bodies that are JSON but not objects. */
export const notObjects: readonly Change[] = [
  {
    what: "whose body is an array of the values of the members",
    body: (right) => Object.values(right ?? {}),
  },
  { what: "whose body is null", text: "null" },
  { what: "whose body is a string", text: '"text"' },
  { what: "whose body is a number", text: "12345" },
  { what: "whose body is true", text: "true" },
];
