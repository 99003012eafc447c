import type { Change, Table } from "../kit/index.ts";

/** Bodies that are JSON but not objects. */
export const notObjects = {
  name: "bodies that are no objects",
  always: [
    {
      what: "whose body is an array of the values of the members",
      body: (right) => Object.values(right ?? {}),
    },
    { what: "whose body is null", text: "null" },
    { what: "whose body is a string", text: '"text"' },
    { what: "whose body is a number", text: "12345" },
    { what: "whose body is true", text: "true" },
  ],
  sometimes: [
    { what: "whose body is an empty array", text: "[]" },
    { what: "whose body is an array with an empty object", text: "[{}]" },
    { what: "whose body is an empty string", text: '""' },
    { what: "whose body is zero", text: "0" },
    { what: "whose body is false", text: "false" },
  ],
} satisfies Table<Change>;
