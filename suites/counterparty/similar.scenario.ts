import { valueAt, withValue } from "../../generators/pointer.ts";
import {
  invalid,
  isSuccess,
  memberOf,
  unusual,
  type BodyMaker,
  type Intent,
  type Json,
  type RequestSpec,
} from "../../model/exchange.ts";
import { plainAmounts } from "../kit/amounts.ts";
import { answerOf } from "../kit/answer.ts";
import type { Context } from "../kit/context.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { untilKnown } from "../kit/flows/created.ts";
import { addItem } from "../kit/flows/items.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { counterpartyRequest } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";
import type { Made } from "../kit/target-knowledge.ts";

/** Data that is like what was sent before, or the same: it may be refused or merged, but nothing crashes (INT-35). */
export const similarData = [
  scenario(
    "counterparty/similar/counterparties",
    "counterparties that share a name, an account, an external id, or all",
    {
      requirements: ["CPTY-10"],
      questions: ["OPEN-45"],
      operations: ["createCounterparty"],
      cost: 7,
      chain: 8,
      drawsTheSame: true,
    },
    async (context) => {
      const first = await registerCounterparty(context);
      for (const { what, spec } of similarTo(context, first)) {
        const exchange = await context.send(spec);
        const again = memberOf(exchange.json, "id") === first.id;
        const answer = isSuccess(exchange) ? (again ? "the first one again" : "a new one") : answerOf(exchange);
        context.observeAnswer("OPEN-45", `a counterparty ${what}`, exchange, answer);
      }
      // Two without an external id: what is not there is nothing that they share.
      for (const _ of ["one", "other"]) await context.send(changed(context, first.body, withoutExternalId));
    },
  ),
  scenario(
    "counterparty/similar/operations",
    "the same operation and the same item again",
    {
      requirements: ["OPER-15"],
      questions: ["OPEN-45"],
      operations: ["createCounterparty", "createOperation", "addAcamItem"],
      cost: 6,
      chain: 7,
      drawsTheSame: true,
    },
    async (context) => {
      const { id: counterparty } = await registerCounterparty(context, 1);
      const [amount = context.target.amount.min] = plainAmounts(context, 1, 5);
      const first = await createOperation(context, { counterparty, amount });
      const again = await context.send(sentAgain(context, first.exchange));
      const isFirst = memberOf(again.json, "operation_id") === first.id;
      const answer = isSuccess(again) ? (isFirst ? "the first one again" : "a new one") : answerOf(again);
      context.observeAnswer("OPEN-45", "an operation, all of it", again, answer);
      await untilKnown(context);
      const item = await addItem(context, first.id, amount);
      const second = await context.send(sentAgain(context, item));
      context.observeAnswer("OPEN-45", "an ACAM item, all of it", second);
    },
  ),
];

type Change = (body: Json, first: Json) => Json;

const taking =
  (...pointers: readonly string[]): Change =>
  (body, first) =>
    pointers.reduce((changed, pointer) => withValue(changed, pointer, valueAt(first, pointer)), body);

const withoutExternalId: Change = (body) => withValue(body, "/external_id", undefined);

/** A new counterparty that the change makes like the first one. */
const changed = (
  context: Context,
  first: Json,
  change: Change,
  intent: Intent = unusual("without an external id"),
): RequestSpec => {
  const spec = counterpartyRequest(context, first, intent);
  const stamped = spec.body as BodyMaker;
  return { ...spec, body: (serial) => change(stamped(serial), first) };
};

/** Where the server may return the first one, what it returns is not judged by what was sent. */
const similarTo = (context: Context, { body, exchange }: Made) => [
  { what: "of the same name", spec: changed(context, body, taking("/name"), unusual("with the name of another")) },
  {
    what: "of the same account",
    spec: changed(context, body, taking("/bank_account"), invalid("with the account of another")),
  },
  {
    what: "of the same external id",
    spec: changed(context, body, taking("/external_id"), invalid("with the external id of another")),
  },
  { what: "that is the same", spec: sentAgain(context, exchange) },
];

/** The request of an exchange once more, with the very same body. */
const sentAgain = (context: Context, exchange: Made["exchange"]): RequestSpec => {
  const spec = context.run.sender.specOf(exchange);
  return {
    operation: exchange.operation,
    ...spec,
    intent: unusual("that was sent before"),
    body: exchange.request.json ?? null,
  };
};
