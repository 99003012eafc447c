import { isSuccess, type RequestSpec } from "../../model/exchange.ts";
import { Inconclusive } from "../../harness/scenario-errors.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Context } from "../kit/context.ts";
import {
  acamRequest,
  acamBody,
  batchRequest,
  counterpartyRequest,
  createOperation,
  firstPair,
  listRequest,
  operationRequest,
  operationBody,
  plainAmounts,
  registerCounterparty,
  untilKnown,
} from "../kit/steps.ts";

/** What an endpoint must do with each kind of bad Authorization header. */
export interface Guarded {
  readonly operation: OperationName;
  readonly missing: RequirementId;
  readonly madeUp: RequirementId;
  readonly tampered: RequirementId;
  readonly malformed: RequirementId;
  /** The one status that the specification states for missing and invalid tokens. */
  readonly exactly?: 401;
  /** The shape of its errors, where nothing but these refusals shows it. */
  readonly errors?: RequirementId;
  /**
   * A request that is valid but for its header, since a server may look at body and path first. Where `taken` is false
   * the server refuses it with a good token too, and only 401 and 403 speak of the token.
   */
  readonly ask: (context: Context) => Promise<Guard>;
  readonly needs: readonly OperationName[];
}

/** The five endpoints that take a token (specification, Endpoints; ruling 17). */
export const guarded: readonly Guarded[] = [
  {
    operation: "createOperation",
    missing: "AUTH-20",
    madeUp: "AUTH-21",
    tampered: "AUTH-22",
    malformed: "AUTH-23",
    exactly: 401,
    ask: async (context) => {
      const { id } = await registerCounterparty(context);
      const [amount = context.target.amount.min, next = amount] = plainAmounts(context, 2);
      const control = await orNothing(createOperation(context, { counterparty: id, amount }));
      const ask = operationRequest(operationBody(context, { counterparty: id, amount: next }));
      return { ...ask, taken: control !== undefined };
    },
    needs: ["createCounterparty", "createOperation"],
  },
  {
    operation: "createCounterparty",
    missing: "AUTH-24",
    madeUp: "AUTH-25",
    tampered: "AUTH-26",
    malformed: "AUTH-27",
    ask: async (context) => counterpartyRequest(context, (await registerCounterparty(context)).body),
    needs: ["createCounterparty"],
  },
  {
    operation: "addAcamItem",
    missing: "AUTH-28",
    madeUp: "AUTH-29",
    tampered: "AUTH-30",
    malformed: "AUTH-31",
    ask: async (context) => {
      const { id: counterparty } = await registerCounterparty(context);
      const [amount = context.target.amount.min] = plainAmounts(context, 1);
      const made = await orNothing(createOperation(context, { counterparty, amount }));
      await untilKnown(context);
      // Where no more operations are taken, an earlier one has to do, which need not take a further item.
      const { lastOperation } = context.knowledge;
      if (made === undefined && lastOperation === undefined) throw new Inconclusive("no operation could be created");
      return { ...acamRequest(made?.id ?? lastOperation ?? "", acamBody(context, amount)), taken: made !== undefined };
    },
    needs: ["createCounterparty", "createOperation", "addAcamItem"],
  },
  {
    operation: "createBatch",
    missing: "AUTH-32",
    madeUp: "AUTH-33",
    tampered: "AUTH-34",
    malformed: "AUTH-35",
    ask: async (context) => {
      const control = await context.ask(batchRequest(firstPair(context)));
      // A second batch for a pair may be refused whoever asks for it (ruling 27).
      return { ...batchRequest(firstPair(context)), taken: isSuccess(control) };
    },
    needs: ["createBatch"],
  },
  {
    operation: "listBatches",
    missing: "AUTH-36",
    madeUp: "AUTH-37",
    tampered: "AUTH-38",
    malformed: "AUTH-39",
    errors: "BATCH-28",
    ask: async () => listRequest,
    needs: ["listBatches"],
  },
];

/** A request with a good token, and whether the server takes it. */
export type Guard = RequestSpec & { readonly taken?: boolean };

/** Servers take so many operations a day: with a bad token, one that is refused tells something all the same. */
const orNothing = async <T>(making: Promise<T>): Promise<T | undefined> => {
  try {
    return await making;
  } catch (error) {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  }
};
