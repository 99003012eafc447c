import { isSuccess, memberOf, unusual, type Exchange } from "../../harness/exchange.ts";
import type { Stage } from "../stage.ts";
import { acamAsk, acamBody, operationAsk, operationBody, untilKnown } from "../steps.ts";

/**
 * An operation for a counterparty that is odd (`how`), where it was taken, and an item for it where it has no
 * intermediary bank: what is not there, or not plain, is easily forgotten by the next that handles it.
 */
export const dealWith = async (
  stage: Stage,
  registered: Exchange,
  amount: number = stage.target.amount.min,
  how: string,
): Promise<void> => {
  const counterparty = memberOf(registered.json, "id");
  if (!isSuccess(registered) || typeof counterparty !== "string" || counterparty === "") return;
  await untilKnown(stage);
  const intent = unusual(`for a counterparty ${how}`);
  const operation = await stage.ask(operationAsk(operationBody(stage, { counterparty, amount }), intent));
  const id = memberOf(operation.json, "operation_id");
  if (how !== "without /intermediary_bank" || !isSuccess(operation) || typeof id !== "string") return;
  await untilKnown(stage);
  await stage.ask(acamAsk(id, acamBody(stage, amount), intent));
};
