import { sampleOf } from "../../generators/index.ts";
import { isSuccess, memberOf, unusual, valid, type Json } from "../../model/exchange.ts";
import { scenario } from "../kit/scenario.ts";
import { hasPlace, outcomeOf } from "../kit/invalid-bodies.ts";
import { holdsForAll } from "../kit/property.ts";
import { counterpartyRequest, plainAmounts, registerCounterparty } from "../kit/steps.ts";
import { judgeTogether } from "../kit/concurrent-creation.ts";
import { dealWith } from "./deal.ts";

/** Registering counterparties (specification, Endpoints, 2; rulings 25 and 26). */
export const register = [
  scenario(
    "a counterparty is registered",
    {
      requirements: ["CPTY-01", "CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09"],
      questions: ["OPEN-08", "OPEN-33"],
      operations: ["createCounterparty"],
    },
    async (context) => {
      // Once, and once more: some faults show only the second time.
      await registerCounterparty(context, 1);
      await registerCounterparty(context, 2);
    },
  ),
  scenario(
    "every valid counterparty is answered as promised",
    {
      requirements: ["CPTY-02", "CPTY-03", "CPTY-04", "CPTY-05", "CPTY-10"],
      operations: ["createCounterparty"],
    },
    (context) =>
      holdsForAll(context, {
        requirements: ["CPTY-02", "CPTY-10"],
        arbitrary: context.generators.valid("createCounterparty"),
        n: Math.ceil(context.settings.runs * 0.6),
        ask: (body) => context.ask(counterpartyRequest(context, body)),
      }),
  ),
  scenario(
    "members that nobody says are required are left out",
    {
      requirements: ["CPTY-01"],
      questions: ["OPEN-04"],
      operations: ["createCounterparty", "createOperation", "addAcamItem"],
    },
    async (context) => {
      const control = await registerCounterparty(context);
      const omissions = context.generators
        .omissions("createCounterparty")
        .filter(({ pointer }) => hasPlace(control.body, pointer));
      const amounts = plainAmounts(context, omissions.length, 6);
      await Promise.all(
        omissions.map(async ({ pointer, apply }, index) => {
          const without = `without ${pointer}`;
          const exchange = await context.ask(counterpartyRequest(context, apply(control.body), unusual(without)));
          context.observe("OPEN-04", without, outcomeOf(exchange));
          // What an operation shows of an account that there is none of is open.
          if (pointer !== "/bank_account") await dealWith(context, exchange, amounts[index], without);
        }),
      );
    },
  ),
  scenario(
    "members that nobody knows, and an id of the client's own",
    { requirements: ["CPTY-01"], questions: ["OPEN-31", "OPEN-35", "OPEN-36"], operations: ["createCounterparty"] },
    async (context) => {
      const { body } = await registerCounterparty(context);
      const extended = (name: string, value: Json): Json => ({ ...(body as Record<string, Json>), [name]: value });
      const unknown = await context.ask(
        counterpartyRequest(context, extended("fxconform_note", "unknown"), unusual("with an unknown member")),
      );
      context.observe("OPEN-35", "POST /customers/{customer_id}/counterparty", outcomeOf(unknown));
      const undeclared = await context.ask({
        ...counterpartyRequest(context, body, unusual("declared as text/plain")),
        contentType: "text/plain",
      });
      context.observe("OPEN-36", "text/plain", outcomeOf(undeclared));
      const own = `own-${context.run.runId}`;
      const named = await context.ask(
        counterpartyRequest(context, extended("id", own), unusual("with an id of the client's own")),
      );
      const taken = memberOf(named.json, "id") === own ? "taken over" : "ignored";
      context.observe("OPEN-31", "an id of the client's own", isSuccess(named) ? taken : outcomeOf(named));
    },
  ),
  scenario(
    "a customer that was made up",
    { requirements: ["CPTY-12"], questions: ["OPEN-22"], operations: ["createCounterparty"] },
    async (context) => {
      const [body = {}] = sampleOf(context.generators.complete("createCounterparty"), { seed: context.seed, n: 1 });
      const exchange = await context.ask({
        ...counterpartyRequest(context, body, unusual("for a customer that was made up")),
        path: { customer_id: `nobody-${context.run.runId}` },
      });
      context.observe("OPEN-22", "a made-up customer", outcomeOf(exchange));
    },
  ),
  scenario(
    "counterparties registered at the same time",
    { requirements: ["CPTY-11"], operations: ["createCounterparty"] },
    async (context) => {
      if (context.settings.concurrency < 2) {
        context.inconclusive("CPTY-11", "nothing is asked at the same time with --concurrency 1");
        return;
      }
      const bodies = sampleOf(context.generators.complete("createCounterparty"), {
        seed: context.seed,
        n: Math.min(10, context.settings.concurrency * 2),
      });
      const answers = await Promise.all(bodies.map((body) => context.ask(counterpartyRequest(context, body, valid))));
      judgeTogether(context, "CPTY-11", answers, { id: "id", echoes: [["external_id", "external_id"]] });
    },
  ),
];
