import { all, answers, batchOperation, listedBatch, success, without } from "../change.ts";
import type { Json } from "../change.ts";
import type { Change } from "../policy.ts";
import type { Variant } from "./variant.ts";
import { row } from "./row.ts";

const operation = (change: (body: Json) => Json): Change => success("createOperation", change);
const counterparty = (change: (body: Json) => Json): Change => success("createCounterparty", change);
const batch = (change: (body: Json) => Json): Change => success("createBatch", change);

const only = (body: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));

/** Changes an account wherever there is one. */
const account = (change: (account: Json) => Json): Change => {
  const within = (body: Json): Json => {
    const { bank_account: it } = body;
    return it === undefined ? body : { ...body, bank_account: change(it as Json) };
  };
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

const grouped = (text: unknown): string => String(text).replaceAll(/(.{4})(?=.)/g, "$1 ");

const shapes = { slot: "members of an operation", answers: "OPEN-40" } as const;
const customer = { slot: "customer of an operation", answers: "OPEN-33" } as const;
const banks = { slot: "banks of an operation", answers: "OPEN-34" } as const;

/** Other choices of what an answer shows. */
export const answerVariants: readonly Variant[] = [
  row(
    "operation-minimal",
    "A new operation shows its id and its status.",
    operation((body) => only(body, "operation_id", "status")),
    shapes,
  ),
  row(
    "operation-nulls-left-out",
    "Members that are null are left out of a new operation.",
    operation(withoutNulls),
    shapes,
  ),
  row(
    "operation-without-batch",
    "A new operation does not show its batch_id.",
    operation((body) => without(body, "batch_id")),
    shapes,
  ),
  row(
    "operation-without-echo",
    "A new operation shows nothing of the request.",
    operation((body) =>
      without(body, "foreign_currency_amount", "currency_pair", "operation_purpose", "counterparty_id"),
    ),
    shapes,
  ),
  row(
    "operation-without-time",
    "A new operation does not show when it was created.",
    operation((body) => without(body, "created_at")),
    shapes,
  ),
  row(
    "customer-absent",
    "A new operation does not show its customer.",
    operation((body) => without(body, "customer_id")),
    customer,
  ),
  row(
    "customer-other",
    "The customer of an operation is that of the token, under another id.",
    operation((body) => ("customer_id" in body ? { ...body, customer_id: "corporate-9" } : body)),
    customer,
  ),
  row(
    "banks-absent",
    "A new operation does not show its banks.",
    operation((body) => without(body, "bank_account", "intermediary_bank")),
    banks,
  ),
  row(
    "banks-of-operator",
    "The account of an operation is the operator's own.",
    operation((body) => ({
      ...body,
      bank_account: { bank_name: "Operator Bank", swift_code: "OPERBRSP", bank_country: "BR", account_number: "00017" },
    })),
    banks,
  ),
  row(
    "intermediary-absent",
    "Where there is no intermediary bank an operation does not show one.",
    operation((body) => (body["intermediary_bank"] === null ? without(body, "intermediary_bank") : body)),
    banks,
  ),
  row(
    "intermediary-always-null",
    "An operation shows no intermediary bank.",
    operation((body) => ({ ...body, intermediary_bank: null })),
    banks,
  ),
  row(
    "counterparty-minimal",
    "A counterparty shows its id.",
    counterparty((body) => only(body, "id")),
    { slot: "members of a counterparty" },
  ),
  row(
    "counterparty-without-banks",
    "A counterparty does not show its banks.",
    counterparty((body) => without(body, "bank_account", "intermediary_bank")),
    { slot: "members of a counterparty" },
  ),
  row(
    "batch-minimal",
    "A new batch shows its id.",
    batch((body) => only(body, "id")),
    { slot: "members of a batch" },
  ),
  row(
    "batch-without-operations",
    "A new batch does not show its operations.",
    batch((body) => without(body, "operations", "operation_count")),
    { slot: "members of a batch" },
  ),
  row(
    "batched-minimal",
    "An operation in a batch shows its id.",
    batchOperation((it) => only(it, "operation_id")),
    { slot: "members of a batched operation" },
  ),
  row(
    "batched-without-batch",
    "An operation in a batch does not show the batch.",
    batchOperation((it) => without(it, "batch_id")),
    { slot: "members of a batched operation" },
  ),
  row(
    "batched-settled",
    "Operations in a batch are settled.",
    batchOperation((it) => ("status" in it ? { ...it, status: "settled" } : it)),
    { answers: "OPEN-01" },
  ),
  row(
    "batch-status-upper-case",
    "The status of batches is in capitals.",
    all(
      listedBatch((it) => ({ ...it, status: "IN_PROGRESS" })),
      batch((it) => ("status" in it ? { ...it, status: "NEW" } : it)),
    ),
    { answers: "OPEN-03" },
  ),
  row(
    "batch-counts-some",
    "The operation_count is below the number of operations shown.",
    listedBatch((it) => ({ ...it, operation_count: 0 })),
  ),
  row(
    "batches-stay-empty",
    "Batches show no operations until they are settled.",
    all(
      listedBatch((it) => ({ ...it, operations: [], operation_count: 0 })),
      batch((it) => ({ ...it, operations: [], operation_count: 0 })),
    ),
  ),
  row(
    "members-more",
    "All answers have more members than the specification.",
    answers(
      (answer) => answer.body !== undefined,
      (answer) => ({ ...answer, body: { ...more, ...(answer.body as Json) } }),
    ),
    { answers: "OPEN-35" },
  ),
  row(
    "batched-members-more",
    "Operations in a batch have more members than the specification.",
    batchOperation((it) => ({ ...it, fee: null, quote: { rate: 5.43 } })),
  ),
  row(
    "bank-members-more",
    "Accounts have more members than the specification.",
    account((it) => ({ ...it, branch: null, verified: true })),
  ),
  row(
    "errors-with-codes",
    "Errors have a code, details and a time.",
    errors((body, status) => ({ code: `FX-${status}`, details: [], timestamp: Date.now(), ...body })),
    { answers: "OPEN-26", slot: "errors" },
  ),
  row(
    "errors-terse",
    "The message of an error is empty.",
    errors(() => ({ message: "" })),
    { slot: "errors" },
  ),
  row(
    "errors-in-portuguese",
    "Errors are in Portuguese.",
    errors(() => ({ message: "Requisição inválida: verifique “os dados”" })),
    { slot: "errors" },
  ),
  row(
    "accounts-masked",
    "Of account numbers the end is shown.",
    account((it) => ({ ...it, account_number: `****${String(it["account_number"]).slice(-4)}` })),
    { slot: "accounts" },
  ),
  row(
    "ibans-grouped",
    "IBANs are shown in groups of four.",
    account((it) => ("iban" in it ? { ...it, iban: grouped(it["iban"]) } : it)),
    { slot: "accounts" },
  ),
  row(
    "names-capitals",
    "Names are kept in capitals.",
    counterparty((body) => ("name" in body ? { ...body, name: String(body["name"]).toUpperCase() } : body)),
    { slot: "names" },
  ),
  row(
    "names-trimmed",
    "Names are kept without accents and runs of spaces.",
    counterparty((body) =>
      "name" in body
        ? {
            ...body,
            name: String(body["name"]).normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll(/\s+/g, " ").trim(),
          }
        : body,
    ),
    { slot: "names" },
  ),
  row(
    "external-id-absent",
    "A counterparty does not show its external_id.",
    counterparty((body) => without(body, "external_id")),
  ),
  row(
    "bic-of-eleven",
    "BICs are kept with eleven characters.",
    account((it) =>
      String(it["swift_code"]).length === 8 ? { ...it, swift_code: `${String(it["swift_code"])}XXX` } : it,
    ),
  ),
];
