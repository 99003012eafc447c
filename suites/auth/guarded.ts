import { isSuccess, type Ask } from "../../harness/exchange.ts";
import { Inconclusive } from "../../harness/verdicts.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Stage } from "../stage.ts";
import {
  acamAsk,
  acamBody,
  batchAsk,
  counterpartyAsk,
  createOperation,
  firstPair,
  listAsk,
  operationAsk,
  operationBody,
  plainAmounts,
  registerCounterparty,
  untilKnown,
} from "../steps.ts";

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
  readonly ask: (stage: Stage) => Promise<Guard>;
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
    ask: async (stage) => {
      const { id } = await registerCounterparty(stage);
      const [amount = stage.target.amount.min, next = amount] = plainAmounts(stage, 2);
      const control = await orNothing(createOperation(stage, { counterparty: id, amount }));
      const ask = operationAsk(operationBody(stage, { counterparty: id, amount: next }));
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
    ask: async (stage) => counterpartyAsk(stage, (await registerCounterparty(stage)).body),
    needs: ["createCounterparty"],
  },
  {
    operation: "addAcamItem",
    missing: "AUTH-28",
    madeUp: "AUTH-29",
    tampered: "AUTH-30",
    malformed: "AUTH-31",
    ask: async (stage) => {
      const { id: counterparty } = await registerCounterparty(stage);
      const [amount = stage.target.amount.min] = plainAmounts(stage, 1);
      const made = await orNothing(createOperation(stage, { counterparty, amount }));
      await untilKnown(stage);
      // Where no more operations are taken, an earlier one has to do, which need not take a further item.
      const { lastOperation } = stage.common;
      if (made === undefined && lastOperation === undefined) throw new Inconclusive("no operation could be created");
      return { ...acamAsk(made?.id ?? lastOperation ?? "", acamBody(stage, amount)), taken: made !== undefined };
    },
    needs: ["createCounterparty", "createOperation", "addAcamItem"],
  },
  {
    operation: "createBatch",
    missing: "AUTH-32",
    madeUp: "AUTH-33",
    tampered: "AUTH-34",
    malformed: "AUTH-35",
    ask: async (stage) => {
      const control = await stage.ask(batchAsk(firstPair(stage)));
      // A second batch for a pair may be refused whoever asks for it (ruling 27).
      return { ...batchAsk(firstPair(stage)), taken: isSuccess(control) };
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
    ask: async () => listAsk,
    needs: ["listBatches"],
  },
];

/** A request with a good token, and whether the server takes it. */
export type Guard = Ask & { readonly taken?: boolean };

/** Servers take so many operations a day: with a bad token, one that is refused tells something all the same. */
const orNothing = async <T>(making: Promise<T>): Promise<T | undefined> => {
  try {
    return await making;
  } catch (error) {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  }
};
