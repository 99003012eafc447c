import { Inconclusive } from "../../../harness/scenario-errors.ts";
import { isSuccess } from "../../../model/exchange.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import type { OperationName } from "../../../spec/operations.ts";
import { firstPair, plainAmounts } from "../amounts.ts";
import { tokenRefusals, type TokenRefusals } from "../../../spec/refusals.ts";
import type { Context } from "../context.ts";
import { validBatch } from "../flows/batches.ts";
import { registerCounterparty } from "../flows/counterparties.ts";
import { untilKnown } from "../flows/created.ts";
import { itemBody } from "../flows/items.ts";
import { createOperation } from "../flows/operations.ts";
import { orNothing } from "../or-nothing.ts";
import { counterpartyRequest, itemRequest, listRequest, validOperation } from "../requests.ts";
import type { Guarded } from "./bad-token.ts";

/** An endpoint that takes a token, and how it is checked. */
export interface GuardedOperation extends TokenRefusals {
  readonly operation: OperationName;
  /** The requirement on the shape of its errors, if only these refusals show it. */
  readonly errors?: RequirementId;
  /**
   * A request that is valid but for its header, since a server may look at body and path first. Where `accepted`
   * is false the server refuses it with a good token too, and only 401 is about the token.
   */
  readonly prepare: (context: Context) => Promise<Guarded>;
  /** The operations that preparing the request and sending it takes. */
  readonly needs: readonly OperationName[];
  /** Whether odd tokens are presented here as well: at one endpoint, since bad tokens can lock the client out. */
  readonly presentsOdd?: true;
}

/** The five endpoints that take a token (specification, Endpoints; INT-17). */
export const guardedOperations: readonly GuardedOperation[] = [
  {
    operation: "createOperation",
    ...tokenRefusals.createOperation,
    prepare: async (context) => {
      const { id } = await registerCounterparty(context);
      const [amount = context.target.amount.min, next = amount] = plainAmounts(context, 2);
      // Servers limit the operations a day. A request that is refused for this reason can still carry bad tokens.
      const control = await orNothing(createOperation(context, { counterparty: id, amount }));
      return { ...validOperation(context, { counterparty: id, amount: next }), accepted: control !== undefined };
    },
    needs: ["createCounterparty", "createOperation"],
  },
  {
    operation: "createCounterparty",
    ...tokenRefusals.createCounterparty,
    prepare: async (context) => counterpartyRequest(context, (await registerCounterparty(context)).body),
    needs: ["createCounterparty"],
  },
  {
    operation: "addAcamItem",
    ...tokenRefusals.addAcamItem,
    prepare: async (context) => {
      const { id: counterparty } = await registerCounterparty(context);
      const [amount = context.target.amount.min] = plainAmounts(context, 1);
      const made = await orNothing(createOperation(context, { counterparty, amount }));
      await untilKnown(context);
      // If no more operations are accepted, use an earlier one, which need not accept another item.
      const id = made?.id ?? context.knowledge.lastOperation;
      if (id === undefined) throw new Inconclusive("no operation could be created, so there is none to add an item to");
      return { ...itemRequest(id, itemBody(context, amount)), accepted: made !== undefined };
    },
    needs: ["createCounterparty", "createOperation", "addAcamItem"],
  },
  {
    operation: "createBatch",
    ...tokenRefusals.createBatch,
    prepare: async (context) => {
      const control = await context.send(await validBatch(context, firstPair(context)));
      // A second batch for a pair may be refused with any token (INT-27).
      return { ...(await validBatch(context, firstPair(context))), accepted: isSuccess(control) };
    },
    needs: ["createBatch"],
  },
  {
    operation: "listBatches",
    ...tokenRefusals.listBatches,
    errors: "BATCH-28",
    prepare: async () => listRequest,
    needs: ["listBatches"],
    presentsOdd: true,
  },
];
