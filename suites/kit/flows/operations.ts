import { efx, validOperation, type OperationData } from "../requests.ts";
import type { Context } from "../context.ts";
import type { Made } from "../target-knowledge.ts";
import { registerCounterparty } from "./counterparties.ts";
import { created } from "./created.ts";

/** Creates an operation. Throws Inconclusive where the target refuses it. */
export const createOperation = async (context: Context, data: OperationData): Promise<Made> => {
  const operation = created(await context.succeed(validOperation(context, data)), "operation_id");
  if ((data.purpose ?? efx) === efx) context.knowledge.operationCreated(operation.id);
  return operation;
};

/** EFX operations of one new counterparty, with their amounts. */
export const efxOperations = async (
  context: Context,
  amounts: readonly number[],
): Promise<{ readonly counterparty: Made; readonly operations: readonly (Made & { readonly amount: number })[] }> => {
  const counterparty = await registerCounterparty(context);
  const operations = await Promise.all(
    amounts.map(async (amount) => ({
      ...(await createOperation(context, { counterparty: counterparty.id, amount })),
      amount,
    })),
  );
  return { counterparty, operations };
};
