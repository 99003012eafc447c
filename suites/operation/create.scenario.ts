import { stratifiedAmounts } from "../../generators/index.ts";
import { isSuccess, memberOf, type Json } from "../../model/exchange.ts";
import { scenario } from "../kit/scenario.ts";
import { outcomeOf } from "../kit/invalid-bodies.ts";
import { holdsForEach } from "../kit/property.ts";
import type { Context } from "../kit/context.ts";
import {
  plainAmounts,
  createOperation,
  efx,
  pairAt,
  operationRequest,
  operationBody,
  registerCounterparty,
  registerPlainCounterparty,
  type OperationData,
} from "../kit/steps.ts";
import type { Made } from "../kit/target-knowledge.ts";
import { judgeTogether } from "../kit/concurrent-creation.ts";
import { smallerOperations } from "./smaller.ts";

/** Creating operations (specification, Endpoints, 3; rulings 9, 18 and 21). */
export const create = [
  scenario(
    "an operation is created for a new counterparty",
    {
      requirements: ["OPER-01", "OPER-02", "OPER-03", "OPER-04", "OPER-05"],
      questions: ["OPEN-01", "OPEN-33", "OPEN-34", "OPEN-40"],
      operations: ["createCounterparty", "createOperation"],
    },
    async (context) => {
      const counterparty = await registerCounterparty(context);
      const [amount = context.target.amount.min] = plainAmounts(context, 1);
      observeRelations(
        context,
        counterparty,
        await createOperation(context, { counterparty: counterparty.id, amount }),
      );
    },
  ),
  scenario(
    "every valid operation is answered as promised, over the whole range of amounts",
    {
      requirements: [
        "OPER-06",
        "OPER-07",
        "OPER-08",
        "OPER-09",
        "OPER-10",
        "OPER-11",
        "OPER-12",
        "OPER-13",
        "OPER-14",
        "OPER-15",
      ],
      questions: ["OPEN-29"],
      operations: ["createCounterparty", "createOperation"],
    },
    async (context) => {
      const complete = await Promise.all([1, 2].map((salt) => registerCounterparty(context, salt)));
      const plain = await registerPlainCounterparty(context, 3);
      const counterparties = plain === undefined ? complete : [...complete, plain];
      // Each counterparty is known once it has an operation; after that, refusals are limits of values.
      await Promise.all(
        plainAmounts(context, counterparties.length).map((amount, index) =>
          createOperation(context, { counterparty: counterparties[index]?.id ?? "", amount }),
        ),
      );
      const values = operationSamples(
        context,
        counterparties.map(({ id }) => id),
      );
      await holdsForEach<OperationData>(context, {
        requirements: ["OPER-06", "OPER-07", "OPER-08", "OPER-09", "OPER-10", "OPER-13", "OPER-14", "OPER-15"],
        values,
        ask: async (data) => {
          const exchange = await context.ask(operationRequest(operationBody(context, data)));
          if (!isSuccess(exchange)) context.observe("OPEN-29", String(data.amount), outcomeOf(exchange));
          return exchange;
        },
        smaller: (data) => smallerOperations(context.target.amount, data),
      });
    },
  ),
  scenario(
    "operations that differ in one member alone",
    {
      requirements: ["OPER-07", "OPER-08", "OPER-09", "OPER-15"],
      operations: ["createCounterparty", "createOperation"],
    },
    async (context) => {
      const [one, other] = await Promise.all([4, 5].map((salt) => registerCounterparty(context, salt)));
      const [amount = context.target.amount.min] = plainAmounts(context, 1, 4);
      const first = { counterparty: one?.id ?? "", amount, pair: pairAt(context, 0), purpose: efx };
      await createOperation(context, first);
      for (const second of [
        { ...first, pair: pairAt(context, 1) },
        { ...first, purpose: context.target.otherPurposes[0] ?? efx },
        { ...first, counterparty: other?.id ?? "" },
      ])
        await context.ask(operationRequest(operationBody(context, second)));
    },
  ),
  scenario(
    "operations created at the same time",
    { requirements: ["OPER-16"], operations: ["createCounterparty", "createOperation"] },
    async (context) => {
      if (context.settings.concurrency < 2) {
        context.inconclusive("OPER-16", "nothing is asked at the same time with --concurrency 1");
        return;
      }
      const counterparties = await Promise.all([1, 2].map((salt) => registerCounterparty(context, salt)));
      const n = Math.min(16, context.settings.concurrency * 2);
      const [one = context.target.amount.min, other = one, ...amounts] = plainAmounts(context, n + 2);
      // Known counterparties, so that all creations can succeed at once.
      for (const [index, amount] of [one, other].entries()) {
        await createOperation(context, { counterparty: counterparties[index]?.id ?? "", amount });
      }
      const asks = amounts.map((amount, index) => {
        const counterparty = counterparties[index % counterparties.length]?.id ?? "";
        return operationRequest(operationBody(context, { counterparty, amount, pair: pairAt(context, index) }));
      });
      // In pairs and in a crowd: some faults need two in flight, others many.
      const answers = [];
      for (const together of [asks.slice(0, 2), asks.slice(2, 4), asks.slice(4)]) {
        answers.push(...(await Promise.all(together.map((ask) => context.ask(ask)))));
      }
      judgeTogether(context, "OPER-16", answers, {
        id: "operation_id",
        echoes: [
          ["currency_amount", "foreign_currency_amount"],
          ["counterparty_id", "counterparty_id"],
        ],
      });
    },
  ),
];

/** Amounts over the whole range, each with another mixture of counterparty, pair and purpose. */
const operationSamples = (context: Context, counterparties: readonly string[]): readonly OperationData[] => {
  const purposes = [efx, ...context.target.otherPurposes];
  const pairs = context.target.currencyPairs.length;
  return stratifiedAmounts(context.target.amount, context.settings.runs + 1, context.seed).map((amount, index) => ({
    amount,
    pair: pairAt(context, index),
    purpose: purposes[Math.floor(index / pairs) % purposes.length] ?? efx,
    counterparty: counterparties[(index * 2 + Math.floor(index / 3)) % counterparties.length] ?? "",
  }));
};

/** How an operation relates to its customer and its counterparty's banks is open (ruling 18). */
const observeRelations = (context: Context, counterparty: Made, operation: Made): void => {
  const customer = memberOf(operation.exchange.json, "customer_id");
  context.observe(
    "OPEN-33",
    "customer_id",
    customer === undefined ? "absent" : customer === context.target.customerId ? "equal" : "other",
  );
  for (const bank of ["bank_account", "intermediary_bank"]) {
    const own = memberOf(operation.exchange.json, bank);
    context.observe(
      "OPEN-34",
      bank,
      own === undefined
        ? "absent"
        : own === null
          ? "null"
          : sameJson(own, memberOf(counterparty.body, bank))
            ? "equal"
            : "other",
    );
  }
};

const sameJson = (a: Json, b: Json | undefined): boolean => sorted(a) === sorted(b ?? null);

const sorted = (value: Json): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
