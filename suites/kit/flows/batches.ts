import { valid, type Intent, type Json, type RequestSpec } from "../../../model/exchange.ts";
import { pairInUse, plainAmounts } from "../amounts.ts";
import type { Context } from "../context.ts";
import { registerCounterparty } from "./counterparties.ts";
import { createOperation } from "./operations.ts";

/** A batch of nothing but these members. */
export const batchRequest = (body: Json, intent: Intent = valid): RequestSpec => ({
  operation: "createBatch",
  intent,
  body,
});

/** The request that creates a valid batch for a pair, with the configured members. */
export const validBatch = async (context: Context, pair: string, intent: Intent = valid): Promise<RequestSpec> =>
  batchRequest(await batchBody(context, pair), intent);

const placeholder = "{operation_id}";

/**
 * The body of a valid batch. Where the configured members name an operation, it is one that was created for this batch
 * alone: an operation may be in one batch at most.
 */
export const batchBody = async (context: Context, pair: string): Promise<Readonly<Record<string, Json>>> => {
  const { batchMembers = {} } = context.target;
  const id = JSON.stringify(batchMembers).includes(placeholder) ? await waitingOperation(context, pair) : "";
  return {
    currency_pair: pairInUse(context, pair),
    ...(withOperation(batchMembers, id) as Readonly<Record<string, Json>>),
  };
};

/** A new operation with this pair, which is in no batch yet. Returns its id. */
export const waitingOperation = async (context: Context, pair: string): Promise<string> => {
  const { counterparty, amounts } = await context.knowledge.once("operations of batches", async () => ({
    counterparty: (await registerCounterparty(context)).id,
    amounts: [...plainAmounts(context, 40, 3)],
  }));
  const amount = amounts.shift() ?? context.target.amount.min;
  return (await createOperation(context, { counterparty, amount, pair })).id;
};

const withOperation = (value: Json, id: string): Json => {
  if (typeof value === "string") return value.replaceAll(placeholder, () => id);
  if (Array.isArray(value)) return value.map((inner: Json) => withOperation(inner, id));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withOperation(inner, id)]));
};
