import { valueAt } from "../../spec/contract.ts";
import {
  isRefusal,
  isSuccess,
  memberOf,
  unusual,
  type Exchange,
  type Json,
  type RequestSpec,
} from "../../model/exchange.ts";
import { amountSupply } from "../kit/amounts.ts";
import { answerOf, observing, observingStatus } from "../kit/observing.ts";
import { hasPlace } from "../kit/bodies.ts";
import { bodiesLike, drawnBodies, registerCounterparty, useCounterparty } from "../kit/flows/counterparties.ts";
import { drawn, holdsForAll } from "../kit/sampling.ts";
import { counterpartyRequest, observePrototypeMembers, observeTolerance } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";

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
    {
      requirements: ["CPTY-01"],
      operations: ["createCounterparty", "createOperation", "addAcamItem"],
      chain: 4,
      drawsTheSame: true,
    },
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
    { requirements: ["CPTY-01"], operations: ["createCounterparty"], chain: 4, drawsTheSame: true },
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
        ...counterpartyRequest(context, body, unusual(what)),
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
