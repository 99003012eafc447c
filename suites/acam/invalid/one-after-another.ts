import { isSuccess } from "../../../model/exchange.ts";
import type { Change, Context } from "../../kit/index.ts";

/** How many requests of a scenario are in flight at once: each has its own operation. */
const lanes = 3;

/**
 * Sends an item with each of the changes, for an EFX operation without an item, so that a refusal is about the body. A server
 * may refuse or accept it, but it never crashes (INT-24). An operation whose item was refused is used again.
 */
export async function observedItems(context: Context, changes: readonly Change[]): Promise<void> {
  const { add, amount, create, itemFor, observed, register, together } = context;
  const counterparty = await register();
  // The control: the endpoint accepts items for such operations.
  await add(await create({ counterparty }));
  const rows = changes.map((change) => ({ change, amount: amount() }));
  const inLane = async (lane: number): Promise<void> => {
    let operation: Awaited<ReturnType<Context["create"]>> | undefined;
    for (const row of rows.filter((_, index) => index % lanes === lane)) {
      operation ??= await create({ counterparty, amount: row.amount });
      const exchange = await observed(itemFor(operation), row.change, "OPEN-06");
      if (isSuccess(exchange)) operation = undefined;
    }
  };
  await together(Array.from({ length: lanes }, (_, lane) => inLane(lane)));
}
