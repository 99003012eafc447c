import { invalid, isSuccess, memberOf, unusual, valid, type Exchange } from "../../harness/exchange.ts";
import { scenario } from "../define.ts";
import {
  brokenAsk,
  changedBodies,
  emptyBodies,
  nonObjects,
  observeBodies,
  outcomeOf,
  probeTexts,
  tellingMalformed,
  withoutMembers,
} from "../invalid.ts";
import {
  plainAmounts,
  batchAsk,
  createOperation,
  firstPair,
  listAsk,
  registerCounterparty,
  registerPlainCounterparty,
} from "../steps.ts";
import { judgeTogether } from "../together.ts";
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
    async (stage) => {
      try {
        // Operations that a batch could take up, where this server fills batches by itself.
        const counterparty = await registerCounterparty(stage);
        const plain = await registerPlainCounterparty(stage, 1);
        const pairs = followedPairs(stage);
        const amounts = plainAmounts(stage, pairs.length * 2);
        for (const [index, amount] of amounts.entries()) {
          const { id } = index < pairs.length ? counterparty : (plain ?? counterparty);
          await createOperation(stage, {
            counterparty: id,
            amount,
            pair: pairs[index % pairs.length] ?? firstPair(stage),
          });
        }
      } finally {
        await judgeListing(stage).finally(stage.common.sawList);
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
    async (stage) => {
      await stage.common.listSeen;
      const { currencyPairs } = stage.target;
      // A batch for this pair may be there already, and may be refused for that.
      const first = await stage.ask(batchAsk(firstPair(stage)));
      const second = await stage.ask(batchAsk(firstPair(stage), unusual("a second batch for a pair")));
      const again = memberOf(first.json, "id") === memberOf(second.json, "id");
      stage.observe("OPEN-32", isSuccess(second) ? (again ? "the first one again" : "a new batch") : outcomeOf(second));
      if (currencyPairs.length < 2) {
        for (const requirement of ["BATCH-06", "BATCH-07"] as const) {
          stage.inconclusive(
            requirement,
            "batches differ by their pair alone, and only one is configured. Name more with --currency-pairs.",
          );
        }
        return;
      }
      if (stage.manner.concurrency < 2) {
        stage.inconclusive("BATCH-07", "nothing is asked at the same time with --concurrency 1");
        return;
      }
      const reading = stage.ask(listAsk);
      const atOnce = (): Promise<readonly Exchange[]> =>
        Promise.all(currencyPairs.slice(0, 6).map((pair) => stage.ask(batchAsk(pair, valid))));
      const judge = (answers: readonly Exchange[]): void =>
        judgeTogether(stage, "BATCH-07", answers, { id: "id", echoes: [["currency_pair", "currency_pair"]] });
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
    async (stage) => {
      await stage.common.listSeen;
      const control = batchAsk(firstPair(stage));
      await stage.ask(control);
      const complete = { currency_pair: firstPair(stage) };
      const bodies = [
        ...changedBodies(stage, "createBatch", complete),
        ...nonObjects,
        ...emptyBodies,
        ...tellingMalformed(complete),
      ];
      await observeBodies(stage, "OPEN-39", async () => control, [...bodies, withoutMembers]);
      await probeTexts(
        stage,
        (text, what) => ({ ...batchAsk(text), intent: invalid(`with ${what} in /currency_pair`) }),
        "/currency_pair",
      );
      const unknown = await stage.ask({
        ...control,
        intent: unusual("with an unknown member"),
        body: { ...complete, fxconform_note: "unknown" },
      });
      stage.observe("OPEN-14", `an unknown member: ${outcomeOf(unknown)}`);
      stage.observe("OPEN-35", `POST /batches: ${outcomeOf(unknown)}`);
      const undeclared = await stage.ask({
        ...control,
        intent: unusual("declared as text/plain"),
        contentType: "text/plain",
      });
      stage.observe("OPEN-36", `text/plain: ${outcomeOf(undeclared)}`);
      stage.observe(
        "OPEN-13",
        outcomeOf(
          await stage.ask(
            brokenAsk(control, { change: "with a pair of unknown currencies", body: { currency_pair: "QQQZZZ" } }),
          ),
        ),
      );
    },
  ),
];
