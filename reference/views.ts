import type { Policy } from "./policy.ts";
import type { Batch, Counterparty, Operation } from "./store.ts";

/** A new operation in the response of POST /corporate/operation. */
export const operationView = (operation: Operation, customerId: string, policy: Policy) => ({
  operation_id: operation.id,
  operation_purpose: operation.purpose,
  foreign_currency_amount: operation.amount,
  currency_pair: operation.pair,
  status: "pending_quote",
  customer_id: customerId,
  counterparty_id: operation.counterparty.id,
  bank_account: operation.counterparty.bank_account,
  intermediary_bank: operation.counterparty.intermediary_bank ?? null,
  batch_id: operation.batch,
  created_at: policy.timestamp(operation.createdAt, "operation"),
});

/** A counterparty as it was sent, with its id. */
export const counterpartyView = (counterparty: Counterparty) => ({ ...counterparty });

/** A batch with its operations. These do not show their purpose, and leave out a missing intermediary bank. */
export const batchView = (batch: Batch, customerId: string, policy: Policy) => ({
  id: batch.id,
  created_at: policy.timestamp(batch.createdAt, "batch"),
  currency_pair: batch.pair,
  status: "open",
  operation_count: batch.operations.length,
  operations: batch.operations.map((operation) => ({
    operation_id: operation.id,
    foreign_currency_amount: operation.amount,
    currency_pair: operation.pair,
    status: "pending_quote",
    customer_id: customerId,
    bank_account: operation.counterparty.bank_account,
    created_at: policy.timestamp(operation.createdAt, "operation"),
    counterparty_id: operation.counterparty.id,
    intermediary_bank: operation.counterparty.intermediary_bank,
    batch_id: batch.id,
  })),
});
