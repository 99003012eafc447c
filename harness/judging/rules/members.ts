import { isObject, isRefusal, isSuccess, memberOf, type Exchange, type Json } from "../../../model/exchange.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import type { OperationName } from "../../../spec/operations.ts";
import { valueAt } from "../place-text.ts";
import type { ResponseSchemaName } from "../response-schemas.ts";
import { shown, type Knowledge } from "./rule.ts";
import { mayBeEarlier } from "./identity.ts";

/** What requirements say about a member of a success besides its type. Checks and the advice of findings read it. */
export interface MemberFact {
  readonly operation: OperationName;
  /** A JSON pointer, with a star for the index of an element. */
  readonly at: string;
  readonly requirement: RequirementId;
  /** The requirement wants the member to be present. */
  readonly isNeeded?: true;
  /** The one value that it may have. */
  readonly value?: string | null;
  /** The member of the request whose value it repeats. */
  readonly repeats?: string;
  /** What is right, where it is more than the type. */
  readonly right?: string;
}

const fact = (
  operation: OperationName,
  at: string,
  requirement: RequirementId,
  more: Omit<MemberFact, "operation" | "at" | "requirement">,
): MemberFact => ({ operation, at, requirement, ...more });

/** INT-08, INT-09, INT-14, INT-18, INT-22, INT-25, INT-27, INT-28: the specification marks none as required. */
export const memberFacts: readonly MemberFact[] = [
  fact("createToken", "/token", "AUTH-01", {
    isNeeded: true,
    right: "a string that is not empty and fits into a header",
  }),
  fact("createCounterparty", "/id", "CPTY-01", { isNeeded: true }),
  fact("createCounterparty", "/external_id", "CPTY-06", { repeats: "external_id" }),
  fact("createCounterparty", "/name", "CPTY-07", { repeats: "name" }),
  fact("createCounterparty", "/counterparty_address", "CPTY-08", { repeats: "counterparty_address" }),
  fact("createCounterparty", "/bank_account", "CPTY-09", { repeats: "bank_account" }),
  fact("createCounterparty", "/intermediary_bank", "CPTY-09", { repeats: "intermediary_bank" }),
  fact("createOperation", "/operation_id", "OPER-05", { isNeeded: true }),
  fact("createOperation", "/status", "OPER-02", { isNeeded: true, value: "pending_quote" }),
  fact("createOperation", "/batch_id", "OPER-04", { isNeeded: true, value: null }),
  fact("createOperation", "/foreign_currency_amount", "OPER-06", { repeats: "currency_amount" }),
  fact("createOperation", "/currency_pair", "OPER-07", { repeats: "currency_pair" }),
  fact("createOperation", "/operation_purpose", "OPER-08", { repeats: "operation_purpose" }),
  fact("createOperation", "/counterparty_id", "OPER-09", { repeats: "counterparty_id" }),
  fact("createOperation", "/created_at", "OPER-14", {
    right: "an RFC 3339 date-time in UTC: it ends in Z, +00:00 or -00:00",
  }),
  fact("addAcamItem", "/message", "ACAM-01", { isNeeded: true, value: "ACAM item added successfully" }),
  fact("addAcamItem", "/status", "ACAM-02", { isNeeded: true, value: "success" }),
  fact("createBatch", "/id", "BATCH-01", { isNeeded: true }),
  fact("createBatch", "/currency_pair", "BATCH-02", { repeats: "currency_pair" }),
  fact("createBatch", "/operation_count", "BATCH-09", { right: "an integer of at least 0" }),
  fact("listBatches", "/batches", "BATCH-20", { isNeeded: true }),
  fact("listBatches", "/count", "BATCH-21", { isNeeded: true }),
  fact("listBatches", "/total", "BATCH-22", { isNeeded: true }),
  fact("listBatches", "/batches/*/operations", "BATCH-23", { isNeeded: true }),
  fact("listBatches", "/batches/*/operation_count", "BATCH-09", { right: "an integer of at least 0" }),
];

