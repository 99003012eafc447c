import { operationTitle, type OperationName } from "../../spec/operations.ts";
import type { Change, Table } from "../kit/index.ts";
import { byteOfLatin1, cutCharacter, firstHalf, malformedBodies } from "./malformed.ts";
import { notObjects } from "./not-objects.ts";

/**
 * Bodies that no endpoint accepts: empty, not an object, or malformed; and bodies whose
 * Content-Encoding does not match them, of which only a crash is judged (INT-44). `member`: the
 * name of a member that is a number, if the body has one.
 */
export function hopelessBodies(operation: OperationName, member: string): Table<Change> {
  const malformed = malformedBodies(member);
  return {
    name: `bodies of ${operationTitle(operation)}`,
    always: [
      { what: "with an empty body", text: "" },
      // To a client that accepts anything, some frameworks redirect or send a page in place of an
      // error in JSON.
      { what: "without members, for Accept: */*", body: {}, headers: [["Accept", "*/*"]] },
      nested,
      firstHalf,
      byteOfLatin1,
      codedWith("gzip"),
      ...notObjects.always,
    ],
    sometimes: [
      ...notObjects.sometimes,
      codedWith("br"),
      codedWith("deflate"),
      codedWith("none"),
      ...malformed.always,
      ...malformed.sometimes,
      cutCharacter,
    ],
  };
}

/** Legal JSON that is nested deeper than the stack of a careless parser. */
export const nested: Change = {
  what: "whose body is nested 3000 deep",
  text: `{…,"fxconform_note":${"[".repeat(3000)}${"]".repeat(3000)}}`,
};

function codedWith(coding: string): Change {
  return { what: `declared as coded with ${coding}`, headers: [["Content-Encoding", coding]] };
}
