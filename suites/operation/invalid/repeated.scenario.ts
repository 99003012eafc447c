import { scenario, type Change } from "../../kit/index.ts";
import { emptyBody } from "../../tables/malformed.ts";
import { invalidBodies } from "./bodies.scenario.ts";
import { invalidValues } from "./values.scenario.ts";

const zero: Change = { with: { "/currency_amount": 0 } };
const unknownPair: Change = { with: { "/currency_pair": "QQQZZZ" } };

/**
 * Sends bodies that must or should be refused at several moments of the run, so that no single
 * request decides. HTTP servers answer an empty body by themselves, and not always in the same way
 * (INT-19 and INT-20).
 */
export const repeatedBodies = scenario({
  id: "operation/invalid/repeated",
  title: "an empty body, no amount and an unknown pair once more, and when all else was sent",
  checks: ["OPER-33", "OPER-40", "OPER-43"],
  after: [invalidBodies, invalidValues],
  run: async ({ attempt, controlOperation, old, refused, together }) => {
    const control = await controlOperation(400);
    // For these values no status is stated: their refusal shows something only if the server
    // accepts a valid request.
    const accepted = await attempt(controlOperation());
    const once = () => [
      refused(control, emptyBody, "OPER-33", 400),
      ...(accepted === undefined
        ? []
        : [refused(accepted, zero, "OPER-40"), refused(accepted, unknownPair, "OPER-43")]),
    ];
    await together(once());
    await old({ at: Date.now() });
    await together(once());
  },
});
