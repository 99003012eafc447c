import type { OperationName } from "../../spec/operations.ts";
import { all, anyPurpose, isJson, type Json } from "../change.ts";
import { bankMembers, Refusal, requiredAccountMembers, type Call, type Change } from "../policy.ts";
import { row, type Variant } from "./variant.ts";

function making(at: OperationName, usable: (body: Json) => unknown): Change {
  return (base) => ({
    parse: (call) => {
      const body = base.parse(call);
      return call.operation === at ? usable(isJson(body) ? body : {}) : body;
    },
  });
}

function unchecked(at: OperationName, instead: (call: Call) => void = () => {}): Change {
  return (base) => ({
    check: (call) => (call.operation === at ? instead(call) : base.check(call)),
  });
}

function forgiving(isForgiven: (call: Call, reason: string) => boolean): Change {
  return (base) => ({
    check: (call) => {
      try {
        base.check(call);
      } catch (error) {
        const isOurs = call.operation === "createOperation" && error instanceof Refusal;
        if (!isOurs || !isForgiven(call, String(error.answer.refusal))) throw error;
      }
    },
  });
}

const isText = (value: unknown): value is string => typeof value === "string";

/**
 * The members of an object that are texts. Returns undefined if the value is not an object, or if a
 * required member is not a text.
 */
function texts(value: unknown, required: readonly string[]): Json | undefined {
  if (!isJson(value)) return undefined;
  const found = Object.fromEntries(Object.entries(value).filter(([, text]) => isText(text)));
  return required.every((name) => name in found) ? found : undefined;
}

function usableCounterparty(body: Json): Json {
  return {
    ...texts({ name: body["name"], external_id: body["external_id"] }, []),
    counterparty_address: texts(body["counterparty_address"], []),
    bank_account: texts(body["bank_account"], requiredAccountMembers),
    intermediary_bank: texts(body["intermediary_bank"], bankMembers),
  };
}

function isComplete(body: unknown): boolean {
  return (
    isJson(body) &&
    Number.isFinite(body["currency_amount"]) &&
    ["operation_purpose", "currency_pair", "counterparty_id"].every((name) => isText(body[name]))
  );
}

function checkPurpose(call: Call): void {
  const operation = call.policy.findOperation(call.parameter, call);
  if (!operation) throw new Refusal(404, "operation", "There is no such operation");
  if (operation.purpose !== "EFX") throw new Refusal(422, "purpose", "The operation is not EFX");
}

function usableBatch(body: Json): Json {
  return isText(body["currency_pair"]) ? body : { currency_pair: "USDBRL" };
}

function accepting(id: string, about: string, purposes: ReadonlySet<string>): Variant {
  return row(id, about, { answers: "OPEN-02", slot: "purposes" }).by(() => ({ purposes }));
}

const anyItem = { answers: "OPEN-05", excludes: ["tax-id-checked", "acam-bounded"] } as const;
const anyOperation = {
  answers: "OPEN-29",
  slot: "operations",
  excludes: ["counterparty-lags"],
} as const;

export const lenientVariants: readonly Variant[] = [
  row("counterparty-anything", "Invalid members of a counterparty are dropped.", {
    answers: "OPEN-38",
  }).by((base) => ({
    ...making("createCounterparty", usableCounterparty)(base),
    ...unchecked("createCounterparty", (call) => call.policy.customer(call.parameter, call))(base),
  })),
  row("customer-any", "Customers are not checked.", { answers: "OPEN-22" }).by(() => ({
    customer: () => {},
  })),
  accepting("purpose-any", "Any string is accepted as the purpose.", anyPurpose),
  accepting("purpose-few", "The only purposes are EFX and IMPORT.", new Set(["EFX", "IMPORT"])),
  row("acam-anything", "The body of an item is not checked.", anyItem).by(
    unchecked("addAcamItem", checkPurpose),
  ),
  row("batch-anything", "A batch accepts any pair, or none.", { answers: "OPEN-39" }).by(
    all(making("createBatch", usableBatch), unchecked("createBatch")),
  ),
  row("media-type-ignored", "A body is read as JSON whatever its Content-Type.", {
    answers: "OPEN-36",
  }).by((base) => ({
    parse: (call) =>
      base.parse({ ...call, headers: { ...call.headers, "content-type": "application/json" } }),
  })),
  row(
    "operation-anything",
    "Any amount, any pair and unknown counterparties are accepted.",
    anyOperation,
  ).by((base) => ({
    findCounterparty: (id, call) => base.findCounterparty(id, call) ?? { id },
    ...forgiving(
      ({ body }, reason) => ["amount", "pair", "counterparty"].includes(reason) && isComplete(body),
    )(base),
  })),
  row("amount-beyond-doubles", "A number beyond doubles is accepted and shown as null.", {
    answers: "OPEN-29",
  }).by((base) => ({
    // All that is checked besides the amount is checked all the same.
    check: (call) => base.check(isBeyondDoubles(call) ? withAmountOfOne(call) : call),
  })),
];

function isBeyondDoubles({ operation, body }: Call): boolean {
  return operation === "createOperation" && isJson(body) && body["currency_amount"] === Infinity;
}

function withAmountOfOne(call: Call): Call {
  return { ...call, body: { ...(isJson(call.body) ? call.body : {}), currency_amount: 1 } };
}
