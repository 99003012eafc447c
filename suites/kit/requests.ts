import { stamp } from "../../generators/index.ts";
import { unusual, valid, type Exchange, type Intent, type Json, type RequestSpec } from "../../model/exchange.ts";
import { operationTitle } from "../../spec/operations.ts";
import { firstPair, operationAmount, pairInUse } from "./amounts.ts";
import { together } from "./concurrency.ts";
import type { Context } from "./context.ts";
import { observing } from "./observing.ts";

/** The purpose that the specification names, and the one that ACAM items need. */
export const efx = "EFX";

/** Registers a counterparty with this body, made unique at each sending. */
export const counterpartyRequest = (context: Context, body: Json, intent: Intent = valid): RequestSpec => ({
  operation: "createCounterparty",
  intent,
  path: { customer_id: context.target.customerId },
  body: (serial) => stamp("createCounterparty", body, { runId: context.run.runId, serial }),
});

/** What an operation is created from. */
export interface OperationData {
  readonly counterparty: string;
  readonly amount: number;
  readonly purpose?: string;
  readonly pair?: string;
}

/** A valid body of POST /corporate/operation, adapted to what this target is known to accept. */
export const operationBody = (
  context: Context,
  { counterparty, amount, purpose = context.knowledge.purposeInstead ?? efx, pair = firstPair(context) }: OperationData,
) => ({
  currency_amount: operationAmount(context, amount),
  operation_purpose: purpose,
  currency_pair: pairInUse(context, pair),
  counterparty_id: counterparty,
});

export const operationRequest = (body: Json, intent: Intent = valid): RequestSpec => ({
  operation: "createOperation",
  intent,
  body,
});

/** The request that creates a valid operation. */
export const validOperation = (context: Context, data: OperationData): RequestSpec =>
  operationRequest(operationBody(context, data));

export const itemRequest = (operation: string, body: Json, intent: Intent = valid): RequestSpec => ({
  operation: "addAcamItem",
  intent,
  path: { operation_id: operation },
  body,
});

export const listRequest: RequestSpec = { operation: "listBatches", intent: valid };

/** Sends a valid request with an unknown member, and again as text/plain, which the server may refuse. */
export const observeTolerance = async (
  context: Context,
  extended: RequestSpec,
  undeclared: RequestSpec,
): Promise<Exchange> => {
  const title = operationTitle(extended.operation);
  const unknown = {
    ...withMembers(extended, { fxconform_note: "unknown" }),
    intent: unusual("with an unknown member"),
  };
  const plain = { ...undeclared, intent: unusual("declared as text/plain"), contentType: "text/plain" };
  const [exchange] = await together([
    context.send(observing(unknown, "OPEN-35", title)),
    context.send(observing(plain, "OPEN-36", `${title} declared as text/plain`)),
  ]);
  return exchange;
};

/**
 * Sends a valid request with members that have the names of properties of every object in some languages. Their values
 * are texts, which cannot become anybody's prototype.
 */
export const observePrototypeMembers = async (context: Context, spec: RequestSpec): Promise<void> => {
  const named = ["__proto__", "constructor"].map((name) => [name, "unknown"] as const);
  const intent = unusual("with members named as those of a prototype");
  const odd = { ...withMembers(spec, Object.fromEntries(named)), intent };
  await context.send(observing(odd, "OPEN-35", `${operationTitle(spec.operation)} with the names of a prototype`));
};

const withMembers = (spec: RequestSpec, members: Readonly<Record<string, Json>>): RequestSpec =>
  withChangedBody(spec, (body) => ({ ...(body as Readonly<Record<string, Json>>), ...members }));

/** The request with a change to its body, each time it is sent. */
export const withChangedBody = (spec: RequestSpec, change: (body: Json, serial: number) => Json): RequestSpec => {
  const { body = null } = spec;
  return { ...spec, body: typeof body === "function" ? (serial) => change(body(serial), serial) : change(body, 0) };
};
