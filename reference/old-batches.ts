import type { Batch, Operation, Store } from "./store.ts";

/** Puts old batches into a store, a minute apart and each with one operation. */
export function addOldBatches(store: Store, count: number): void {
  const now = Date.now();
  for (let index = 0; index < count; index += 1) store.batches.push(oldBatch(index, now - (count - index) * 60_000));
}

function oldBatch(index: number, time: number): Batch {
  const id = `old-batch-${index}`;
  const createdAt = new Date(time);
  const operation: Operation = {
    id: `old-operation-${index}`,
    purpose: "EFX",
    amount: 10 + index / 100,
    pair: "USDBRL",
    counterparty: {
      id: `old-counterparty-${index}`,
      bank_account: {
        bank_name: "Chase",
        swift_code: "CHASUS33",
        bank_country: "US",
        account_number: String(100_000_000 + index),
      },
    },
    createdAt,
    batch: id,
    items: 0,
  };
  return { id, pair: "USDBRL", createdAt, operations: [operation] };
}