/** The schema of the success of each operation. The contract types the ACAM response by its exact texts. */
export const successSchemas = {
  createToken: "Token",
  createCounterparty: "Counterparty",
  createOperation: "Operation",
  createBatch: "Batch",
  listBatches: "BatchList",
} as const satisfies Partial<Record<OperationName, ResponseSchemaName>>;

/** A JSON pointer with a star in the place of each index. */
export const starred = (pointer: string): string => pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");

/**
 * What would be right at a place of a success, by all requirements on it: whoever follows it breaks none of them.
 * `pointer` may have stars.
 */
export const adviceAt = (exchange: Exchange, pointer: string, known: Knowledge): string => {
  const { operation, json } = exchange;
  if (pointer === "") return `the body is ${bodyText(exchange)}`;
  const at = starred(pointer);
  const fact = memberFacts.find((row) => row.operation === operation && row.at === at);
  const schema = Object.hasOwn(successSchemas, operation)
    ? known.schemas.placeIn(successSchemas[operation as keyof typeof successSchemas], pointer)
    : undefined;
  const value = valueOf(exchange, pointer, fact, known);
  const type =
    fact?.right ??
    `${schema?.text ?? "present"}${withNeeded(operation, at)}${isObject(value) ? " as it was sent" : ""}`;
  const advice = `${pointer} ${value === undefined || isObject(value) ? `is ${type}` : `= ${shown(value)}`}`;
  const mayBeAbsent = fact?.isNeeded !== true && schema?.isRequired !== true;
  if (valueAt(json, pointer) !== null || !mayBeAbsent) return advice;
  const ofOperation = known.schemas.placeIn("Operation", pointer.slice(pointer.lastIndexOf("/")));
  const note = ofOperation?.text.endsWith(" or null") === true ? "; null is allowed on an Operation only" : "";
  return `${advice}, or the member left out${note}`;
};

/** What the body of a response is, whatever else is wrong with it: `a JSON object with id`. */
export const bodyText = (exchange: Exchange): string =>
  isSuccess(exchange)
    ? `a JSON object${withNeeded(exchange.operation, "")}`
    : isRefusal(exchange)
      ? "a JSON object with a string message"
      : "a JSON text";

/** ` with count and total`: the members that must be in an object. */
const withNeeded = (operation: OperationName, at: string): string => {
  const names = memberFacts
    .filter((row) => row.operation === operation && row.isNeeded === true)
    .filter((row) => row.at.slice(0, row.at.lastIndexOf("/")) === at)
    .map((row) => row.at.slice(at.length + 1));
  const [last, ...before] = names.toReversed();
  if (last === undefined) return "";
  return ` with ${before.length === 0 ? last : `${before.toReversed().join(", ")} and ${last}`}`;
};

/** The one value that is right, if there is one. */
const valueOf = (
  exchange: Exchange,
  pointer: string,
  fact: MemberFact | undefined,
  known: Knowledge,
): Json | undefined => {
  if (fact?.value !== undefined) return fact.value;
  const [, batch, member] = /^((?:\/batches\/\d+)?)\/operations\/\d+\/(\w+)$/.exec(pointer) ?? [];
  if (batch !== undefined && member === "batch_id") return stringIn(valueAt(exchange.json, batch), "id");
  const [, named] = /^((?:\/batches\/\d+)?)\/id$/.exec(pointer) ?? [];
  if (named !== undefined) {
    const operations = memberOf(valueAt(exchange.json, named), "operations");
    const [id] = Array.isArray(operations) ? operations.flatMap((each: Json) => stringIn(each, "batch_id") ?? []) : [];
    if (id !== undefined) return id;
  }
  const [, first = "", rest = ""] = /^(\/[^/]*)(.*)$/s.exec(pointer) ?? [];
  const echo = memberFacts.find((row) => row.operation === exchange.operation && row.at === first)?.repeats;
  const sent = echo === undefined ? undefined : valueAt(exchange.request.json, `/${echo}${rest}`);
  return sent === undefined || mayBeEarlier(exchange, known) ? undefined : sent;
};

const stringIn = (value: Json | undefined, name: string): string | undefined => {
  const text = memberOf(value, name);
  return typeof text === "string" ? text : undefined;
};
