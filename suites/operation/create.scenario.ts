import { isDeepStrictEqual } from "node:util";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { memberOf, type Json } from "../../spec/json.ts";
import { unusual } from "../../model/request.ts";
import { listedBatch } from "../batches/create/listed.scenario.ts";
import { amountsAndPairs, amountSupply, pairAt, pairsInUse, withSmallerAmounts } from "../kit/amounts.ts";
import type { Core } from "../kit/context.ts";
import { validBatch } from "../kit/flows/batches.ts";
import { registerCounterparty, registerPlainCounterparty } from "../kit/flows/counterparties.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { together } from "../kit/concurrency.ts";
import { answerOf } from "../kit/observing.ts";
import { efx, validOperation, type OperationValues } from "../kit/requests.ts";
import { chosen, holdsForAll } from "../kit/sampling.ts";
import { scenario } from "../kit/scenario.ts";
import type { Made } from "../kit/target-knowledge.ts";

/** Creating operations (specification, Endpoints, 3; INT-09, INT-18 and INT-21). */
export const create = [
  scenario(
    "operation/create/first",
    "an operation is created for a new counterparty",
    {
      requirements: ["OPER-01", "OPER-02", "OPER-03", "OPER-04", "OPER-05"],
      operations: ["createOperation"],
      drawsTheSame: true,
    },
    async (context) => {
      const counterparty = await registerCounterparty(context);
      const amount = amountSupply(context, 1)();
      const operation = await createOperation(context, { counterparty: counterparty.id, amount });
      observeRelations(context, counterparty, operation);
    },
  ),
  scenario(
    "operation/create/valid",
    "every valid operation is created as stated, over the whole range of amounts",
    {
      requirements: [
        ...(["OPER-06", "OPER-07", "OPER-08", "OPER-09", "OPER-10"] as const),
        ...(["OPER-11", "OPER-12", "OPER-13", "OPER-14", "OPER-15"] as const),
      ],
      operations: ["createOperation"],
    },
    async (context) => {
      const complete = await Promise.all([1, 2].map((salt) => registerCounterparty(context, salt)));
      const plain = await registerPlainCounterparty(context, 3);
      const counterparties = [...complete, ...(plain === undefined ? [] : [plain])].map(({ id }) => id);
      // A counterparty with an operation is known to the server; later refusals are then about values.
      const amount = amountSupply(context, counterparties.length);
      await Promise.all(
        counterparties.map((counterparty) => createOperation(context, { counterparty, amount: amount() })),
      );
      await holdsForAll(context, {
        requirements: ["OPER-06", "OPER-07", "OPER-08", "OPER-09", "OPER-10", "OPER-13", "OPER-14", "OPER-15"],
        samples: chosen(context, operationSamples(context, counterparties), (data) =>
          withSmallerAmounts(context.target.amount, data),
        ),
        send: async (data) => {
          const exchange = await context.send(validOperation(context, data));
          await observeEdge(context, data, exchange);
          return exchange;
        },
      });
    },
  ),
  scenario(
    "operation/create/differing",
    "operations that differ in one member alone",
    { requirements: ["OPER-07", "OPER-08", "OPER-09", "OPER-15"], operations: ["createOperation"] },
    async (context) => {
      const [one, other] = await Promise.all([4, 5].map((salt) => registerCounterparty(context, salt)));
      const amount = amountSupply(context, 1, 4)();
      const first = { counterparty: one?.id ?? "", amount, pair: pairAt(context, 0), purpose: efx };
      await createOperation(context, first);
      for (const change of [
        { pair: pairAt(context, 1) },
        { purpose: context.target.otherPurposes[0] ?? efx },
        { counterparty: other?.id ?? "" },
      ])
        await context.send(validOperation(context, { ...first, ...change }));
    },
  ),
  scenario(
    "operation/create/concurrent",
    "operations are created at the same time, and batches that may take them",
    { requirements: ["OPER-16"], operations: ["createOperation"], after: [listedBatch] },
    async (context) => {
      const made = await Promise.all([1, 2].map((salt) => registerCounterparty(context, salt)));
      const n = Math.min(16, context.settings.concurrency * 2);
      const amount = amountSupply(context, n + 2);
      // Known counterparties, so that all creations can succeed at once.
      for (const { id: counterparty } of made) await createOperation(context, { counterparty, amount: amount() });
      const specs = Array.from({ length: n }, (_, index) => {
        const counterparty = made[index % made.length]?.id ?? "";
        return validOperation(context, { counterparty, amount: amount(), pair: pairAt(context, index) });
      });
      const meanwhile = unusual("while operations are created");
      const batches = await together(
        pairsInUse(context)
          .slice(0, 2)
          .map((pair) => validBatch(context, pair, meanwhile)),
      );
      // In pairs and in a crowd: some faults need two in flight, others many. A reply shows no batch, whatever took it.
      for (const group of [specs.slice(0, 2), specs.slice(2, 4), [...specs.slice(4, 9), ...batches, ...specs.slice(9)]])
        await Promise.all(group.map(context.send));
    },
  ),
];

/** Amounts over the whole range, each with another combination of counterparty, pair and purpose. */
function* operationSamples(context: Core, counterparties: readonly string[]): Generator<OperationValues> {
  const purposes = [efx, ...context.target.otherPurposes];
  const pairs = context.target.currencyPairs.length;
  for (const { amount, pair, index } of amountsAndPairs(context, context.settings.runs + 1)) {
    const purpose = purposes[Math.floor(index / pairs) % purposes.length] ?? efx;
    const counterparty = counterparties[(index * 2 + Math.floor(index / 3)) % counterparties.length] ?? "";
    yield { amount, pair, purpose, counterparty };
  }
}

/** Whether the ends of the configured range are accepted: a refusal counts if it stays while others are accepted. */
const observeEdge = async (context: Core, data: OperationValues, exchange: Exchange): Promise<void> => {
  const { min, max } = context.run.target.amount;
  if (data.amount !== min && data.amount !== max) return;
  if (memberOf(exchange.request.json, "currency_amount") !== data.amount) return;
  const edge = `the ${data.amount === min ? "smallest" : "largest"} configured amount`;
  if (isSuccess(exchange)) return context.observe("OPEN-29", edge, answerOf(exchange));
  const amount = amountSupply(context, 1, 9)();
  if (!isSuccess(await context.send(validOperation(context, { ...data, amount })))) return;
  context.observe("OPEN-29", edge, answerOf(await context.send(validOperation(context, data))));
};

/** How an operation relates to its customer and its counterparty's banks is open (INT-18). */
const observeRelations = (context: Core, counterparty: Made, operation: Made): void => {
  const customer = memberOf(operation.exchange.json, "customer_id");
  context.observe("OPEN-33", "customer_id", relationOf(customer, context.target.customerId));
  for (const bank of ["bank_account", "intermediary_bank"]) {
    const own = memberOf(operation.exchange.json, bank);
    context.observe("OPEN-34", bank, own === null ? "null" : relationOf(own, memberOf(counterparty.body, bank)));
  }
};

const relationOf = (own: Json | undefined, known: Json | undefined): string =>
  own === undefined ? "absent" : isDeepStrictEqual(own, known) ? "equal" : "other";
