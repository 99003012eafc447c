import { inTurn, scenario, answerOf, type Change, type Context } from "../kit/index.ts";
import { spelledOperations } from "./odd.scenario.ts";
import { isDeepStrictEqual } from "node:util";
import { withMadeUpMembers } from "../tables/tolerated.ts";
import { memberOf, type Json } from "../../spec/json.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";

/**
 * Operations that are created at the same time do not depend on each other (specification,
 * Endpoints, 3).
 */
export const concurrentOperations = scenario({
  id: "operation/create/concurrent",
  title: "operations are created at the same time",
  checks: ["OPER-16"],
  isFirst: true,
  run: async ({ further, operationFor, payee, send, settings, target, together }) => {
    // Each counterparty has an operation already, so that the server knows it and all creations can
    // succeed at once.
    const counterparty = await payee();
    const { currencyPairs } = target;
    const most = Math.min(10, settings.concurrency * 2);
    const designed = await further("at the same time", most);
    const others = Array.from({ length: most - designed.length }, (_, index) =>
      operationFor({ counterparty, pair: inTurn(currencyPairs, index) }),
    );
    const creations = [...designed, ...others.map((operation) => () => send(operation))];
    // First in pairs and then in a crowd: some faults need two requests in flight, others many, and
    // some two for one payee, which a server may refuse.
    await together([0, 1].map(() => send(operationFor({ counterparty }))));
    for (const [from, to] of [[0, 2], [2, 4], [4]])
      await together(creations.slice(from, to).map((create) => create()));
  },
});

/**
 * Operations that differ in one member. A faulty server may take two of them for the same operation
 * (specification, Endpoints, 3).
 */
export const differingOperations = scenario({
  id: "operation/create/differing",
  title: "operations that differ in one member alone, and one with members of responses",
  checks: ["OPER-07", "OPER-08", "OPER-09", "OPER-15", "OPER-45"],
  isFirst: true,
  run: async ({ amount, create, operationFor, payee, registered, send, target, ...context }) => {
    const { runId, servingPayee, together } = context;
    const [counterparty, other] = await together([registered(), payee()]);
    const { currencyPairs, otherPurposes } = target;
    const first = {
      counterparty,
      amount: amount(),
      pair: inTurn(currencyPairs, 0),
      purpose: "EFX",
    };
    await create(first);
    await send(operationFor({ ...first, pair: inTurn(currencyPairs, 1) }));
    await send(operationFor({ ...first, purpose: otherPurposes[0] ?? "EFX" }));
    await send(operationFor({ ...first, counterparty: other }));
    // What a request makes up of members that only responses have decides nothing (INT-62).
    const last = operationFor({ counterparty: await servingPayee() });
    await send(last, withMadeUpMembers(runId));
  },
});

/**
 * Creates operations for payees in each country, with each pair and purpose (specification,
 * Endpoints, 3; INT-57). Other scenarios have sent some of these in place of operations of their own.
 */
export const operationsEverywhere = scenario({
  id: "operation/create/everywhere",
  title: "operations for payees in each country, with each pair and purpose",
  checks: ["OPER-07", "OPER-08", "OPER-09", "OPER-15"],
  phase: "beside",
  after: [spelledOperations],
  // Whether operations are accepted at all is shown by others. The rules judge what comes back.
  run: ({ forAll, furtherOperations, sendFurther }) =>
    forAll({ requirements: [], samples: furtherOperations(), send: sendFurther }),
});

/** Creates the first operation of a counterparty (specification, Endpoints, 3; INT-18). */
export const firstOperation = scenario({
  id: "operation/create/first",
  title: "an operation is created for a new counterparty",
  checks: ["OPER-01", "OPER-02", "OPER-03", "OPER-04", "OPER-05"],
  drawsTheSame: true,
  run: async ({ answered, attempt, old, operationFor, payee, send, target }) => {
    const counterparty = await payee();
    const { body, operation } = counterparty;
    const { exchange } = operation;
    const shown = (member: string) => memberOf(exchange.json, member);
    // Whether an operation repeats the id of the customer, and the banks of its counterparty, is
    // open.
    answered(
      "OPEN-33",
      "customer_id",
      exchange,
      relationOf(shown("customer_id"), target.customerId),
    );
    for (const bank of ["bank_account", "intermediary_bank"]) {
      const own = shown(bank);
      const relation = relationOf(own, memberOf(body, bank));
      answered("OPEN-34", bank, exchange, own === null ? "null" : relation);
    }
    await old(counterparty);
    await attempt(send(operationFor({ counterparty }), forOld));
  },
});

const forOld: Change = { what: "for a counterparty that is old", breaksNoRule: true };

function relationOf(own: Json | undefined, known: Json | undefined): string {
  if (own === undefined) return "absent";
  return isDeepStrictEqual(own, known) ? "equal" : "other";
}

const echoes = [
  "OPER-06",
  "OPER-07",
  "OPER-08",
  "OPER-09",
  "OPER-10",
  "OPER-13",
  "OPER-14",
  "OPER-15",
] as const;

/**
 * Creates operations for payees of every kind (specification, Endpoints, 3; INT-09, INT-18 and
 * INT-21). Each has a payee of its own, which a server may bind to one operation, pair or purpose.
 */
export const validOperations = scenario({
  id: "operation/create/valid",
  title: "every valid operation is created as stated, over the whole range of amounts",
  checks: [...echoes, "OPER-11", "OPER-12"],
  run: async (context) => {
    const { forAll, operations, sendOperation, target } = context;
    const samples = [...operations()];
    /** The first operation of each end of the range, whichever is answered first. */
    const ends = [target.amount.min, target.amount.max].flatMap(
      (end) => samples.find(({ value }) => value.amount === end)?.value ?? [],
    );
    await forAll({
      requirements: echoes,
      samples,
      send: async (operation) => {
        const exchange = await sendOperation(operation);
        if (ends.includes(operation)) await observeEdge(context, operation.amount, exchange);
        return exchange;
      },
    });
  },
});

/**
 * Observes whether the server accepts an end of the configured range. A refusal counts if the same
 * amount is refused for another payee, too.
 */
async function observeEdge(context: Context, end: number, exchange: Exchange): Promise<void> {
  const { observe, operationFor, send, servingPayee, target } = context;
  if (exchange.operation !== "createOperation") return;
  const edge = `the ${end === target.amount.min ? "smallest" : "largest"} configured amount`;
  const again = async () => send(operationFor({ counterparty: await servingPayee(), amount: end }));
  observe("OPEN-29", edge, answerOf(isSuccess(exchange) ? exchange : await again()));
}
