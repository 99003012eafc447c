import { isSuccess, memberOf, unusual, type Json } from "../../model/exchange.ts";
import { scenario } from "../kit/scenario.ts";
import { holdsForEach } from "../kit/property.ts";
import { outcomeOf } from "../kit/invalid-bodies.ts";
import type { Context } from "../kit/context.ts";
import {
  acamRequest,
  acamBody,
  acamSample,
  addItem,
  amountsOf,
  plainAmounts,
  createOperation,
  operationRequest,
  operationBody,
  pairAt,
  registerCounterparty,
} from "../kit/steps.ts";
import type { Made } from "../kit/target-knowledge.ts";

/** ACAM items for operations that take them (specification, Endpoints, 4; rulings 22 and 24). */
export const add = [
  scenario(
    "an ACAM item is added to an EFX operation",
    {
      requirements: ["ACAM-01", "ACAM-02"],
      questions: ["OPEN-10", "OPEN-30"],
      operations: ["createCounterparty", "createOperation", "addAcamItem"],
    },
    async (context) => {
      const { counterparty, operations } = await efxOperations(context, plainAmounts(context, 1));
      const [first] = operations;
      if (first === undefined) return;
      await addItem(context, first.id, first.amount);
      await holdsForEach(context, {
        requirements: ["ACAM-01", "ACAM-02"],
        values: amountsOf(context, Math.max(3, Math.ceil(context.settings.runs / 4))).map((amount, index) => ({
          amount,
          pair: pairAt(context, index),
        })),
        ask: async ({ amount, pair }) => {
          const data = { counterparty: counterparty.id, amount, pair };
          const made = await context.ask(operationRequest(operationBody(context, data)));
          const id = memberOf(made.json, "operation_id");
          if (!isSuccess(made) || typeof id !== "string") return made;
          return context.ask(acamRequest(id, acamSample(context, amount, Math.round(amount))));
        },
      });
      const second = await context.ask(
        acamRequest(first.id, acamBody(context, first.amount, 99), unusual("a second item for one operation")),
      );
      context.observe("OPEN-30", "a second item for one operation", outcomeOf(second));
      if (isSuccess(second))
        await context.ask(
          acamRequest(first.id, acamBody(context, first.amount, 98), unusual("a third item for one operation")),
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
    async (context) => {
      const omissions = context.generators.omissions("addAcamItem");
      const doubtful: readonly (readonly [string, Readonly<Record<string, Json>>])[] = [
        ["an amount of zero", { local_currency_amount: 0 }],
        ["a negative amount", { local_currency_amount: -1 }],
        ["a huge amount", { local_currency_amount: 1e20 }],
        ["an amount of many decimals", { local_currency_amount: 1.123456789 }],
        ["a tax id that is too short", { tax_id: "123" }],
        ["a tax id of equal digits", { tax_id: "11111111111" }],
        ["an empty merchant", { merchant: "" }],
      ];
      const { operations } = await efxOperations(
        context,
        plainAmounts(context, omissions.length + doubtful.length + 2),
      );
      const body = (index: number): Readonly<Record<string, Json>> =>
        acamBody(context, operations[index]?.amount ?? 0, index);
      const idAt = (index: number): string => operations[index]?.id ?? "";
      await Promise.all([
        ...omissions.map(async ({ pointer, apply }, index) => {
          const exchange = await context.ask(
            acamRequest(idAt(index), apply(body(index)), unusual(`without ${pointer}`)),
          );
          context.observe("OPEN-05", `without ${pointer}`, outcomeOf(exchange));
        }),
        ...doubtful.map(async ([what, values], offset) => {
          const index = omissions.length + offset;
          const exchange = await context.ask(
            acamRequest(idAt(index), { ...body(index), ...values }, unusual(`with ${what}`)),
          );
          context.observe("OPEN-06", what, outcomeOf(exchange));
        }),
      ]);
      const last = omissions.length + doubtful.length;
      const unknown = await context.ask(
        acamRequest(idAt(last), { ...body(last), fxconform_note: "unknown" }, unusual("with an unknown member")),
      );
      context.observe("OPEN-35", "POST /corporate/operation/{operation_id}/acam", outcomeOf(unknown));
      const undeclared = await context.ask({
        ...acamRequest(idAt(last + 1), body(last + 1), unusual("declared as text/plain")),
        contentType: "text/plain",
      });
      context.observe("OPEN-36", "text/plain", outcomeOf(undeclared));
    },
  ),
];

/** EFX operations of one new counterparty, with their amounts. */
export const efxOperations = async (
  context: Context,
  amounts: readonly number[],
): Promise<{ readonly counterparty: Made; readonly operations: readonly (Made & { readonly amount: number })[] }> => {
  const counterparty = await registerCounterparty(context);
  const operations = await Promise.all(
    amounts.map(async (amount) => ({
      ...(await createOperation(context, { counterparty: counterparty.id, amount })),
      amount,
    })),
  );
  return { counterparty, operations };
};
