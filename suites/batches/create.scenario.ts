import { invalid, isSuccess, memberOf, unusual, valid, type Exchange } from "../../model/exchange.ts";
import { scenario } from "../kit/scenario.ts";
import {
  brokenRequest,
  changedBodies,
  emptyBodies,
  nonObjects,
  observeBodies,
  outcomeOf,
  probeTexts,
  tellingMalformed,
  withoutMembers,
} from "../kit/invalid-bodies.ts";
import {
  plainAmounts,
  batchRequest,
  createOperation,
  firstPair,
  listRequest,
  registerCounterparty,
  registerPlainCounterparty,
} from "../kit/steps.ts";
import { judgeTogether } from "../kit/concurrent-creation.ts";
import { followedPairs, judgeListing } from "./listing.ts";

/** Creating batches (specification, Endpoints, 5; rulings 27, 29 and 30). */
export const createBatches = [
  scenario(
    "a created batch is listed",
    {
      requirements: ["BATCH-01", "BATCH-02", "BATCH-24", "BATCH-27"],
      questions: ["OPEN-12", "OPEN-32"],
      operations: ["createCounterparty", "createOperation", "createBatch", "listBatches"],
    },
    async (context) => {
      try {
        // Operations that a batch could take up, where this server fills batches by itself.
        const counterparty = await registerCounterparty(context);
        const plain = await registerPlainCounterparty(context, 1);
        const pairs = followedPairs(context);
        const amounts = plainAmounts(context, pairs.length * 2);
        for (const [index, amount] of amounts.entries()) {
          const { id } = index < pairs.length ? counterparty : (plain ?? counterparty);
          await createOperation(context, {
            counterparty: id,
            amount,
            pair: pairs[index % pairs.length] ?? firstPair(context),
          });
        }
      } finally {
        await judgeListing(context).finally(context.knowledge.sawList);
      }
    },
  ),
  scenario(
    "batches created at the same time, and a second one for a pair",
    {
      requirements: ["BATCH-03", "BATCH-06", "BATCH-07"],
      questions: ["OPEN-32"],
      operations: ["createBatch", "listBatches"],
    },
    async (context) => {
      await context.knowledge.listSeen;
      const { currencyPairs } = context.target;
      // A batch for this pair may be there already, and may be refused for that.
      const first = await context.ask(batchRequest(firstPair(context)));
      const second = await context.ask(batchRequest(firstPair(context), unusual("a second batch for a pair")));
      const again = memberOf(first.json, "id") === memberOf(second.json, "id");
      context.observe(
        "OPEN-32",
        "a second batch for a pair",
        isSuccess(second) ? (again ? "the first one again" : "a new batch") : outcomeOf(second),
      );
      if (currencyPairs.length < 2) {
        for (const requirement of ["BATCH-06", "BATCH-07"] as const) {
          context.inconclusive(
            requirement,
            "batches differ by their pair alone, and only one is configured. Name more with --currency-pairs.",
          );
        }
        return;
      }
      if (context.settings.concurrency < 2) {
        context.inconclusive("BATCH-07", "nothing is asked at the same time with --concurrency 1");
        return;
      }
      const reading = context.ask(listRequest);
      const atOnce = (): Promise<readonly Exchange[]> =>
        Promise.all(currencyPairs.slice(0, 6).map((pair) => context.ask(batchRequest(pair, valid))));
      const judge = (answers: readonly Exchange[]): void =>
        judgeTogether(context, "BATCH-07", answers, { id: "id", echoes: [["currency_pair", "currency_pair"]] });
      const answers = await atOnce();
      await reading;
      judge(answers);
      // Few can pass each other by: once more, where a second batch for a pair is taken.
      if (currencyPairs.length > 3) return;
      const further = await atOnce();
      if (further.filter(isSuccess).length > 1) judge(further);
    },
  ),
  scenario(
    "bodies that are no batch",
    {
      requirements: ["BATCH-08"],
      questions: ["OPEN-13", "OPEN-14", "OPEN-28", "OPEN-35", "OPEN-36", "OPEN-39"],
      operations: ["createBatch"],
    },
    async (context) => {
      await context.knowledge.listSeen;
      const control = batchRequest(firstPair(context));
      await context.ask(control);
      const complete = { currency_pair: firstPair(context) };
      const bodies = [
        ...changedBodies(context, "createBatch", complete),
        ...nonObjects,
        ...emptyBodies,
        ...tellingMalformed(complete),
      ];
      await observeBodies(context, "OPEN-39", async () => control, [...bodies, withoutMembers]);
      await probeTexts(
        context,
        (text, what) => ({ ...batchRequest(text), intent: invalid(`with ${what} in /currency_pair`) }),
        "/currency_pair",
      );
      const unknown = await context.ask({
        ...control,
        intent: unusual("with an unknown member"),
        body: { ...complete, fxconform_note: "unknown" },
      });
      context.observe("OPEN-14", "an unknown member", outcomeOf(unknown));
      context.observe("OPEN-35", "POST /batches", outcomeOf(unknown));
      const undeclared = await context.ask({
        ...control,
        intent: unusual("declared as text/plain"),
        contentType: "text/plain",
      });
      context.observe("OPEN-36", "text/plain", outcomeOf(undeclared));
      context.observe(
        "OPEN-13",
        "with a pair of unknown currencies",
        outcomeOf(
          await context.ask(
            brokenRequest(control, { change: "with a pair of unknown currencies", body: { currency_pair: "QQQZZZ" } }),
          ),
        ),
      );
    },
  ),
];
