import { isSuccess, memberOf, unusual, type Exchange } from "../../model/exchange.ts";
import type { Context } from "../kit/context.ts";
import { acamRequest, acamBody, operationRequest, operationBody, untilKnown } from "../kit/steps.ts";

/**
 * An operation for a counterparty that is odd (`how`), where it was taken, and an item for it where it has no
 * intermediary bank: what is not there, or not plain, is easily forgotten by the next that handles it.
 */
export const dealWith = async (
  context: Context,
  registered: Exchange,
  amount: number = context.target.amount.min,
  how: string,
): Promise<void> => {
  const counterparty = memberOf(registered.json, "id");
  if (!isSuccess(registered) || typeof counterparty !== "string" || counterparty === "") return;
  await untilKnown(context);
  const intent = unusual(`for a counterparty ${how}`);
  const operation = await context.ask(operationRequest(operationBody(context, { counterparty, amount }), intent));
  const id = memberOf(operation.json, "operation_id");
  if (how !== "without /intermediary_bank" || !isSuccess(operation) || typeof id !== "string") return;
  await untilKnown(context);
  await context.ask(acamRequest(id, acamBody(context, amount), intent));
};
