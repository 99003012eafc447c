import { valueAt } from "../../spec/contract.ts";
import type { Pool } from "../../generators/index.ts";
import { withValue } from "../../generators/pointer.ts";
import { invalid, memberOf, unusual, type Exchange, type RequestSpec } from "../../model/exchange.ts";
import { amountSupply } from "../kit/amounts.ts";
import type { Context } from "../kit/context.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { addItem } from "../kit/flows/items.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { answerOnRepetition } from "../kit/observing.ts";
import { counterpartyRequest, withChangedBody } from "../kit/requests.ts";
import { draw } from "../kit/sampling.ts";
import { scenario } from "../kit/scenario.ts";
import type { Made } from "../kit/target-knowledge.ts";

/** Data that equals or resembles earlier data: the server may refuse or merge it, but must not crash (INT-35). */
export const similarData = [
  scenario(
    "counterparty/similar/counterparties",
    "counterparties that share a name, an account, an external id, or all",
    { requirements: ["CPTY-10"], operations: ["createCounterparty"], chain: 9, drawsTheSame: true },
    async (context) => {
      const first = await registerCounterparty(context);
      for (const { item, isAlways } of draw(context, similar)) {
        const exchange = await context.send(specOf(context, first, item));
        const answer = answerOnRepetition(exchange, memberOf(exchange.json, "id") === first.id);
        const inCase = item.at === undefined ? "a counterparty that is the same" : `a counterparty of ${item.what}`;
        if (isAlways) context.observeAnswer("OPEN-45", inCase, exchange, answer);
      }
      // Two counterparties without an external id: a missing id is not shared.
      const without = counterpartyRequest(context, first.body, unusual("without an external id"));
      for (const _ of ["one", "other"])
        await context.send(withChangedBody(without, (body) => withValue(body, externalId, undefined)));
    },
  ),
  scenario(
    "counterparty/similar/operations",
    "the same operation and the same item again",
    {
      requirements: ["OPER-15"],
      operations: ["createCounterparty", "createOperation", "addAcamItem"],
      chain: 7,
      drawsTheSame: true,
    },
    async (context) => {
      const { id: counterparty } = await registerCounterparty(context, 1);
      const amount = amountSupply(context, 1, 5)();
      const first = await createOperation(context, { counterparty, amount });
      const again = await context.send(sentAgain(context, first.exchange));
      const answer = answerOnRepetition(again, memberOf(again.json, "operation_id") === first.id);
      context.observeAnswer("OPEN-45", "an operation, all of it", again, answer);
      await context.untilKnown();
      const item = await addItem(context, first.id, amount);
      const second = await context.send(sentAgain(context, item));
      context.observeAnswer("OPEN-45", "an ACAM item, all of it", second);
    },
  ),
];

/** A counterparty that is like another one. */
interface Similar {
  /** What the two share. */
  readonly what: string;
  /** The places whose values it takes from the first one. Absent if the request is repeated unchanged. */
  readonly at?: readonly string[];
  /** How it writes them. @defaultValue as the first one has them */
  readonly written?: (text: string) => string;
  /** Whether the server may return the first one: then the response need not repeat what was sent. */
  readonly mayBeFirst?: true;
}

const [name, account, externalId] = ["/name", "/bank_account", "/external_id"] as const;
const number = "/bank_account/account_number";
const mayBeFirst = true;
const upper = (text: string): string => text.toUpperCase();
const spaced = (text: string): string => `${text} `;
const withOtherEnd = (digits: string): string => `${digits.slice(0, -1)}${digits.endsWith("7") ? 3 : 7}`;

const similar: Pool<Similar> = {
  name: "pairs of similar counterparties",
  items: [
    { what: "the same name", at: [name] },
    { what: "the same account", at: [account], mayBeFirst },
    { what: "the same external id", at: [externalId], mayBeFirst },
    { what: "everything" },
    { what: "the same name in capital letters", at: [name], written: upper, mayBeFirst },
    // Each is a different payee: a part of an account number does not identify an account.
    { what: "the same account number but for its last digit", at: [number], written: withOtherEnd },
    { what: "the same name and account", at: [name, account], mayBeFirst },
    { what: "the same name and external id", at: [name, externalId], mayBeFirst },
    { what: "the same address", at: ["/counterparty_address"] },
    { what: "the same bank", at: ["/bank_account/bank_name", "/bank_account/swift_code"] },
    { what: "the same account number", at: [number], mayBeFirst },
    { what: "the same external id in capital letters", at: [externalId], written: upper, mayBeFirst },
    { what: "the same external id with a space at its end", at: [externalId], written: spaced, mayBeFirst },
  ],
  always: 6,
};

const specOf = (context: Context, { body, exchange }: Made, row: Similar): RequestSpec => {
  const { what, at, written = (text) => text } = row;
  if (at === undefined) return sentAgain(context, exchange);
  const intent = (row.mayBeFirst === true ? invalid : unusual)(`with ${what} as another`);
  return withChangedBody(counterpartyRequest(context, body, intent), (own) =>
    at.reduce((similarBody, pointer) => {
      const value = valueAt(body, pointer);
      return withValue(similarBody, pointer, typeof value === "string" ? written(value) : value);
    }, own),
  );
};

/** The request of an exchange once more, with the very same body. */
const sentAgain = (context: Context, exchange: Exchange): RequestSpec => ({
  operation: exchange.operation,
  ...context.run.sender.specOf(exchange),
  intent: unusual("that was sent before"),
  body: exchange.request.json ?? null,
});
