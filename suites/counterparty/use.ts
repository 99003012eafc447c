import type { Exchange } from "../../model/exchange.ts";
import { createdIn, type Change, type Context } from "../kit/index.ts";

interface Use {
  /** What is odd about the counterparty: `with Greek in /name`. */
  readonly what: string;
  readonly amount: number;
}

/** If the server accepted an odd counterparty, creates an operation for it. */
export async function useCounterparty(
  context: Context,
  registered: Exchange,
  use: Use,
): Promise<void> {
  const { operationFor, send } = context;
  const counterparty = createdIn(registered);
  if (counterparty === undefined) return;
  const odd: Change = { what: `for a counterparty ${use.what}`, breaksNoRule: true };
  const request = operationFor({ counterparty, amount: use.amount });
  await send(request, odd);
}
