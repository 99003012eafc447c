import { spelledOtherwise } from "../../generators/index.ts";
import { invalid, isSuccess, unusual, type Intent } from "../../model/exchange.ts";
import { scenario } from "../kit/scenario.ts";
import { outcomeOf, probeTexts, tellingTexts } from "../kit/invalid-bodies.ts";
import { plainAmounts, createOperation, operationRequest, operationBody, registerCounterparty } from "../kit/steps.ts";

/** Operations that are odd and break no stated rule: refusing them is no fault, crashing is (rulings 2, 4 and 31). */
export const oddOperations = [
  scenario(
    "the same operation in other spellings of JSON",
    {
      requirements: ["OPER-06", "OPER-07", "OPER-08", "OPER-09"],
      operations: ["createCounterparty", "createOperation"],
    },
    async (context) => {
      const counterparty = await registerCounterparty(context);
      const [first = context.target.amount.min, ...amounts] = plainAmounts(context, 8);
      await createOperation(context, { counterparty: counterparty.id, amount: first });
      await Promise.all(
        amounts.map(async (amount, index) => {
          const body = operationBody(context, { counterparty: counterparty.id, amount });
          const spellings = spelledOtherwise(body);
          const spelling = spellings[index % spellings.length];
          if (spelling === undefined) return;
          const { body: _, ...ask } = operationRequest(body, unusual(`written with ${spelling.id}`));
          const exchange = await context.ask({ ...ask, text: spelling.text });
          if (!isSuccess(exchange))
            context.observe("OPEN-28", `POST /corporate/operation, ${spelling.id}`, outcomeOf(exchange));
        }),
      );
    },
  ),
  scenario(
    "odd texts and amounts in an operation",
    {
      requirements: ["OPER-17"],
      questions: ["OPEN-02", "OPEN-28", "OPEN-29", "OPEN-35", "OPEN-36"],
      operations: ["createCounterparty", "createOperation"],
    },
    async (context) => {
      const counterparty = await registerCounterparty(context);
      const [first = context.target.amount.min, amount = first, other = first, third = first, fourth = first] =
        plainAmounts(context, 5);
      await createOperation(context, { counterparty: counterparty.id, amount: first });
      const whole = operationBody(context, { counterparty: counterparty.id, amount });
      // Values that the configuration does not call valid: their echoes are not judged (ruling 12).
      for (const [member, texts] of [
        ["operation_purpose", tellingTexts],
        ["currency_pair", tellingTexts.filter((_, index) => index % 2 === 0)],
        ["counterparty_id", tellingTexts.filter((_, index) => index % 2 === 1)],
      ] as const) {
        await probeTexts(
          context,
          (text, what) => operationRequest({ ...whole, [member]: text }, invalid(`with ${what} in /${member}`)),
          `/${member}`,
          texts,
        );
      }
      // More decimals or a larger amount than is known to work may be refused, and break no rule: what is accepted is
      // returned as it was sent (ruling 9).
      const large = [
        ...[amount + 0.123456789, 0.005, 27_182.81, 314_159.27, 31_415_926.53],
        ...[2 ** 31, 2 ** 53, 1e15 + 0.5, context.target.amount.max * 10],
      ];
      const extreme = [1e-9, 1e21, 1e308, 5e-324, -0];
      const probe = async (odd: number, intent: Intent): Promise<void> => {
        const exchange = await context.ask(operationRequest({ ...whole, currency_amount: odd }, intent));
        context.observe("OPEN-29", String(odd), outcomeOf(exchange));
      };
      await Promise.all([
        ...large.map((odd) => probe(odd, unusual(`with the amount ${odd}`))),
        ...extreme.map((odd) => probe(odd, invalid(`with the amount ${odd}`))),
      ]);
      const unknown = await context.ask(
        operationRequest(
          { ...whole, currency_amount: other, fxconform_note: "unknown" },
          unusual("with an unknown member"),
        ),
      );
      context.observe("OPEN-35", "POST /corporate/operation", outcomeOf(unknown));
      // What the client may not decide: the response is one to a new operation all the same (ruling 18).
      const decided = { status: "settled", batch_id: `batch-${context.run.runId}` };
      await context.ask(
        operationRequest({ ...whole, currency_amount: fourth, ...decided }, unusual("with a status and a batch_id")),
      );
      const undeclared = await context.ask({
        ...operationRequest({ ...whole, currency_amount: third }, unusual("declared as text/plain")),
        contentType: "text/plain",
      });
      context.observe("OPEN-36", "text/plain", outcomeOf(undeclared));
    },
  ),
];
