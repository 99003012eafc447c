import { isSuccess } from "../../../model/exchange.ts";
import type { QuestionId } from "../../../spec/questions.ts";
import type { Change, Context } from "../../kit/index.ts";

/** A change of an item, and the open question that the response answers. */
export interface ObservedItem extends Change {
  /** The open question. @defaultValue OPEN-06, on wrong members */
  readonly question?: QuestionId;
  /** The case of the open question. @defaultValue the words of the change */
  readonly inCase?: string;
}

/** How many items are sent at once. Those that are in flight belong to different operations. */
const lanes = 2;

/**
 * Sends an item with each of these changes, for an EFX operation without an item, so that a refusal
 * is about the body. A server may refuse or accept the item, but never crashes (INT-24). If an item
 * is refused, its operation is used again.
 */
export async function observedItems(
  context: Context,
  changes: readonly ObservedItem[],
): Promise<void> {
  const { amount, create, itemFor, observed, payeeWithItem, together } = context;
  const counterparty = await payeeWithItem();
  const rows = changes.map(({ question = "OPEN-06", inCase, ...change }) => ({
    change,
    question,
    inCase,
    amount: amount(),
  }));
  const inLane = async (lane: number): Promise<void> => {
    let operation: Awaited<ReturnType<Context["create"]>> | undefined;
    for (const row of rows.filter((_, index) => index % lanes === lane)) {
      operation ??= await create({ counterparty, amount: row.amount });
      const exchange = await observed(itemFor(operation), row.change, row.question, row.inCase);
      if (isSuccess(exchange)) operation = undefined;
    }
  };
  await together(Array.from({ length: lanes }, (_, lane) => inLane(lane)));
}
