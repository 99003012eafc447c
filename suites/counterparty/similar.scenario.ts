import type { Pool } from "../../generators/index.ts";
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
import { draw } from "../kit/draw.ts";
import { counterpartyRequest } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";
import type { Made } from "../kit/target-knowledge.ts";

/** Data that equals or resembles earlier data: the server may refuse or merge it, but must not crash (INT-35). */
export const similarData = [
  scenario(
    "counterparty/similar/counterparties",
    "counterparties that share a name, an account, an external id, or all",
    {
      requirements: ["CPTY-10"],
      questions: ["OPEN-45"],
      operations: ["createCounterparty"],
      cost: 8,
      chain: 9,
      drawsTheSame: true,
    },
    async (context) => {
      const first = await registerCounterparty(context);
      for (const { item, isAlways } of draw(context, similar)) {
        const exchange = await context.send(specOf(context, first, item));
        const again = memberOf(exchange.json, "id") === first.id;
        const answer = isSuccess(exchange) ? (again ? "the first one again" : "a new one") : answerOf(exchange);
        const inCase = item.change === undefined ? "a counterparty that is the same" : `a counterparty of ${item.what}`;
        if (isAlways) context.observeAnswer("OPEN-45", inCase, exchange, answer);
      }
      // Two counterparties without an external id: a missing id is not shared.
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

/** A new counterparty, changed so that it resembles the first one. */
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

/** A counterparty that is like another one. */
interface Similar {
  /** What the two share. */
  readonly what: string;
  /** Absent if the request is repeated unchanged. */
  readonly change?: Change;
  /** Whether the server may return the first one: then the response need not repeat what was sent. */
  readonly mayBeFirst?: true;
}

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Takes the text at a pointer from the first one, written differently. */
const likewise =
  (pointer: string, written: (text: string) => string): Change =>
  (body, first) =>
    withValue(body, pointer, written(text(valueAt(first, pointer))));

const withOtherEnd = (digits: string): string => `${digits.slice(0, -1)}${digits.endsWith("7") ? 3 : 7}`;

const similar: Pool<Similar> = {
  name: "pairs of similar counterparties",
  items: [
    { what: "the same name", change: taking("/name") },
    { what: "the same account", change: taking("/bank_account"), mayBeFirst: true },
    { what: "the same external id", change: taking("/external_id"), mayBeFirst: true },
    { what: "everything" },
    {
      what: "the same name in capital letters",
      change: likewise("/name", (name) => name.toUpperCase()),
      mayBeFirst: true,
    },
    // Each is a different payee: a part of an account number does not identify an account.
    {
      what: "the same account number but for its last digit",
      change: likewise("/bank_account/account_number", withOtherEnd),
    },
    { what: "the same name and account", change: taking("/name", "/bank_account"), mayBeFirst: true },
    { what: "the same name and external id", change: taking("/name", "/external_id"), mayBeFirst: true },
    { what: "the same address", change: taking("/counterparty_address") },
    { what: "the same bank", change: taking("/bank_account/bank_name", "/bank_account/swift_code") },
    { what: "the same account number", change: taking("/bank_account/account_number"), mayBeFirst: true },
    {
      what: "the same external id in capital letters",
      change: likewise("/external_id", (id) => id.toUpperCase()),
      mayBeFirst: true,
    },
    {
      what: "the same external id with a space at its end",
      change: likewise("/external_id", (id) => `${id} `),
      mayBeFirst: true,
    },
  ],
  always: 6,
  drawn: 1,
};

const specOf = (context: Context, { body, exchange }: Made, { what, change, mayBeFirst }: Similar): RequestSpec => {
  if (change === undefined) return sentAgain(context, exchange);
  const intent = `with ${what} as another`;
  return changed(context, body, change, mayBeFirst === true ? invalid(intent) : unusual(intent));
};

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
