import type { OperationName } from "../spec/operations.ts";
import {
  accountMembers,
  addressMembers,
  bankMembers,
  Refusal,
  requiredAccountMembers,
} from "./policy.ts";
import type { Answer, Batch, Call, Counterparty, Operation } from "./policy.ts";

export async function performCall(call: Call): Promise<Answer> {
  if (call.operation === undefined) throw new Refusal(404, "path", "There is nothing at this path");
  return endpoints[call.operation](call);
}

const answer = (status: number, body: unknown): Answer => ({ status, headers: {}, body });
export const itemAdded = answer(200, {
  message: "ACAM item added successfully",
  status: "success",
});

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
    call.store.registered.set(counterparty.id, Date.now());
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
    const batch: Batch = {
      id: await call.policy.newId("batch", call),
      pair,
      createdAt: new Date(),
      operations: [],
    };
    for (const operation of call.store.operations.values()) {
      if (!call.policy.takes(operation, pair, call)) continue;
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

function pick(
  from: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  );
}

function within(from: Readonly<Record<string, unknown>>, name: string, names: readonly string[]) {
  return from[name] === undefined ? {} : { [name]: pick(objectIn(from[name], name), names) };
}

function operationView(operation: Operation, { customerId, policy }: Call) {
  return {
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
  };
}

/**
 * A batch with its operations, as responses show it. The operations do not show their purpose, and
 * leave out a missing intermediary bank.
 */
function batchView(batch: Batch, call: Call) {
  return {
    id: batch.id,
    created_at: call.policy.timestamp(batch.createdAt, "batch"),
    currency_pair: batch.pair,
    status: "open",
    operation_count: batch.operations.length,
    operations: batch.operations.map((operation) => {
      const { operation_purpose: _purpose, ...shown } = operationView(operation, call);
      return {
        ...shown,
        intermediary_bank: operation.counterparty.intermediary_bank,
        batch_id: batch.id,
      };
    }),
  };
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Checks the path parameter and the body of a call. Throws a `Refusal` if the endpoint does not
 * accept them.
 */
export function checkCall(call: Call): void {
  if (call.operation === "createCounterparty") {
    call.policy.customer(call.parameter, call);
    checkCounterparty(objectIn(call.body, "The body"));
  }
  if (call.operation === "createOperation") checkOperation(objectIn(call.body, "The body"), call);
  if (call.operation === "addAcamItem") checkAcamItem(objectIn(call.body, "The body"), call);
  if (call.operation === "createBatch") checkPair(objectIn(call.body, "The body")["currency_pair"]);
}

export function objectIn(value: unknown, name: string): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(`${name} is not an object`);
  return value as Members;
}

const invalid = (message: string): Refusal => new Refusal(400, "invalid", message);

function checkCounterparty(body: Members): void {
  text(body, "name");
  if (body["counterparty_address"] !== undefined)
    checkTexts(body, "counterparty_address", [], addressMembers);
  checkTexts(body, "bank_account", requiredAccountMembers, accountMembers);
  if (body["intermediary_bank"] !== undefined)
    checkTexts(body, "intermediary_bank", bankMembers, []);
  optionalText(body, "external_id");
}

function checkTexts(
  body: Members,
  name: string,
  required: readonly string[],
  optional: readonly string[],
): void {
  const inside = objectIn(body[name], name);
  for (const member of required) text(inside, member, `${name}.`);
  for (const member of optional) optionalText(inside, member, `${name}.`);
}

function checkOperation(body: Members, call: Call): void {
  positive(body, "currency_amount");
  const purpose = text(body, "operation_purpose");
  checkPair(body["currency_pair"]);
  const counterparty = text(body, "counterparty_id");
  if (!call.policy.purposes.has(purpose))
    throw invalid(`operation_purpose ${JSON.stringify(purpose)} is not known`);
  if (call.policy.findCounterparty(counterparty, call) === undefined)
    throw new Refusal(400, "counterparty", "counterparty_id names no counterparty");
}

function checkAcamItem(body: Members, call: Call): void {
  const operation = call.policy.findOperation(call.parameter, call);
  if (operation === undefined) throw new Refusal(404, "operation", "There is no such operation");
  positive(body, "local_currency_amount");
  const taxId = text(body, "tax_id");
  if (!/^(\d{11}|\d{14})$/.test(taxId))
    throw invalid("tax_id is not a CPF or CNPJ: 11 or 14 digits");
  text(body, "merchant");
  if (operation.purpose !== "EFX")
    throw new Refusal(
      422,
      "purpose",
      `Only EFX operations take ACAM items, and this one is ${operation.purpose}`,
    );
}

function checkPair(pair: unknown): void {
  if (typeof pair !== "string") throw invalid("currency_pair is not a string");
  const from = pair.slice(0, 3);
  const to = pair.slice(3);
  if (!currencies.has(from) || !currencies.has(to) || from === to)
    throw new Refusal(400, "pair", "currency_pair is not two different currency codes, joined");
}

function positive(body: Members, name: string): void {
  const value = body[name];
  if (typeof value !== "number") throw invalid(`${name} is not a number`);
  if (!(value > 0 && Number.isFinite(value)))
    throw new Refusal(400, "amount", `${name} is not above zero`);
}

function text(body: Members, name: string, prefix = ""): string {
  const value = body[name];
  if (typeof value !== "string" || value.trim() === "")
    throw invalid(`${prefix}${name} is not a text`);
  return value;
}

function optionalText(body: Members, name: string, prefix = ""): void {
  if (body[name] !== undefined && typeof body[name] !== "string")
    throw invalid(`${prefix}${name} is not a string`);
}

/** The codes of currencies that Node knows, of today and of the past. */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

export const sentMembers = {
  createCounterparty: [
    "name",
    "counterparty_address",
    "bank_account",
    "intermediary_bank",
    "external_id",
  ],
  createOperation: ["currency_amount", "operation_purpose", "currency_pair", "counterparty_id"],
  addAcamItem: ["local_currency_amount", "tax_id", "merchant"],
  createBatch: ["currency_pair"],
} as const;
