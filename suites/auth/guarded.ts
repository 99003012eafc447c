import type { tokenRefusals } from "../../spec/refusals.ts";
import type { Context, Guarded } from "../kit/index.ts";

/** An endpoint that takes a token. */
export type Endpoint = keyof typeof tokenRefusals;

/**
 * For each endpoint that takes a token, makes a valid request, to which scenarios add bad headers.
 * The rest of the request stays valid, because an endpoint may check it before the header.
 */
export const guarded: Readonly<Record<Endpoint, (context: Context) => Promise<Guarded>>> = {
  listBatches: async ({ listRequest }) => listRequest,
  createOperation: async ({ attempt, create, operationFor, registered }) => {
    const counterparty = await registered();
    // A server may limit the operations in a day. A request that is refused because of the limit
    // can still carry bad tokens.
    const control = await attempt(create({ counterparty }));
    const again = () => operationFor({ counterparty });
    return { ...again(), again, isAccepted: control !== undefined };
  },
  createCounterparty: async ({ counterpartyLike, registered }) => {
    const control = await registered();
    return { ...counterpartyLike(control), again: () => counterpartyLike(control) };
  },
  addAcamItem: async ({ attempt, create, earlierOperation, itemFor, registered }) => {
    const creation = create({ counterparty: await registered() });
    const created = await attempt(creation);
    // If the server accepts no more operations, an earlier one is used, although it may accept no
    // further item. Without an earlier one, the server's refusal is the reason for no verdict.
    const operation = created ?? earlierOperation() ?? (await creation);
    return { ...itemFor(operation), isAccepted: created !== undefined };
  },
  createBatch: async ({ attempt, batchFor, earlierBatch, makeBatch }) => {
    const control = await makeBatch();
    const making = batchFor();
    // If the server accepts no more operations for a batch, an earlier body is sent again. A server
    // may refuse a second batch for a pair with a good token, too (INT-27).
    const request = (await attempt(making)) ?? earlierBatch() ?? (await making);
    return { ...request, isAccepted: control !== undefined };
  },
};
