import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { efx } from "../../resources/requests.ts";
import type { QuestionId } from "../../../spec/questions.ts";
import {
  operationIn,
  type Change,
  type Context,
  type Operation,
  type Share,
} from "../../kit/index.ts";

/** A change of an item, and the open question that the response answers. */
export interface ObservedItem extends Change {
  /** The open question. @defaultValue OPEN-06, on wrong members */
  readonly question?: QuestionId;
  /** The case of the open question. @defaultValue the words of the change */
  readonly inCase?: string;
}

/** How many items are sent at once. Those that are in flight belong to different operations. */
const lanes = 2;

/** How many odd items an operation gets at most, where the server accepts several of one operation. */
const mostItems = 5;

/**
 * Sends an item with each of these changes, for an EFX operation. A server may refuse or accept the
 * item, but never crashes (INT-24). If an item is refused, its operation is used again. If it is
 * accepted, the operation is used again only where the server was seen to accept a second item, so
 * that a refusal is about the body.
 */
export async function observedItems(
  context: Context,
  share: Share,
  changes: readonly ObservedItem[],
): Promise<void> {
  const { amount, create, further, itemFor, observed, partialItemFor, ...verbs } = context;
  const { payeeWithItem, takesSecondItem, together } = verbs;
  const counterparty = await payeeWithItem();
  const designed = await further(share, lanes);
  const most = (await takesSecondItem()) ? mostItems : 1;
  const rows = changes.map(({ question = "OPEN-06", inCase, ...change }) => ({
    change,
    question,
    inCase,
    amount: amount(),
  }));
  const inLane = async (lane: number): Promise<void> => {
    const first = await designed[lane]?.();
    let operation = first && efxOperationIn(first);
    let items = 0;
    for (const row of rows.filter((_, index) => index % lanes === lane)) {
      if (operation === undefined || items === most) {
        operation = await create({ counterparty, amount: row.amount });
        items = 0;
      }
      const item = items === 0 ? itemFor(operation) : partialItemFor(operation, items);
      const exchange = await observed(item, row.change, row.question, row.inCase);
      if (isSuccess(exchange)) items += 1;
    }
  };
  await together(Array.from({ length: lanes }, (_, lane) => inLane(lane)));
}

/** The operation that was created, if it is one that takes items. */
function efxOperationIn(exchange: Exchange): Operation | undefined {
  const operation = operationIn(exchange);
  return operation?.purpose === efx ? operation : undefined;
}
