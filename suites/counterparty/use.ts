import type { Exchange } from "../../model/exchange.ts";
import { createdIn, operationIn, type Change, type Context } from "../kit/index.ts";

interface Use {
  /** What is odd about the counterparty: `with Greek in /name`. */
  readonly what: string;
  readonly amount: number;
  /** Whether the operation also gets an item. @defaultValue an operation alone */
  readonly withItem?: boolean;
}

/**
 * If the server accepted an odd counterparty, creates an operation for it and, if wanted, an item.
 */
export async function useCounterparty(
  context: Context,
  registered: Exchange,
  use: Use,
): Promise<void> {
  const { itemFor, operationFor, send } = context;
  const counterparty = createdIn(registered);
  if (counterparty === undefined) return;
  const odd: Change = { what: `for a counterparty ${use.what}`, breaksNoRule: true };
  const request = operationFor({ counterparty, amount: use.amount });
  const operation = operationIn(await send(request, odd));
  if (use.withItem === true && operation !== undefined) await send(itemFor(operation), odd);
}
