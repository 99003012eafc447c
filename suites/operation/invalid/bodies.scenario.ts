import { scenario, type Change } from "../../kit/index.ts";
import { declaredAsGzip, nested } from "../../tables/hopeless.ts";
import {
  byteOfLatin1,
  cutCharacter,
  emptyBody,
  firstHalf,
  malformedOperations,
  whiteSpaceAlone,
} from "../../tables/malformed.ts";
import { notObjects } from "../../tables/not-objects.ts";

/** The body of an operation must be one JSON object (specification, Endpoints, 3; INT-19). */
export const invalidBodies = scenario({
  id: "operation/invalid/bodies",
  title: "bodies that are not an operation",
  checks: ["OPER-32", "OPER-33", "OPER-34"],
  run: async ({ controlOperation, observed, refused, together }) => {
    const control = await controlOperation(400);
    await together([
      ...noOperations.map((change) => refused(control, change, "OPER-32", 400)),
      refused(control, emptyBody, "OPER-33", 400),
      ...malformed.map((change) => refused(control, change, "OPER-34", 400)),
    ]);
    await together(doubtfulBodies.map((change) => observed(control, change, "OPEN-36")));
  },
});

/**
 * Bodies that are JSON but no operation. Some servers read an array as the values of the members,
 * in the order of the contract.
 */
const noOperations: readonly Change[] = [
  { what: "whose body is an array around an operation", body: (right) => [right] },
  {
    what: "whose body is a string that holds an operation",
    body: (right) => JSON.stringify(right),
  },
  ...notObjects,
];

const malformed: readonly Change[] = [whiteSpaceAlone, firstHalf, ...malformedOperations];

/**
 * Bodies that some servers accept: for example, many decoders replace bytes that are not UTF-8
 * before they parse. Only a crash is a fault.
 */
const doubtfulBodies: readonly Change[] = [
  byteOfLatin1,
  cutCharacter,
  nested,
  // A parser may accept or refuse a byte order mark (RFC 8259, 8.1).
  { what: "whose body begins with a byte order mark", text: "\ufeff{…}" },
  declaredAsGzip,
];
