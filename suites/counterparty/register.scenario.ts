import { sampleOf } from "../../generators/index.ts";
import { isSuccess, memberOf, unusual, valid, type Json } from "../../harness/exchange.ts";
import { scenario } from "../define.ts";
import { hasPlace, outcomeOf } from "../invalid.ts";
import { holdsForAll } from "../property.ts";
import { counterpartyAsk, plainAmounts, registerCounterparty } from "../steps.ts";
import { judgeTogether } from "../together.ts";
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
    async (stage) => {
      // Once, and once more: some faults show only the second time.
      await registerCounterparty(stage, 1);
      await registerCounterparty(stage, 2);
    },
  ),
  scenario(
    "every valid counterparty is answered as promised",
    {
      requirements: ["CPTY-02", "CPTY-03", "CPTY-04", "CPTY-05", "CPTY-10"],
      operations: ["createCounterparty"],
    },
    (stage) =>
      holdsForAll(stage, {
        requirements: ["CPTY-02", "CPTY-10"],
        arbitrary: stage.generators.valid("createCounterparty"),
        n: Math.ceil(stage.manner.runs * 0.6),
        ask: (body) => stage.ask(counterpartyAsk(stage, body)),
      }),
  ),
  scenario(
    "members that nobody says are required are left out",
    {
      requirements: ["CPTY-01"],
      questions: ["OPEN-04"],
      operations: ["createCounterparty", "createOperation", "addAcamItem"],
    },
    async (stage) => {
      const control = await registerCounterparty(stage);
      const omissions = stage.generators
        .omissions("createCounterparty")
        .filter(({ pointer }) => hasPlace(control.body, pointer));
      const amounts = plainAmounts(stage, omissions.length, 6);
      await Promise.all(
        omissions.map(async ({ pointer, apply }, index) => {
          const without = `without ${pointer}`;
          const exchange = await stage.ask(counterpartyAsk(stage, apply(control.body), unusual(without)));
          stage.observe("OPEN-04", `${without}: ${outcomeOf(exchange)}`);
          // What an operation shows of an account that there is none of is open.
          if (pointer !== "/bank_account") await dealWith(stage, exchange, amounts[index], without);
        }),
      );
    },
  ),
  scenario(
    "members that nobody knows, and an id of the client's own",
    { requirements: ["CPTY-01"], questions: ["OPEN-31", "OPEN-35", "OPEN-36"], operations: ["createCounterparty"] },
    async (stage) => {
      const { body } = await registerCounterparty(stage);
      const extended = (name: string, value: Json): Json => ({ ...(body as Record<string, Json>), [name]: value });
      const unknown = await stage.ask(
        counterpartyAsk(stage, extended("fxconform_note", "unknown"), unusual("with an unknown member")),
      );
      stage.observe("OPEN-35", `POST /customers/{customer_id}/counterparty: ${outcomeOf(unknown)}`);
      const undeclared = await stage.ask({
        ...counterpartyAsk(stage, body, unusual("declared as text/plain")),
        contentType: "text/plain",
      });
      stage.observe("OPEN-36", `text/plain: ${outcomeOf(undeclared)}`);
      const own = `own-${stage.world.runId}`;
      const named = await stage.ask(
        counterpartyAsk(stage, extended("id", own), unusual("with an id of the client's own")),
      );
      const taken = memberOf(named.json, "id") === own ? "taken over" : "ignored";
      stage.observe("OPEN-31", isSuccess(named) ? taken : outcomeOf(named));
    },
  ),
  scenario(
    "a customer that was made up",
    { requirements: ["CPTY-12"], questions: ["OPEN-22"], operations: ["createCounterparty"] },
    async (stage) => {
      const [body = {}] = sampleOf(stage.generators.complete("createCounterparty"), { seed: stage.seed, n: 1 });
      const exchange = await stage.ask({
        ...counterpartyAsk(stage, body, unusual("for a customer that was made up")),
        path: { customer_id: `nobody-${stage.world.runId}` },
      });
      stage.observe("OPEN-22", `a made-up customer: ${outcomeOf(exchange)}`);
    },
  ),
  scenario(
    "counterparties registered at the same time",
    { requirements: ["CPTY-11"], operations: ["createCounterparty"] },
    async (stage) => {
      if (stage.manner.concurrency < 2) {
        stage.inconclusive("CPTY-11", "nothing is asked at the same time with --concurrency 1");
        return;
      }
      const bodies = sampleOf(stage.generators.complete("createCounterparty"), {
        seed: stage.seed,
        n: Math.min(10, stage.manner.concurrency * 2),
      });
      const answers = await Promise.all(bodies.map((body) => stage.ask(counterpartyAsk(stage, body, valid))));
      judgeTogether(stage, "CPTY-11", answers, { id: "id", echoes: [["external_id", "external_id"]] });
    },
  ),
];
