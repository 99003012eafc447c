import type { Exchange } from "../../model/exchange.ts";
import { createdIn, operationIn, type Change, type Context } from "../kit/index.ts";

interface Use {
  /** What is odd about the counterparty: `with Greek in /name`. */
  readonly what: string;
  readonly amount: number;
  /** @defaultValue an operation alone */
  readonly withItem?: boolean;
}

/** Creates an operation, and then an item, for an odd counterparty, if it was accepted. */
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
  const operation = operationIn(await send({ ...request, since: counterparty.at }, odd));
  if (use.withItem === true && operation !== undefined) await send(itemFor(operation), odd);
}
