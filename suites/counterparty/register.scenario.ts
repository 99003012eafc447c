import { valueAt } from "../../spec/contract.ts";
import { isRefusal, isSuccess, memberOf, unusual, invalid } from "../../model/exchange.ts";
import type { Exchange, Json, RequestSpec } from "../../model/exchange.ts";
import { amountSupply } from "../kit/amounts.ts";
import { answerOf, observing, observingStatus, answerOnRepetition } from "../kit/observing.ts";
import { hasPlace, counterpartyRequest, observePrototypeMembers, observeTolerance } from "../kit/requests.ts";
import { withChangedBody } from "../kit/requests.ts";
import { bodiesLike, drawnBodies, registerCounterparty } from "../kit/flows/counterparties.ts";
import { useCounterparty, addItem, createOperation } from "../kit/flows/operations.ts";
import { drawn, holdsForAll, draw } from "../kit/sampling.ts";
import { scenario } from "../kit/scenario.ts";
import type { Pool } from "../../generators/index.ts";
import { withValue } from "../../generators/pointer.ts";
import type { Context } from "../kit/context.ts";
import type { Made } from "../kit/target-knowledge.ts";

/** Registering counterparties (specification, Endpoints, 2; INT-25 and INT-26). */
export const register = [
  scenario(
    "counterparty/register/twice",
    "a counterparty is registered, and another",
    { requirements: ["CPTY-01", "CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09"], operations: ["createCounterparty"] },
    async (context) => {
      // Some faults show only the second time.
      await registerCounterparty(context, 1);
      await registerCounterparty(context, 2);
    },
  ),
  scenario(
    "counterparty/register/valid",
    "every valid counterparty is registered as stated",
    { requirements: ["CPTY-02", "CPTY-03", "CPTY-04", "CPTY-05", "CPTY-10"], operations: ["createCounterparty"] },
    (context) =>
      holdsForAll(context, {
        requirements: ["CPTY-02", "CPTY-10"],
        samples: drawn(context, context.generators.valid("createCounterparty"), Math.ceil(context.settings.runs * 0.6)),
        send: (body) => context.send(counterpartyRequest(context, body)),
      }),
  ),
  scenario(
    "counterparty/register/omissions",
    "members that nobody says are required are left out",
    { requirements: ["CPTY-01"], operations: ["addAcamItem"], drawsTheSame: true, phase: "beside" },
    async (context) => {
      const control = await registerCounterparty(context);
      const omissions = context.generators
        .omissions("createCounterparty")
        .filter(({ pointer }) => hasPlace(control.body, pointer));
      const amount = amountSupply(context, omissions.length, 6);
      await Promise.all(
        omissions.map(async ({ pointer, apply }) => {
          const what = `without ${pointer}`;
          const spec = counterpartyRequest(context, apply(control.body), unusual(what));
          const hadIt = valueAt(control.body, pointer) !== undefined;
          const exchange = await context.send(hadIt ? observing(spec, "OPEN-04", what) : spec);
          // What an operation shows of a bank account that was never sent is an open question.
          const item = pointer === "/intermediary_bank";
          if (pointer !== "/bank_account") await useCounterparty(context, exchange, what, { amount: amount(), item });
        }),
      );
    },
  ),
  scenario(
    "counterparty/register/unknown-members",
    "unknown members, and an id of the client's own",
    { requirements: ["CPTY-01"], operations: ["createCounterparty"], drawsTheSame: true, phase: "beside" },
    async (context) => {
      const { body } = await registerCounterparty(context);
      const spec = counterpartyRequest(context, body);
      await observeTolerance(context, spec, spec);
      await observePrototypeMembers(context, spec);
      const own = `own-${context.run.runId}`;
      const extended = { ...(body as Readonly<Record<string, Json>>), id: own };
      const intent = unusual("with an id of the client's own");
      const named = await context.send(counterpartyRequest(context, extended, intent));
      const effect = memberOf(named.json, "id") === own ? "taken over" : "ignored";
      context.observeAnswer("OPEN-31", "an id of the client's own", named, isSuccess(named) ? effect : answerOf(named));
    },
  ),
  scenario(
    "counterparty/register/unknown-customer",
    "a counterparty for a made-up customer",
    { requirements: ["CPTY-12"], operations: [], drawsTheSame: true },
    async (context) => {
      const [body = {}] = drawnBodies(context, 1);
      const requestFor = (customer: string, what: string): RequestSpec => ({
        ...counterpartyRequest(context, body, invalid(what)),
        path: { customer_id: customer },
      });
      const spec = requestFor(`nobody-${context.run.runId}`, "for a made-up customer");
      await context.send(observingStatus(observing(spec, "OPEN-22", "a made-up customer"), "a made-up customer"));
      await context.send(requestFor(`nobody-${context.run.runId}'--`, "for a made-up customer with a quote as in SQL"));
      await context.send(requestFor("nobody".repeat(40), "for a made-up customer with a long id"));
    },
  ),
  scenario(
    "counterparty/register/concurrent",
    "counterparties are registered at the same time",
    { requirements: ["CPTY-11"], operations: ["createCounterparty"] },
    async (context) => {
      const n = Math.min(10, context.settings.concurrency * 2);
      const atOnce = (bodies: readonly Json[]): Promise<readonly Exchange[]> =>
        Promise.all(bodies.map((body) => context.send(counterpartyRequest(context, body))));
      const exchanges = await atOnce(drawnBodies(context, n));
      // A server may take counterparties of one country, or none with an intermediary bank.
      if (exchanges.filter(isSuccess).length < 2 && exchanges.every((one) => isSuccess(one) || isRefusal(one)))
        await atOnce(bodiesLike(context, (await registerCounterparty(context)).body, n, 1));
    },
  ),
];

/** Data that equals or resembles earlier data: the server may refuse or merge it, but must not crash (INT-35). */
export const similarData = [
  scenario(
    "counterparty/similar/counterparties",
    "counterparties that share a name, an account, an external id, or all",
    { requirements: ["CPTY-10"], operations: ["createCounterparty"], drawsTheSame: true },
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
    { requirements: ["OPER-15"], operations: ["addAcamItem"], drawsTheSame: true },
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

interface Similar {
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

const sentAgain = (context: Context, exchange: Exchange): RequestSpec => ({
  operation: exchange.operation,
  ...context.run.sender.specOf(exchange),
  intent: unusual("that was sent before"),
  body: exchange.request.json ?? null,
});
