import { isSuccess, memberOf, unusual, type Json } from "../../harness/exchange.ts";
import { scenario } from "../define.ts";
import { holdsForEach } from "../property.ts";
import { outcomeOf } from "../invalid.ts";
import type { Stage } from "../stage.ts";
import {
  acamAsk,
  acamBody,
  acamSample,
  addItem,
  amountsOf,
  plainAmounts,
  createOperation,
  operationAsk,
  operationBody,
  pairAt,
  registerCounterparty,
} from "../steps.ts";
import type { Made } from "../common.ts";

/** ACAM items for operations that take them (specification, Endpoints, 4; rulings 22 and 24). */
export const add = [
  scenario(
    "an ACAM item is added to an EFX operation",
    {
      requirements: ["ACAM-01", "ACAM-02"],
      questions: ["OPEN-10", "OPEN-30"],
      operations: ["createCounterparty", "createOperation", "addAcamItem"],
    },
    async (stage) => {
      const { counterparty, operations } = await efxOperations(stage, plainAmounts(stage, 1));
      const [first] = operations;
      if (first === undefined) return;
      await addItem(stage, first.id, first.amount);
      await holdsForEach(stage, {
        requirements: ["ACAM-01", "ACAM-02"],
        values: amountsOf(stage, Math.max(3, Math.ceil(stage.manner.runs / 4))).map((amount, index) => ({
          amount,
          pair: pairAt(stage, index),
        })),
        ask: async ({ amount, pair }) => {
          const data = { counterparty: counterparty.id, amount, pair };
          const made = await stage.ask(operationAsk(operationBody(stage, data)));
          const id = memberOf(made.json, "operation_id");
          if (!isSuccess(made) || typeof id !== "string") return made;
          return stage.ask(acamAsk(id, acamSample(stage, amount, Math.round(amount))));
        },
      });
      const second = await stage.ask(
        acamAsk(first.id, acamBody(stage, first.amount, 99), unusual("a second item for one operation")),
      );
      stage.observe("OPEN-30", outcomeOf(second));
      if (isSuccess(second))
        await stage.ask(
          acamAsk(first.id, acamBody(stage, first.amount, 98), unusual("a third item for one operation")),
        );
    },
  ),
  scenario(
    "an ACAM item with members left out, unknown or doubtful",
    {
      requirements: ["ACAM-06"],
      questions: ["OPEN-05", "OPEN-06", "OPEN-35", "OPEN-36"],
      operations: ["createCounterparty", "createOperation", "addAcamItem"],
    },
    async (stage) => {
      const omissions = stage.generators.omissions("addAcamItem");
      const doubtful: readonly (readonly [string, Readonly<Record<string, Json>>])[] = [
        ["an amount of zero", { local_currency_amount: 0 }],
        ["a negative amount", { local_currency_amount: -1 }],
        ["a huge amount", { local_currency_amount: 1e20 }],
        ["an amount of many decimals", { local_currency_amount: 1.123456789 }],
        ["a tax id that is too short", { tax_id: "123" }],
        ["a tax id of equal digits", { tax_id: "11111111111" }],
        ["an empty merchant", { merchant: "" }],
      ];
      const { operations } = await efxOperations(stage, plainAmounts(stage, omissions.length + doubtful.length + 2));
      const body = (index: number): Readonly<Record<string, Json>> =>
        acamBody(stage, operations[index]?.amount ?? 0, index);
      const idAt = (index: number): string => operations[index]?.id ?? "";
      await Promise.all([
        ...omissions.map(async ({ pointer, apply }, index) => {
          const exchange = await stage.ask(acamAsk(idAt(index), apply(body(index)), unusual(`without ${pointer}`)));
          stage.observe("OPEN-05", `without ${pointer}: ${outcomeOf(exchange)}`);
        }),
        ...doubtful.map(async ([what, values], offset) => {
          const index = omissions.length + offset;
          const exchange = await stage.ask(
            acamAsk(idAt(index), { ...body(index), ...values }, unusual(`with ${what}`)),
          );
          stage.observe("OPEN-06", `${what}: ${outcomeOf(exchange)}`);
        }),
      ]);
      const last = omissions.length + doubtful.length;
      const unknown = await stage.ask(
        acamAsk(idAt(last), { ...body(last), fxconform_note: "unknown" }, unusual("with an unknown member")),
      );
      stage.observe("OPEN-35", `POST /corporate/operation/{operation_id}/acam: ${outcomeOf(unknown)}`);
      const undeclared = await stage.ask({
        ...acamAsk(idAt(last + 1), body(last + 1), unusual("declared as text/plain")),
        contentType: "text/plain",
      });
      stage.observe("OPEN-36", `text/plain: ${outcomeOf(undeclared)}`);
    },
  ),
];

/** EFX operations of one new counterparty, with their amounts. */
export const efxOperations = async (
  stage: Stage,
  amounts: readonly number[],
): Promise<{ readonly counterparty: Made; readonly operations: readonly (Made & { readonly amount: number })[] }> => {
  const counterparty = await registerCounterparty(stage);
  const operations = await Promise.all(
    amounts.map(async (amount) => ({
      ...(await createOperation(stage, { counterparty: counterparty.id, amount })),
      amount,
    })),
  );
  return { counterparty, operations };
};
