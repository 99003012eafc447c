import { addressMembers, objectIn } from "./checks.ts";
import type { Answer, Call } from "./policy.ts";
import { Refusal } from "./refusal.ts";
import type { Bank, BankAccount, Batch, Counterparty, Operation } from "./store.ts";
import { batchView, counterpartyView, operationView } from "./views.ts";

/** Performs a call that was authenticated and checked. */
export async function performCall(call: Call): Promise<Answer> {
  switch (call.operation) {
    case "createToken":
      return issueToken(call);
    case "createCounterparty":
      return register(call);
    case "createOperation":
      return createOperation(call);
    case "addAcamItem":
      return addAcamItem(call);
    case "createBatch":
      return createBatch(call);
    case "listBatches":
      return listBatches(call);
    default:
      throw new Refusal(404, "path", "There is nothing at this path");
  }
}

const answer = (status: number, body: unknown): Answer => ({ status, headers: {}, body });

function issueToken(call: Call): Answer {
  const token = call.policy.newToken(call);
  call.store.tokens.set(token, Date.now());
  return answer(200, { token });
}

async function register(call: Call): Promise<Answer> {
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
  return answer(201, counterpartyView(counterparty));
}

const bankMembers = ["bank_name", "swift_code", "bank_country"] as const satisfies readonly (keyof Bank)[];
const accountMembers = [
  ...bankMembers,
  "account_number",
  "iban",
  "aba_routing_number",
] as const satisfies readonly (keyof BankAccount)[];

const pick = (from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));

const within = (from: Readonly<Record<string, unknown>>, name: string, names: readonly string[]) =>
  from[name] === undefined ? {} : { [name]: pick(objectIn(from[name], name), names) };

async function createOperation(call: Call): Promise<Answer> {
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
  return answer(200, operationView(operation, call.customerId, call.policy));
}

/** The response to every item. */
export const itemAdded = answer(200, { message: "ACAM item added successfully", status: "success" });

function addAcamItem(call: Call): Answer {
  const operation = call.policy.findOperation(call.parameter, call);
  if (operation) operation.items += 1;
  return itemAdded;
}

async function createBatch(call: Call): Promise<Answer> {
  const pair = String(objectIn(call.body, "The body")["currency_pair"]);
  const batch: Batch = { id: await call.policy.newId("batch", call), pair, createdAt: new Date(), operations: [] };
  for (const operation of call.store.operations.values()) {
    if (operation.pair !== pair || operation.batch !== null) continue;
    operation.batch = batch.id;
    batch.operations.push(operation);
  }
  call.store.batches.push(batch);
  return answer(201, batchView(batch, call.customerId, call.policy));
}

function listBatches(call: Call): Answer {
  const batches = call.policy.listed(call);
  return answer(200, {
    batches: batches.map((batch) => batchView(batch, call.customerId, call.policy)),
    count: batches.length,
    total: call.store.batches.length,
  });
}
