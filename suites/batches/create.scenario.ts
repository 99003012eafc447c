import { invalid, isSuccess, unusual, type Exchange } from "../../model/exchange.ts";
import { amountSupply, firstPair, pairsInUse } from "../kit/amounts.ts";
import { changedBodies, changesOf, doubtfulRequest, hopelessBodies, oddText, textPool } from "../kit/requests.ts";
import { listRequest, observeTolerance } from "../kit/requests.ts";
import { orNothing, together } from "../kit/concurrency.ts";
import { batchBody, batchRequest, followedPairs, listCreated, listUntilSeen } from "../kit/flows/batches.ts";
import { validBatch, waitingOperation } from "../kit/flows/batches.ts";
import { registerCounterparty, registerPlainCounterparty } from "../kit/flows/counterparties.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { sendEach } from "../kit/sampling.ts";
import { scenario } from "../kit/scenario.ts";

/** Later batches would crowd the list in which these are looked for. */
export const listedBatch = scenario(
  "batches/create/listed",
  "a created batch is listed",
  {
    requirements: [
      ...(["BATCH-01", "BATCH-02", "BATCH-23", "BATCH-24", "BATCH-25", "BATCH-26", "BATCH-27"] as const),
      // These requirements need a batch with operations in it.
      ...(["BATCH-30", "BATCH-31", "BATCH-32", "BATCH-33", "BATCH-34", "BATCH-35"] as const),
    ],
    operations: ["createOperation", "createBatch", "listBatches"],
    drawsTheSame: true,
  },
  async (context) => {
    try {
      // Operations that a batch could contain, if this server fills batches by itself.
      const [complete, plain] = await Promise.all([
        registerCounterparty(context),
        registerPlainCounterparty(context, 1),
      ]);
      const pairs = followedPairs(context);
      const amount = amountSupply(context, pairs.length * 2);
      await Promise.all(
        [complete, plain ?? complete].flatMap(({ id: counterparty }) =>
          pairs.map((pair) => createOperation(context, { counterparty, amount: amount(), pair })),
        ),
      );
    } finally {
      await listCreated(context);
    }
  },
);

/** Creating batches (specification, Endpoints, 5; INT-27, INT-29 and INT-30). */
export const createBatches = [
  listedBatch,
  scenario(
    "batches/create/concurrent",
    "batches are created at the same time, and a second one for a pair",
    {
      requirements: ["BATCH-03", "BATCH-06", "BATCH-07", "BATCH-24", "BATCH-27"],
      operations: ["createBatch", "listBatches"],
      after: [listedBatch],
    },
    async (context) => {
      const used = pairsInUse(context).slice(0, 6);
      const list = { ...listRequest, intent: unusual("while POST /batches was in flight") };
      const atOnce = async (): Promise<readonly Exchange[]> => {
        const specs = await Promise.all(used.map((pair) => validBatch(context, pair)));
        return (await Promise.all(specs.map(context.send))).filter(isSuccess);
      };
      if (used.length < 2) return;
      const [first] = await together([atOnce(), context.send(list)]);
      // A server may want operations that wait for a batch.
      if (first.length < 2) await orNothing(together(used.map((pair) => waitingOperation(context, pair))));
      const made = first.length < 2 ? [...first, ...(await atOnce())] : first;
      if (made.length > 0) await listUntilSeen(context, made);
      // With few pairs, few requests are concurrent: send them again, if a second batch for a pair is accepted.
      if (used.length <= 3) await atOnce();
    },
  ),
  scenario(
    "batches/create/invalid",
    "bodies that are not a batch",
    { requirements: ["BATCH-08"], operations: ["createBatch"], after: [listedBatch], drawsTheSame: true },
    async (context) => {
      await context.send(await validBatch(context, firstPair(context)));
      const complete = await batchBody(context, firstPair(context));
      const control = batchRequest(complete);
      const unknownPair = {
        change: "with a pair of unknown currencies",
        body: () => ({ ...complete, currency_pair: "QQQZZZ" }),
      };
      const doubtful = doubtfulRequest(control, "OPEN-39");
      const changes = changesOf("a batch", changedBodies(context, "createBatch", complete), ({ rare }) => !rare);
      await Promise.all([
        context.send(doubtful(unknownPair)),
        sendEach(context, hopelessBodies("createBatch"), doubtful),
        sendEach(context, changes, doubtful),
        sendEach(context, textPool("/currency_pair of a batch", 5), (odd) => {
          const intent = invalid(`with ${odd.id} in /currency_pair`);
          return oddText(batchRequest({ ...complete, currency_pair: odd.text }, intent), odd, "/currency_pair");
        }),
        observeTolerance(context, control, control, ["text/plain", null]).then((exchange) =>
          context.observeAnswer("OPEN-14", "an unknown member", exchange),
        ),
      ]);
    },
  ),
];

/** The list before the run changes anything (specification, Endpoints, 6; INT-28). */
export const listBefore = scenario(
  "batches/list/before",
  "the list before anything is created",
  {
    requirements: ["BATCH-20", "BATCH-21", "BATCH-22", "BATCH-23"],
    operations: ["listBatches"],
    phase: "before",
    profiles: ["smoke", "full"],
  },
  async (context) => {
    context.showInstead(await context.succeed({ ...listRequest, intent: unusual("before anything was created") }));
  },
);
