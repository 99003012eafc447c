import { amountSupply } from "../../kit/amounts.ts";
import { followedPairs, listCreated } from "../../kit/flows/batches.ts";
import { registerCounterparty, registerPlainCounterparty } from "../../kit/flows/counterparties.ts";
import { createOperation } from "../../kit/flows/operations.ts";
import { scenario } from "../../kit/scenario.ts";

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
