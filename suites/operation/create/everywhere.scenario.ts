import { doubtfulItems } from "../../acam/add/doubtful.scenario.ts";
import { invalidItemBodies } from "../../acam/invalid/bodies.scenario.ts";
import { invalidItemMembers } from "../../acam/invalid/members.scenario.ts";
import { invalidItemTexts } from "../../acam/invalid/texts.scenario.ts";
import { scenario } from "../../kit/index.ts";
import { spelledOperations } from "../odd/spellings.scenario.ts";

/**
 * Creates operations for payees in each country, with each pair and purpose (specification,
 * Endpoints, 3; INT-57). Other scenarios have sent some of these in place of operations of their own.
 */
export const operationsEverywhere = scenario({
  id: "operation/create/everywhere",
  title: "operations for payees in each country, with each pair and purpose",
  checks: ["OPER-07", "OPER-08", "OPER-09", "OPER-15"],
  phase: "beside",
  after: [
    doubtfulItems,
    invalidItemBodies,
    invalidItemMembers,
    invalidItemTexts,
    spelledOperations,
  ],
  // Whether operations are accepted at all is shown by others. The rules judge what comes back.
  run: ({ forAll, furtherOperations, sendFurther }) =>
    forAll({ requirements: [], samples: furtherOperations(), send: sendFurther }),
});
