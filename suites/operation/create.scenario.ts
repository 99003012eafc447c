import { stratifiedAmounts } from "../../generators/index.ts";
import { isSuccess, memberOf, type Json } from "../../harness/exchange.ts";
import { scenario } from "../define.ts";
import { outcomeOf } from "../invalid.ts";
import { holdsForEach } from "../property.ts";
import type { Stage } from "../stage.ts";
import {
  plainAmounts,
  createOperation,
  efx,
  pairAt,
  operationAsk,
  operationBody,
  registerCounterparty,
  registerPlainCounterparty,
  type OperationData,
} from "../steps.ts";
import type { Made } from "../common.ts";
import { judgeTogether } from "../together.ts";
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
    async (stage) => {
      const counterparty = await registerCounterparty(stage);
      const [amount = stage.target.amount.min] = plainAmounts(stage, 1);
      observeRelations(stage, counterparty, await createOperation(stage, { counterparty: counterparty.id, amount }));
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
    async (stage) => {
      const complete = await Promise.all([1, 2].map((salt) => registerCounterparty(stage, salt)));
      const plain = await registerPlainCounterparty(stage, 3);
      const counterparties = plain === undefined ? complete : [...complete, plain];
      // Each counterparty is known once it has an operation; after that, refusals are limits of values.
      await Promise.all(
        plainAmounts(stage, counterparties.length).map((amount, index) =>
          createOperation(stage, { counterparty: counterparties[index]?.id ?? "", amount }),
        ),
      );
      const values = operationSamples(
        stage,
        counterparties.map(({ id }) => id),
      );
      await holdsForEach<OperationData>(stage, {
        requirements: ["OPER-06", "OPER-07", "OPER-08", "OPER-09", "OPER-10", "OPER-13", "OPER-14", "OPER-15"],
        values,
        ask: async (data) => {
          const exchange = await stage.ask(operationAsk(operationBody(stage, data)));
          if (!isSuccess(exchange)) stage.observe("OPEN-29", `${data.amount}: ${outcomeOf(exchange)}`);
          return exchange;
        },
        smaller: (data) => smallerOperations(stage.target.amount, data),
      });
    },
  ),
  scenario(
    "operations that differ in one member alone",
    {
      requirements: ["OPER-07", "OPER-08", "OPER-09", "OPER-15"],
      operations: ["createCounterparty", "createOperation"],
    },
    async (stage) => {
      const [one, other] = await Promise.all([4, 5].map((salt) => registerCounterparty(stage, salt)));
      const [amount = stage.target.amount.min] = plainAmounts(stage, 1, 4);
      const first = { counterparty: one?.id ?? "", amount, pair: pairAt(stage, 0), purpose: efx };
      await createOperation(stage, first);
      for (const second of [
        { ...first, pair: pairAt(stage, 1) },
        { ...first, purpose: stage.target.otherPurposes[0] ?? efx },
        { ...first, counterparty: other?.id ?? "" },
      ])
        await stage.ask(operationAsk(operationBody(stage, second)));
    },
  ),
  scenario(
    "operations created at the same time",
    { requirements: ["OPER-16"], operations: ["createCounterparty", "createOperation"] },
    async (stage) => {
      if (stage.manner.concurrency < 2) {
        stage.inconclusive("OPER-16", "nothing is asked at the same time with --concurrency 1");
        return;
      }
      const counterparties = await Promise.all([1, 2].map((salt) => registerCounterparty(stage, salt)));
      const n = Math.min(16, stage.manner.concurrency * 2);
      const [one = stage.target.amount.min, other = one, ...amounts] = plainAmounts(stage, n + 2);
      // Known counterparties, so that all creations can succeed at once.
      for (const [index, amount] of [one, other].entries()) {
        await createOperation(stage, { counterparty: counterparties[index]?.id ?? "", amount });
      }
      const asks = amounts.map((amount, index) => {
        const counterparty = counterparties[index % counterparties.length]?.id ?? "";
        return operationAsk(operationBody(stage, { counterparty, amount, pair: pairAt(stage, index) }));
      });
      // In pairs and in a crowd: some faults need two in flight, others many.
      const answers = [];
      for (const together of [asks.slice(0, 2), asks.slice(2, 4), asks.slice(4)]) {
        answers.push(...(await Promise.all(together.map((ask) => stage.ask(ask)))));
      }
      judgeTogether(stage, "OPER-16", answers, {
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
const operationSamples = (stage: Stage, counterparties: readonly string[]): readonly OperationData[] => {
  const purposes = [efx, ...stage.target.otherPurposes];
  const pairs = stage.target.currencyPairs.length;
  return stratifiedAmounts(stage.target.amount, stage.manner.runs + 1, stage.seed).map((amount, index) => ({
    amount,
    pair: pairAt(stage, index),
    purpose: purposes[Math.floor(index / pairs) % purposes.length] ?? efx,
    counterparty: counterparties[(index * 2 + Math.floor(index / 3)) % counterparties.length] ?? "",
  }));
};

/** How an operation relates to its customer and its counterparty's banks is open (ruling 18). */
const observeRelations = (stage: Stage, counterparty: Made, operation: Made): void => {
  const customer = memberOf(operation.exchange.json, "customer_id");
  stage.observe(
    "OPEN-33",
    customer === undefined ? "absent" : customer === stage.target.customerId ? "equal" : "other",
  );
  for (const bank of ["bank_account", "intermediary_bank"]) {
    const own = memberOf(operation.exchange.json, bank);
    stage.observe(
      "OPEN-34",
      `${bank}: ${own === undefined ? "absent" : own === null ? "null" : sameJson(own, memberOf(counterparty.body, bank)) ? "equal" : "other"}`,
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
