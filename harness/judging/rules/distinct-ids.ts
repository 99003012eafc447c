import { oneIdForTwo, other, type Judgement, broken, holds } from "../../../model/mistake.ts";
import { creations, type ResourceKind } from "../../../spec/endpoints.ts";
import type { OperationName } from "../../../spec/operations.ts";
import { isOtherMethod, isSuccess, windowOf, type Exchange } from "../../../model/exchange.ts";
import { memberOf, type Json } from "../../../spec/json.ts";
import { batchesIn } from "../observations.ts";
import { shown, titleOf, type RuleContext, type Rule } from "./rule.ts";

export type CreatingOperation = keyof typeof creations;

export function isCreation(operation: OperationName): operation is CreatingOperation {
  return Object.hasOwn(creations, operation);
}

/**
 * What a successful creation created: its kind, and the id as the response has it, of whatever
 * type. Undefined for any other exchange.
 */
export function creationBy(
  exchange: Exchange,
): { kind: ResourceKind; id: Json | undefined } | undefined {
  if (!isCreation(exchange.operation) || !isSuccess(exchange) || isOtherMethod(exchange))
    return undefined;
  const { kind, member } = creations[exchange.operation];
  return { kind, id: memberOf(exchange.json, member) };
}

/**
 * What a successful creation created, and `data`: that to which the server gave the id. Undefined
 * for any other exchange, or if the id is no text.
 */
export function createdBy(exchange: Exchange) {
  const creation = creationBy(exchange);
  if (creation === undefined || typeof creation.id !== "string") return undefined;
  return { kind: creation.kind, id: creation.id, data: dataOf(exchange) };
}

/** Judges whether different resources have different ids (INT-21). */
export const distinctIds: Rule = {
  create: (known) => ({ judge: (exchange) => identity(exchange, known) }),
};

/**
 * Judges that creations with different data never share an id. A server may merge creations with
 * the same data.
 */
function identity(exchange: Exchange, { ids }: RuleContext): readonly Judgement[] {
  if (exchange.operation === "listBatches") return judgeListed(exchange);
  const made = createdBy(exchange);
  if (made === undefined || !isCreation(exchange.operation)) return [];
  const { requirement, member } = creations[exchange.operation];
  const before = ids.clash(made.kind, made.id, made.data);
  if (before === undefined || !isOther(made.kind, before, made.data))
    return ids.hasOther(made.kind, made.data) ? [holds(requirement)] : [];
  return [
    broken(requirement, {
      message: `${titleOf(exchange)}: two different ${plurals[made.kind]} have one id.`,
      expected: `an id of its own for ${shownData(made.data)}`,
      actual: `/${member} = ${shown(made.id)}, which was given before to ${shownData(before)}`,
      pointer: `/${member}`,
      mistake: other(exchange.operation, `an id for each ${made.kind}`, oneIdForTwo),
    }),
  ];
}

/** Different ids in a list hold; one id that stands twice is judged as what is shown twice. */
function judgeListed(exchange: Exchange): readonly Judgement[] {
  const batches = isSuccess(exchange) ? (batchesIn(exchange.json) ?? []) : [];
  const ids = batches.map((batch) => memberOf(batch, "id")).filter((id) => typeof id === "string");
  return new Set(ids).size > 1 ? [holds("BATCH-06")] : [];
}

/**
 * Whether a response may show an earlier counterparty that the server took the request to mean
 * (INT-35). Its members may then differ from those of the request.
 */
export function mayBeEarlier(exchange: Exchange, { ids }: Pick<RuleContext, "ids">): boolean {
  const made = createdBy(exchange);
  if (made?.kind !== "counterparty" || !ids.known(made.kind, made.id)) return false;
  const clash = ids.clash(made.kind, made.id, made.data);
  return clash === undefined || !isOther(made.kind, clash, made.data);
}

/**
 * Whether two sets of data certainly describe different things. A server may merge counterparties
 * with the same account or external id.
 */
export function isOther(kind: ResourceKind, one: string, other: string): boolean {
  if (kind !== "counterparty") return one !== other;
  const before = one.split("\n");
  const now = other.split("\n");
  return before[0] !== now[0] && (now[1] === "null" || before[1] !== now[1]);
}

export const plurals = {
  counterparty: "counterparties",
  operation: "operations",
  batch: "batches",
} as const satisfies Record<ResourceKind, string>;

/**
 * The members by which the specification identifies a resource, as JSON text. A difference in other
 * members does not make another resource.
 */
function dataOf({ operation, request: { json } }: Exchange): string {
  // A batch is identified by its pair: a second batch for a pair may be the first once more
  // (INT-27).
  if (operation === "createBatch") return JSON.stringify(memberOf(json, "currency_pair") ?? null);
  // A counterparty is identified by its account or by its external id (INT-35), each of which is a
  // line of JSON here.
  if (operation === "createCounterparty") {
    const account = memberOf(json, "bank_account");
    const externalId = memberOf(json, "external_id");
    const codes = ofAccount.map((name) => [name, writtenPlainly(memberOf(account, name))]);
    return `${JSON.stringify(Object.fromEntries(codes))}\n${JSON.stringify(typeof externalId === "string" ? externalId : null)}`;
  }
  return JSON.stringify(
    Object.fromEntries(ofOperation.map((name) => [name, memberOf(json, name)])),
  );
}

/** A code without blanks and in capitals: IBANs are written in both ways (INT-67). */
function writtenPlainly(code: Json | undefined): Json | undefined {
  return typeof code === "string" ? code.replaceAll(" ", "").toUpperCase() : (code ?? undefined);
}

/** The data of a resource as a finding shows them. */
function shownData(data: string): string {
  return windowOf(data.replace("\n", " and external_id "));
}

const ofAccount = ["swift_code", "account_number", "iban", "aba_routing_number"];
const ofOperation = ["counterparty_id", "currency_amount", "currency_pair", "operation_purpose"];
