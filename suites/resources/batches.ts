import type { Json } from "../../spec/json.ts";
import { valid, type Intent, type RequestSpec } from "../../model/request.ts";
import { amountSupply } from "./amounts.ts";
import type { Core } from "../run/context.ts";
import { registerCounterparty } from "./counterparties.ts";
import { createOperation } from "./operations.ts";

export function batchRequest(body: Json, intent: Intent = valid): RequestSpec {
  return {
    operation: "createBatch",
    intent,
    body,
  };
}

export async function validBatch(
  context: Core,
  pair: string,
  intent: Intent = valid,
): Promise<RequestSpec> {
  return batchRequest(await batchBody(context, pair), intent);
}

const placeholder = "{operation_id}";

/**
 * The body of a valid batch. If the configured members name an operation, a new one is created,
 * because an operation is in one batch only.
 */
export async function batchBody(
  context: Core,
  pair: string,
): Promise<Readonly<Record<string, Json>>> {
  const members = JSON.stringify(context.target.batchMembers ?? {});
  const id = members.includes(placeholder)
    ? JSON.stringify(await waitingOperation(context, pair)).slice(1, -1)
    : "";
  return { currency_pair: pair, ...JSON.parse(members.replaceAll(placeholder, () => id)) };
}

/** Creates an operation with this pair that is in no batch yet. Returns its id. */
export async function waitingOperation(context: Core, pair: string): Promise<string> {
  const { counterparty, amount } = await context.knowledge.once(
    "operations of batches",
    async () => ({
      counterparty: (await registerCounterparty(context)).id,
      amount: amountSupply(context, 40, 3),
    }),
  );
  return (await createOperation(context, { counterparty, amount: amount(), pair })).id;
}
