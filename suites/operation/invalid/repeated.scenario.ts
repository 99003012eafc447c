import { leftOut, scenario } from "../../kit/index.ts";
import { emptyBody } from "../../tables/malformed.ts";
import { invalidBodies } from "./bodies.scenario.ts";

/**
 * Bodies that must be refused, at several moments of the run, so that no single request decides.
 * HTTP servers answer an empty body by themselves, and not always in the same way; and a check may
 * end after some requests (INT-19).
 */
export const repeatedBodies = scenario({
  id: "operation/invalid/repeated",
  title: "an empty body once more, and with a missing member when all else was sent",
  checks: ["OPER-33"],
  after: [invalidBodies],
  run: async ({ controlOperation, old, refused, together }) => {
    const control = await controlOperation(400);
    await refused(control, emptyBody, "OPER-33", 400);
    await old({ at: Date.now() });
    await together([
      refused(control, emptyBody, "OPER-33", 400),
      refused(control, { with: { "/counterparty_id": leftOut } }, "OPER-23", 400),
    ]);
  },
});
