import type { tokenRefusals } from "../../spec/refusals.ts";
import { Inconclusive } from "../kit/index.ts";
import type { Context, Guarded } from "../kit/index.ts";

/** An endpoint that takes a token. */
export type Endpoint = keyof typeof tokenRefusals;

/**
 * For each endpoint that takes a token, a request that is valid but for its header: it may look at
 * the rest first.
 */
export const guarded: Readonly<Record<Endpoint, (context: Context) => Promise<Guarded>>> = {
  listBatches: async ({ listRequest }) => listRequest,
  createCounterparty: async ({ counterpartyLike, registered }) => {
    const control = await registered();
    return { ...counterpartyLike(control), again: () => counterpartyLike(control) };
  },
  createOperation: async ({ attempt, create, operationFor, registered }) => {
    const counterparty = await registered();
    // Servers limit the operations a day. A request that is refused for this reason can still carry
    // bad tokens.
    const control = await attempt(create({ counterparty }));
    const again = () => operationFor({ counterparty });
    return { ...again(), again, isAccepted: control !== undefined };
  },
  addAcamItem: async ({ attempt, create, earlierOperation, itemFor, registered }) => {
    const created = await attempt(create({ counterparty: await registered() }));
    // If no more operations are accepted, use an earlier one, which need not accept another item.
    const operation = created ?? earlierOperation();
    if (operation === undefined)
      throw new Inconclusive("no operation could be created, so there is none to add an item to");
    return { ...itemFor(operation), isAccepted: created !== undefined };
  },
  createBatch: async ({ batchFor, makeBatch }) => {
    const control = await makeBatch();
    // A second batch for a pair may be refused with any token (INT-27).
    return { ...(await batchFor()), isAccepted: control !== undefined };
  },
};
