import { scenario } from "../../kit/index.ts";

/** Registers payees of every kind: each pair of their attributes occurs (docs/sensitivity.md). */
export const validCounterparties = scenario({
  id: "counterparty/register/valid",
  title: "every valid counterparty is registered as stated",
  checks: ["CPTY-02", "CPTY-03", "CPTY-04", "CPTY-05", "CPTY-10"],
  run: ({ forAll, payees, sendPayee }) =>
    forAll({ requirements: ["CPTY-02", "CPTY-10"], samples: payees(), send: sendPayee }),
});
