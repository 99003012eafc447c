import type { OperationName } from "../spec/operations.ts";
import { objectIn } from "./checks.ts";
import { accountMembers, addressMembers, bankMembers } from "./members.ts";
import { type Answer, type Call, Refusal, type Batch, type Counterparty, type Operation } from "./policy.ts";

export async function performCall(call: Call): Promise<Answer> {
  if (call.operation === undefined) throw new Refusal(404, "path", "There is nothing at this path");
  return endpoints[call.operation](call);
}

const answer = (status: number, body: unknown): Answer => ({ status, headers: {}, body });
export const itemAdded = answer(200, { message: "ACAM item added successfully", status: "success" });

const endpoints = {
  createToken(call) {
    const token = call.policy.newToken(call);
    call.store.tokens.set(token, Date.now());
    return answer(200, { token });
  },

  async createCounterparty(call) {
    const sent = objectIn(call.body, "The body");
    const counterparty = {
      id: await call.policy.newId("counterparty", call),
      ...pick(sent, ["name"]),
      ...within(sent, "counterparty_address", addressMembers),
      ...within(sent, "bank_account", accountMembers),
      ...within(sent, "intermediary_bank", bankMembers),
      ...pick(sent, ["external_id"]),
    } as Counterparty;
    call.store.counterparties.set(counterparty.id, counterparty);
    return answer(201, counterparty);
  },

  async createOperation(call) {
    const sent = objectIn(call.body, "The body");
    const counterparty = call.policy.findCounterparty(String(sent["counterparty_id"]), call);
    const operation: Operation = {
      id: await call.policy.newId("operation", call),
      purpose: String(sent["operation_purpose"]),
      amount: Number(sent["currency_amount"]),
      pair: String(sent["currency_pair"]),
      counterparty: counterparty ?? { id: String(sent["counterparty_id"]) },
      createdAt: new Date(),
      batch: null,
      items: 0,
    };
    call.store.operations.set(operation.id, operation);
    return answer(200, operationView(operation, call));
  },

  addAcamItem(call) {
    const operation = call.policy.findOperation(call.parameter, call);
    if (operation) operation.items += 1;
    return itemAdded;
  },

  async createBatch(call) {
    const pair = String(objectIn(call.body, "The body")["currency_pair"]);
    const batch: Batch = { id: await call.policy.newId("batch", call), pair, createdAt: new Date(), operations: [] };
    for (const operation of call.store.operations.values()) {
      if (operation.pair !== pair || operation.batch !== null) continue;
      operation.batch = batch.id;
      batch.operations.push(operation);
    }
    call.store.batches.push(batch);
    return answer(201, batchView(batch, call));
  },

  listBatches(call) {
    const batches = call.policy.listed(call);
    return answer(200, {
      batches: batches.map((batch) => batchView(batch, call)),
      count: batches.length,
      total: call.store.batches.length,
    });
  },
} as const satisfies Record<OperationName, (call: Call) => Answer | Promise<Answer>>;

const pick = (from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));

const within = (from: Readonly<Record<string, unknown>>, name: string, names: readonly string[]) =>
  from[name] === undefined ? {} : { [name]: pick(objectIn(from[name], name), names) };

const operationView = (operation: Operation, { customerId, policy }: Call) => ({
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

/** A batch with its operations. These do not show their purpose, and leave out a missing intermediary bank. */
const batchView = (batch: Batch, call: Call) => ({
  id: batch.id,
  created_at: call.policy.timestamp(batch.createdAt, "batch"),
  currency_pair: batch.pair,
  status: "open",
  operation_count: batch.operations.length,
  operations: batch.operations.map((operation) => {
    const { operation_purpose: _purpose, ...shown } = operationView(operation, call);
    return { ...shown, intermediary_bank: operation.counterparty.intermediary_bank, batch_id: batch.id };
  }),
});
