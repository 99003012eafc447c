import { listedBatch } from "../change.ts";
import type { Json } from "../change.ts";
import { addOldBatches } from "../old-batches.ts";
import type { Change } from "../policy.ts";

/** Changes the last of hundreds of batches, the oldest, and no other. */
export const lastOfHundreds =
  (change: (batch: Json) => Json): Change =>
  (base) => ({
    ...listedBatch((batch, index, batches) => (index === batches.length - 1 ? change(batch) : batch))(base),
    seed: (store, policy) => {
      base.seed(store, policy);
      addOldBatches(store, 400);
    },
  });
