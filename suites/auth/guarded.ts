import type { tokenRefusals } from "../../spec/refusals.ts";
import type { Context, Guarded } from "../kit/index.ts";

/** An endpoint that takes a token. */
export type Endpoint = keyof typeof tokenRefusals;

/**
 * For each endpoint that takes a token, a request that is valid except for its header. An endpoint
 * may check the rest first.
 */
export const guarded: Readonly<Record<Endpoint, (context: Context) => Promise<Guarded>>> = {
  listBatches: async ({ listRequest }) => listRequest,
  createCounterparty: async ({ counterpartyLike, registered }) => {
    const control = await registered();
    return { ...counterpartyLike(control), again: () => counterpartyLike(control) };
  },
  createOperation: async ({ attempt, create, operationFor, registered }) => {
    const counterparty = await registered();
    // A server may limit the operations in a day. A request that is refused for that can still
    // carry bad tokens.
    const control = await attempt(create({ counterparty }));
    const again = () => operationFor({ counterparty });
    return { ...again(), again, isAccepted: control !== undefined };
  },
  addAcamItem: async ({ attempt, create, earlierOperation, itemFor, registered }) => {
    const creation = create({ counterparty: await registered() });
    const created = await attempt(creation);
    // If the server accepts no more operations, an earlier one is used, although it may accept no
    // further item. If there is none, the server's refusal is given as the reason.
    const operation = created ?? earlierOperation() ?? (await creation);
    return { ...itemFor(operation), isAccepted: created !== undefined };
  },
  createBatch: async ({ attempt, batchFor, earlierBatch, makeBatch }) => {
    const control = await makeBatch();
    const making = batchFor();
    // If no more operations are accepted for it, use an earlier one. A second batch for a pair may
    // be refused with any token, too (INT-27).
    const request = (await attempt(making)) ?? earlierBatch() ?? (await making);
    return { ...request, isAccepted: control !== undefined };
  },
};
