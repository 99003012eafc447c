import { stamp } from "../../generators/index.ts";
import { valid, type RequestSpec } from "../../model/request.ts";
import type { Json } from "../../spec/json.ts";
import { firstPair } from "./amounts.ts";
import type { ScenarioCore } from "../run/context.ts";
import type { OperationBody } from "../run/target-knowledge.ts";

/** The only purpose that the specification names. An operation must have it to take ACAM items. */
export const efx = "EFX";

export function counterpartyRequest(context: ScenarioCore, body: Json): RequestSpec {
  return {
    operation: "createCounterparty",
    intent: valid,
    path: { customer_id: context.target.customerId },
    body: (serial) => stamp(body, { runId: context.run.runId, serial }),
  };
}

export interface OperationValues {
  readonly counterparty: string;
  readonly amount: number;
  readonly purpose?: string;
  readonly pair?: string;
}

/** A valid body of POST /corporate/operation. */
export function operationBody(
  context: ScenarioCore,
  {
    counterparty,
    amount,
    purpose = context.knowledge.purposeInstead ?? efx,
    pair = firstPair(context),
  }: OperationValues,
): OperationBody {
  return {
    currency_amount: amount,
    operation_purpose: purpose,
    currency_pair: pair,
    counterparty_id: counterparty,
  };
}

export function operationRequest(body: Json): RequestSpec {
  return { operation: "createOperation", intent: valid, body };
}

export function validOperation(context: ScenarioCore, data: OperationValues): RequestSpec {
  return operationRequest(operationBody(context, data));
}

export function itemRequest(operation: string, body: Json): RequestSpec {
  return {
    operation: "addAcamItem",
    intent: valid,
    path: { operation_id: operation },
    body,
  };
}
