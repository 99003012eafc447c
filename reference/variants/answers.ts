import { all, answers, batchOperation, listedBatch, success } from "../change.ts";
import { edit, omit, set } from "../edits.ts";
import type { Json } from "../edits.ts";
import type { Change } from "../policy.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

const operation = (change: (body: Json) => Json): Change => success("createOperation", change);
const counterparty = (change: (body: Json) => Json): Change => success("createCounterparty", change);
const batch = (change: (body: Json) => Json): Change => success("createBatch", change);

const only =
  (...names: readonly string[]) =>
  (body: Json): Json =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));

/** Changes the bank account in every response. */
const account = (change: (account: Json) => Json): Change => {
  const within = edit("bank_account", change);
  return all(operation(within), counterparty(within), batchOperation(within));
};

const withoutNulls = (body: Json): Json =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

const more = { version: 3, tags: ["fx", null, 1.5], meta: { source: "core", nested: { deep: [{}] } }, note: null };

const errors = (change: (body: Json, status: number) => Json): Change =>
  answers(
    (answer) => answer.status >= 400 && answer.text === undefined,
    (answer) => ({ ...answer, body: change(answer.body as Json, answer.status) }),
  );

const ownAccount = {
  bank_name: "Operator Bank",
  swift_code: "OPERBRSP",
  bank_country: "BR",
  account_number: "00017",
};

const shapes = { slot: "members of an operation", answers: "OPEN-40" } as const;
const ofCounterparty = { slot: "members of a counterparty" } as const;
const ofBatch = { slot: "members of a batch" } as const;
const ofBatched = { slot: "members of a batched operation" } as const;
const customer = { slot: "customer of an operation", answers: "OPEN-33" } as const;
const banks = { slot: "banks of an operation", answers: "OPEN-34" } as const;

/** Responses with fewer, more or other members. */
export const answerVariants: readonly Variant[] = [
  row("operation-minimal", "A new operation shows only its id and its status.", shapes).by(
    operation(only("operation_id", "status")),
  ),
  row("operation-nulls-left-out", "Members that are null are left out of a new operation.", shapes).by(
    operation(withoutNulls),
  ),
  row("operation-without-batch", "A new operation does not show its batch_id.", shapes).by(operation(omit("batch_id"))),
  row("operation-without-echo", "A new operation shows nothing of the request.", shapes).by(
    operation(omit("foreign_currency_amount", "currency_pair", "operation_purpose", "counterparty_id")),
  ),
  row("operation-without-time", "A new operation does not show when it was created.", shapes).by(
    operation(omit("created_at")),
  ),
  row("customer-absent", "A new operation does not show its customer.", customer).by(operation(omit("customer_id"))),
  row("customer-other", "The customer of an operation is that of the token, under another id.", customer).by(
    operation(edit("customer_id", () => "corporate-9")),
  ),
  row("banks-absent", "A new operation does not show its banks.", banks).by(
    operation(omit("bank_account", "intermediary_bank")),
  ),
  row("banks-of-operator", "The account of an operation is the operator's own.", banks).by(
    operation(set({ bank_account: ownAccount })),
  ),
  row("intermediary-absent", "A missing intermediary bank is left out of a new operation.", banks).by(
    operation((body) => (body["intermediary_bank"] === null ? omit("intermediary_bank")(body) : body)),
  ),
  row("intermediary-always-null", "The intermediary bank of a new operation is always null.", banks).by(
    operation(set({ intermediary_bank: null })),
  ),
  row("counterparty-minimal", "A new counterparty shows only its id.", ofCounterparty).by(counterparty(only("id"))),
  row("counterparty-without-banks", "A counterparty does not show its banks.", ofCounterparty).by(
    counterparty(omit("bank_account", "intermediary_bank")),
  ),
  row("batch-minimal", "A new batch shows only its id.", ofBatch).by(batch(only("id"))),
  row("batch-without-operations", "A new batch does not show its operations.", ofBatch).by(
    batch(omit("operations", "operation_count")),
  ),
  row("batched-minimal", "An operation in a batch shows only its id.", ofBatched).by(
    batchOperation(only("operation_id")),
  ),
  row("batched-without-batch", "An operation in a batch does not show its batch_id.", ofBatched).by(
    batchOperation(omit("batch_id")),
  ),
  row("batched-settled", "The status of operations in a batch is settled.", { answers: "OPEN-01" }).by(
    batchOperation(edit("status", () => "settled")),
  ),
  row("batch-status-upper-case", "The status of batches is in upper case.", { answers: "OPEN-03" }).by(
    all(listedBatch(set({ status: "IN_PROGRESS" })), batch(edit("status", () => "NEW"))),
  ),
  row("batch-counts-some", "The operation_count of listed batches is 0, whatever they hold.").by(
    listedBatch(set({ operation_count: 0 })),
  ),
  row("batches-stay-empty", "Batches never show their operations.").by(
    all(listedBatch(set({ operations: [], operation_count: 0 })), batch(set({ operations: [], operation_count: 0 }))),
  ),
  row("members-more", "All responses have additional members.", { answers: "OPEN-35" }).by(
    answers(
      (answer) => answer.body !== undefined,
      (answer) => ({ ...answer, body: { ...more, ...(answer.body as Json) } }),
    ),
  ),
  row("batched-members-more", "Operations in a batch have additional members.").by(
    batchOperation(set({ fee: null, quote: { rate: 5.43 } })),
  ),
  row("bank-members-more", "Accounts have additional members.").by(account(set({ branch: null, verified: true }))),
  row("errors-with-codes", "Errors have a code, details and a time.", { answers: "OPEN-26", slot: "errors" }).by(
    errors((body, status) => ({ code: `FX-${status}`, details: [], timestamp: Date.now(), ...body })),
  ),
  row("errors-terse", "The message of an error is empty.", { slot: "errors" }).by(errors(() => ({ message: "" }))),
  row("errors-in-portuguese", "Errors are in Portuguese.", { slot: "errors" }).by(
    errors(() => ({ message: "Requisição inválida: verifique “os dados”" })),
  ),
  row("accounts-masked", "Account numbers show only their last four characters.", { slot: "accounts" }).by(
    account((it) => ({ ...it, account_number: `****${String(it["account_number"]).slice(-4)}` })),
  ),
  row("ibans-grouped", "IBANs are shown in groups of four.", { slot: "accounts" }).by(
    account(edit("iban", (iban: string) => iban.replaceAll(/(.{4})(?=.)/g, "$1 "))),
  ),
  row("names-capitals", "Names are stored in upper case.", { slot: "names" }).by(
    counterparty(edit("name", (name: string) => name.toUpperCase())),
  ),
  row("names-trimmed", "Names are stored without accents and repeated spaces.", { slot: "names" }).by(
    counterparty(
      edit("name", (name: string) => name.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll(/\s+/g, " ").trim()),
    ),
  ),
  row("external-id-absent", "A counterparty does not show its external_id.").by(counterparty(omit("external_id"))),
  row("external-id-empty-absent", "An empty external_id is not shown.").by(
    counterparty((body) => (body["external_id"] === "" ? omit("external_id")(body) : body)),
  ),
  row("bic-of-eleven", "BICs are stored with eleven characters.").by(
    account(edit("swift_code", (bic: string) => (bic.length === 8 ? `${bic}XXX` : bic))),
  ),
];
