import type { Json } from "../../spec/json.ts";
import { valid, type RequestSpec } from "../../model/request.ts";
import { amountSupply } from "./amounts.ts";
import type { ScenarioCore } from "../run/context.ts";
import { createdId } from "../run/target-knowledge.ts";
import { registerCounterparty, withoutBankRequest } from "./counterparties.ts";
import { createOperation, itemBody } from "./operations.ts";
import { itemRequest } from "./requests.ts";

export function batchRequest(body: Json): RequestSpec {
  return { operation: "createBatch", intent: valid, body };
}

export async function validBatch(context: ScenarioCore, pair: string): Promise<RequestSpec> {
  return batchRequest(await batchBody(context, pair));
}

const placeholder = "{operation_id}";

/**
 * Makes the body of a valid batch with the configured members. Creates an operation for each
 * `{operation_id}` in them, because an operation is in one batch only.
 */
export async function batchBody(
  context: ScenarioCore,
  pair: string,
): Promise<Readonly<Record<string, Json>>> {
  const [first = "", ...others] = JSON.stringify(context.target.batchMembers ?? {}).split(
    placeholder,
  );
  let members = first;
  for (const part of others)
    members += JSON.stringify(await waitingOperation(context, pair)).slice(1, -1) + part;
  const body = { currency_pair: pair, ...JSON.parse(members) };
  context.knowledge.learn({ lastBatchBody: body });
  return body;
}

/** Creates an operation with this pair that is in no batch yet. Returns its id. */
async function waitingOperation(context: ScenarioCore, pair: string): Promise<string> {
  const { knowledge } = context;
  const next = await knowledge.once("operations of batches", () => suppliesOf(context));
  const data = { ...next(), pair };
  const { id } = await createOperation(context, data);
  // The first of these operations gets an item: a batch must show an operation in the same way,
  // with an item or without (INT-30).
  await knowledge.once("item of an operation in a batch", async () => {
    if (knowledge.purposeInstead === undefined)
      await context.send(itemRequest(id, itemBody(context, data.amount)));
  });
  return id;
}

/**
 * Resolves to a function that gives the amount and the counterparty of the next operation. Every
 * second counterparty has no intermediary bank, if the target accepts that.
 */
async function suppliesOf(context: ScenarioCore) {
  const complete = (await registerCounterparty(context)).id;
  const plain = createdId(await context.send(withoutBankRequest(context))) ?? complete;
  const amount = amountSupply(context);
  let n = 0;
  return () => {
    n += 1;
    return { counterparty: n % 2 === 0 ? plain : complete, amount: amount() };
  };
}
