import type { Change } from "../kit/index.ts";
import { byteOfLatin1, firstHalf } from "./malformed.ts";

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

/** Legal JSON that is nested deeper than the stack of a careless parser. */
export const nested: Change = {
  what: "whose body is nested 3000 deep",
  text: `{…,"fxconform_note":${"[".repeat(3000)}${"]".repeat(3000)}}`,
};

/** A body whose Content-Encoding does not match it. Only a crash is judged (INT-44). */
export const declaredAsGzip: Change = {
  what: "declared as coded with gzip",
  headers: [["Content-Encoding", "gzip"]],
};

/** Bodies that no endpoint accepts: empty, not an object, malformed, or not coded as they say. */
export const hopelessBodies: readonly Change[] = [
  { what: "with an empty body", text: "" },
  // To a client that accepts anything, some frameworks redirect or send a page in place of an
  // error in JSON.
  { what: "without members, for Accept: */*", body: {}, headers: [["Accept", "*/*"]] },
  nested,
  firstHalf,
  byteOfLatin1,
  declaredAsGzip,
  ...notObjects.slice(0, 3),
];
