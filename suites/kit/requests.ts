import { valueAt, type Json } from "../../spec/json.ts";
import { oddTexts, stamp } from "../../generators/index.ts";
import type { OddText, Pool } from "../../generators/index.ts";
import { invalid, unusual, valid, type Intent, type RequestSpec } from "../../model/request.ts";
import type { Exchange } from "../../model/exchange.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { Core } from "./context.ts";
import type { OperationBody } from "./target-knowledge.ts";
import { observing } from "./observing.ts";
import { firstPair } from "./amounts.ts";
import { together } from "./concurrency.ts";

/** Whether the body has the object around a place: a server may accept no intermediary bank, for example. */
export const hasPlace = (body: Json, pointer: string): boolean => {
  const around = pointer.slice(0, pointer.lastIndexOf("/"));
  return around === "" || typeof valueAt(body, around) === "object";
};

export const exactTexts: readonly OddText[] = [
  ...oddTexts.filter(({ fragile }) => fragile === "in names"),
  ...oddTexts.filter(({ fragile }) => fragile === undefined),
];

/** The intent of a request with an odd text at a pointer. A fragile text need not come back unchanged. */
export const oddIntent = ({ id, fragile }: OddText, pointer: string): Intent =>
  fragile === undefined ? unusual(`with ${id} in ${pointer}`, id) : invalid(`with ${id} in ${pointer}`, undefined, id);

/** The same at a member that must return what was sent: here trimming and normalising are faults. */
export const exactIntent = ({ id, fragile }: OddText, pointer: string): Intent =>
  fragile === "anywhere" ? invalid(`with ${id} in ${pointer}`, undefined, id) : unusual(`with ${id} in ${pointer}`, id);

export const oddText = (spec: RequestSpec, { id }: Pick<OddText, "id">, place: string): RequestSpec =>
  observing(spec, "OPEN-28", `${operationTitle(spec.operation)} with ${id} in ${place}`);

export const textPool = (place: string, always: number, items: readonly OddText[] = oddTexts): Pool<OddText> => ({
  name: `texts in ${place}`,
  items,
  always,
});

/** The purpose that the specification names, and the one that ACAM items need. */
export const efx = "EFX";

export const counterpartyRequest = (context: Core, body: Json, intent: Intent = valid): RequestSpec => ({
  operation: "createCounterparty",
  intent,
  path: { customer_id: context.target.customerId },
  body: (serial) => stamp("createCounterparty", body, { runId: context.run.runId, serial }),
});

export interface OperationValues {
  readonly counterparty: string;
  readonly amount: number;
  readonly purpose?: string;
  readonly pair?: string;
}

/** A valid body of POST /corporate/operation. */
export const operationBody = (
  context: Core,
  {
    counterparty,
    amount,
    purpose = context.knowledge.purposeInstead ?? efx,
    pair = firstPair(context),
  }: OperationValues,
): OperationBody => ({
  currency_amount: amount,
  operation_purpose: purpose,
  currency_pair: pair,
  counterparty_id: counterparty,
});

export const operationRequest = (body: Json, intent: Intent = valid): RequestSpec => ({
  operation: "createOperation",
  intent,
  body,
});

export const validOperation = (context: Core, data: OperationValues): RequestSpec =>
  operationRequest(operationBody(context, data));

export const itemRequest = (operation: string, body: Json, intent: Intent = valid): RequestSpec => ({
  operation: "addAcamItem",
  intent,
  path: { operation_id: operation },
  body,
});

export const listRequest: RequestSpec = { operation: "listBatches", intent: valid };

/** Sends a valid request with an unknown member, and again as other types, which the server may refuse. */
export const observeTolerance = async (
  context: Core,
  extended: RequestSpec,
  undeclared: RequestSpec,
  contentTypes: readonly (string | null)[] = ["text/plain"],
): Promise<Exchange> => {
  const title = operationTitle(extended.operation);
  const unknown = {
    ...withMembers(extended, { fxconform_note: "unknown" }),
    intent: unusual("with an unknown member"),
  };
  const [exchange] = await together([
    context.send(observing(unknown, "OPEN-35", title)),
    ...contentTypes.map((contentType) => {
      const declared = `declared as ${contentType ?? "nothing"}`;
      const other = { ...undeclared, intent: unusual(declared), contentType };
      return context.send(observing(other, "OPEN-36", `${title} ${declared}`));
    }),
  ]);
  return exchange;
};

/** Members with the names of properties of every object in some languages; texts cannot become anybody's prototype. */
export const observePrototypeMembers = async (context: Core, spec: RequestSpec): Promise<void> => {
  const named = ["__proto__", "constructor"].map((name) => [name, "unknown"] as const);
  const intent = unusual("with members named as those of a prototype");
  const odd = { ...withMembers(spec, Object.fromEntries(named)), intent };
  await context.send(observing(odd, "OPEN-35", `${operationTitle(spec.operation)} with the names of a prototype`));
};

const withMembers = (spec: RequestSpec, members: Readonly<Record<string, Json>>): RequestSpec =>
  withChangedBody(spec, (body) => ({ ...(body as Readonly<Record<string, Json>>), ...members }));

export const withChangedBody = (spec: RequestSpec, change: (body: Json, serial: number) => Json): RequestSpec => {
  const { body = null } = spec;
  return { ...spec, body: typeof body === "function" ? (serial) => change(body(serial), serial) : change(body, 0) };
};
