import { anyPurpose } from "../change.ts";
import { isJson } from "../edits.ts";
import type { Json } from "../edits.ts";
import type { OperationName } from "../../spec/operations.ts";
import { Refusal } from "../refusal.ts";
import type { Call, Change } from "../policy.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** Replaces the parsed body of an endpoint with one that it can use. */
const making =
  (operation: OperationName, usable: (body: Json, call: Call) => unknown): Change =>
  (base) => ({
    parse: (call) => {
      const body = base.parse(call);
      return call.operation === operation ? usable(isJson(body) ? body : {}, call) : body;
    },
  });

/** Replaces the checks of an endpoint with `instead`. */
const unchecked =
  (operation: OperationName, instead: (call: Call) => void = () => {}): Change =>
  (base) => ({
    check: (call) => (call.operation === operation ? instead(call) : base.check(call)),
  });

const isText = (value: unknown): value is string => typeof value === "string";

const bank = (value: unknown, also: readonly string[] = []): Json | undefined => {
  if (!isJson(value)) return undefined;
  const texts = Object.fromEntries(Object.entries(value).filter(([, text]) => isText(text)));
  return ["bank_name", "swift_code", "bank_country", ...also].every((name) => name in texts) ? texts : undefined;
};

/** The valid members of a counterparty. */
const usableCounterparty = (body: Json): Json => {
  const { name, counterparty_address: address, external_id } = body;
  const texts = isJson(address) ? Object.entries(address).filter(([, text]) => isText(text)) : undefined;
  return {
    ...(isText(name) && { name }),
    ...(texts && { counterparty_address: Object.fromEntries(texts) }),
    bank_account: bank(body["bank_account"], ["account_number"]),
    intermediary_bank: bank(body["intermediary_bank"]),
    ...(isText(external_id) && { external_id }),
  };
};

/** Servers that accept more than the reference does. */
export const lenientVariants: readonly Variant[] = [
  row("counterparty-anything", "A counterparty needs no members, and invalid ones are dropped.", {
    answers: "OPEN-38",
  }).by((base) => ({
    ...making("createCounterparty", usableCounterparty)(base),
    ...unchecked("createCounterparty", (call) => call.policy.customer(call.parameter, call))(base),
  })),
  row("customer-any", "Counterparties can be created for any customer.", { answers: "OPEN-22" }).by(() => ({
    customer: () => {},
  })),
  row("purpose-any", "Any string is accepted as the purpose.", { answers: "OPEN-02", slot: "purposes" }).by(() => ({
    purposes: anyPurpose,
  })),
  row("purpose-few", "The only purposes are EFX and IMPORT.", { answers: "OPEN-02", slot: "purposes" }).by(() => ({
    purposes: new Set(["EFX", "IMPORT"]),
  })),
  row("acam-anything", "The body of an item is not checked.", {
    answers: "OPEN-05",
    excludes: ["tax-id-checked", "acam-bounded"],
  }).by(
    unchecked("addAcamItem", (call) => {
      const operation = call.policy.findOperation(call.parameter, call);
      if (!operation) throw new Refusal(404, "operation", "There is no such operation");
      if (operation.purpose !== "EFX") throw new Refusal(422, "purpose", "The operation is not EFX");
    }),
  ),
  row("batch-anything", "A batch accepts any pair, or none.", { answers: "OPEN-39" }).by((base) => ({
    ...making("createBatch", (body) => (isText(body["currency_pair"]) ? body : { currency_pair: "USDBRL" }))(base),
    ...unchecked("createBatch")(base),
  })),
  row("media-type-ignored", "A body is read as JSON whatever its Content-Type.", { answers: "OPEN-36" }).by((base) => ({
    parse: (call) => base.parse({ ...call, headers: { ...call.headers, "content-type": "application/json" } }),
  })),
  row(
    "operation-anything",
    "Amounts of zero and less, unknown counterparties and malformed pairs are accepted, which no rule forbids.",
    { answers: "OPEN-29", slot: "operations", excludes: ["counterparty-lags"] },
  ).by((base) => ({
    findCounterparty: (id, call) => base.findCounterparty(id, call) ?? { id },
    ...unchecked("createOperation", (call) => {
      try {
        base.check(call);
      } catch (error) {
        const stated = error instanceof Refusal && !["amount", "pair", "counterparty"].includes(error.reason);
        if (stated || !isComplete(call.body)) throw error;
      }
    })(base),
  })),
  row("amount-beyond-doubles", "A number beyond the range of a double is accepted and shown as null.", {
    answers: "OPEN-29",
  }).by((base) => ({
    check: (call) => {
      try {
        base.check(call);
      } catch (error) {
        const isBeyond =
          call.operation === "createOperation" && isJson(call.body) && call.body["currency_amount"] === Infinity;
        if (!isBeyond || !(error instanceof Refusal) || error.reason !== "amount") throw error;
      }
    },
  })),
];

const isComplete = (body: unknown): boolean =>
  isJson(body) &&
  Number.isFinite(body["currency_amount"]) &&
  isText(body["operation_purpose"]) &&
  isText(body["currency_pair"]) &&
  isText(body["counterparty_id"]);
