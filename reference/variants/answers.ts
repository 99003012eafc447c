import {
  isJson,
  all,
  answers,
  batchOperation,
  edit,
  listedBatch,
  omit,
  set,
  success,
  successOf,
} from "../change.ts";
import type { Edit, Json } from "../change.ts";
import type { Change, RefusalReason } from "../policy.ts";
import { row, rowsWith, type VariantFacts, type Variant } from "./variant.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";

type ShownBy = (change: Edit) => Change;
const operation: ShownBy = (change) => success("createOperation", change);
const counterparty: ShownBy = (change) => success("createCounterparty", change);
const batch: ShownBy = (change) => success("createBatch", change);

function account(change: (account: Json) => Json): Change {
  // An operation for a payee that the server does not know shows no account.
  const within = edit("bank_account", (it) => (isJson(it) ? change(it) : it));
  return all(operation(within), counterparty(within), batchOperation(within));
}

type AnswerRow = readonly [id: string, about: string, change: (body: Json) => unknown];

function variantsOf(
  shown: ShownBy,
  facts: VariantFacts,
  rows: readonly AnswerRow[],
): readonly Variant[] {
  return rows.map(([id, about, change]) => row(id, about, facts).by(shown(change)));
}

function only(...names: readonly string[]) {
  return (body: Json): Json =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

function omitIf(name: string, value: unknown) {
  return (body: Json): Json => (body[name] === value ? omit(name)(body) : body);
}

function omitIfEmpty(name: string) {
  return (body: Json): Json => {
    const value = body[name];
    return isJson(value) && Object.keys(value).length === 0 ? omit(name)(body) : body;
  };
}

function withoutNulls(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

const echoes = ["foreign_currency_amount", "currency_pair", "operation_purpose", "counterparty_id"];
const more = {
  version: 3,
  tags: ["fx", null, 1.5],
  meta: { source: "core", nested: { deep: [{}] } },
  note: null,
};
const ownAccount = {
  bank_name: "Operator Bank",
  swift_code: "OPERBRSP",
  bank_country: "BR",
  account_number: "00017",
};
const settled = batchOperation(edit("status", () => "settled"));
const quoted = set({ fee: null, quote: { rate: 5.43 } });
const empty = set({ operations: [], operation_count: 0 });

function withoutAccents(name: string): string {
  return name.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll(/\s+/g, " ").trim();
}
function masked(it: Json): Json {
  return {
    ...it,
    account_number: `****${String(it["account_number"]).slice(-4)}`,
  };
}

function errors(change: (body: Json, status: number) => Json): Change {
  return answers(
    (answer) => answer.status >= 400 && answer.text === undefined,
    (answer) => ({ ...answer, body: change(answer.body as Json, answer.status) }),
  );
}

const withErrors = rowsWith({ slot: "errors" });
const withAccounts = rowsWith({ slot: "accounts" });

export const answerVariants: readonly Variant[] = [
  ...variantsOf(operation, { slot: "members of an operation", answers: "OPEN-40" }, [
    [
      "operation-minimal",
      "A new operation shows only its id and its status.",
      only("operation_id", "status"),
    ],
    [
      "operation-nulls-left-out",
      "Members that are null are left out of a new operation.",
      withoutNulls,
    ],
    ["operation-without-batch", "A new operation does not show its batch_id.", omit("batch_id")],
    ["operation-without-echo", "A new operation shows nothing of the request.", omit(...echoes)],
    [
      "operation-without-time",
      "A new operation does not show when it was created.",
      omit("created_at"),
    ],
  ]),
  ...variantsOf(operation, { slot: "customer of an operation", answers: "OPEN-33" }, [
    ["customer-absent", "A new operation does not show its customer.", omit("customer_id")],
    [
      "customer-other",
      "The customer of an operation has another id.",
      edit("customer_id", () => "corporate-9"),
    ],
  ]),
  ...variantsOf(operation, { slot: "banks of an operation", answers: "OPEN-34" }, [
    [
      "banks-absent",
      "A new operation does not show its banks.",
      omit("bank_account", "intermediary_bank"),
    ],
    [
      "banks-of-operator",
      "The account of an operation is the operator's own.",
      set({ bank_account: ownAccount }),
    ],
    [
      "intermediary-absent",
      "A missing intermediary bank is left out.",
      omitIf("intermediary_bank", null),
    ],
    [
      "intermediary-always-null",
      "The intermediary bank is always null.",
      set({ intermediary_bank: null }),
    ],
  ]),
  ...variantsOf(counterparty, { slot: "members of a counterparty" }, [
    ["counterparty-minimal", "A new counterparty shows only its id.", only("id")],
    [
      "counterparty-without-banks",
      "A counterparty shows no banks.",
      omit("bank_account", "intermediary_bank"),
    ],
  ]),
  ...variantsOf(counterparty, { slot: "names" }, [
    [
      "names-capitals",
      "Names are stored in upper case.",
      edit("name", (name: string) => name.toUpperCase()),
    ],
    [
      "names-trimmed",
      "Names are stored without accents and repeated spaces.",
      edit("name", withoutAccents),
    ],
  ]),
  ...variantsOf(counterparty, {}, [
    ["external-id-absent", "A counterparty does not show its external_id.", omit("external_id")],
    ["address-empty-absent", "An empty address is not shown.", omitIfEmpty("counterparty_address")],
    ["external-id-empty-absent", "An empty external_id is not shown.", omitIf("external_id", "")],
  ]),
  ...variantsOf(batch, { slot: "members of a batch" }, [
    ["batch-minimal", "A new batch shows only its id.", only("id")],
    [
      "batch-without-operations",
      "A new batch does not show its operations.",
      omit("operations", "operation_count"),
    ],
  ]),
  ...variantsOf(batchOperation, { slot: "members of a batched operation" }, [
    ["batched-minimal", "An operation in a batch shows only its id.", only("operation_id")],
    [
      "batched-without-batch",
      "An operation in a batch does not show its batch_id.",
      omit("batch_id"),
    ],
  ]),
  row("batched-settled", "The status of operations in a batch is settled.", {
    answers: "OPEN-01",
  }).by(settled),
  row("batched-members-more", "Operations in a batch have more members.").by(
    batchOperation(quoted),
  ),
  row("batch-status-upper-case", "The status of batches is in upper case.", {
    answers: "OPEN-03",
  }).by(all(listedBatch(set({ status: "IN_PROGRESS" })), batch(edit("status", () => "NEW")))),
  row("batch-counts-some", "The operation_count of listed batches is 0.").by(
    listedBatch(set({ operation_count: 0 })),
  ),
  row("batches-stay-empty", "Batches never show their operations.").by(
    all(listedBatch(empty), batch(empty)),
  ),
  row("members-more", "All responses have additional members.", { answers: "OPEN-35" }).answers(
    (answer) => answer.body !== undefined,
    (answer) => ({ ...answer, body: { ...more, ...(answer.body as Json) } }),
  ),
  withErrors("errors-with-codes", "Errors have a code, details and a time.", {
    answers: "OPEN-26",
  }).by(
    errors((body, status) => ({
      code: `FX-${status}`,
      details: [],
      timestamp: Date.now(),
      ...body,
    })),
  ),
  withErrors("errors-terse", "The message of an error is empty.").by(
    errors(() => ({ message: "" })),
  ),
  withErrors("errors-in-portuguese", "Errors are in Portuguese.").by(
    errors(() => ({ message: "Requisição inválida: verifique “os dados”" })),
  ),
  withAccounts("accounts-masked", "Account numbers show only their last four characters.").by(
    account(masked),
  ),
  withAccounts("ibans-grouped", "IBANs are shown in groups of four.").by(
    account(edit("iban", (iban: string) => iban.replaceAll(/(.{4})(?=.)/g, "$1 "))),
  ),
  row("bank-members-more", "Accounts have additional members.").by(
    account(set({ branch: null, verified: true })),
  ),
  row("bic-of-eleven", "BICs are stored with eleven characters.").by(
    account(edit("swift_code", (bic: string) => (bic.length === 8 ? `${bic}XXX` : bic))),
  ),
];

function succeeding(
  name: string,
  at: OperationName,
  answers: QuestionId,
  ...statuses: readonly number[]
) {
  return statuses.map((status) =>
    row(`${name}-${status}`, `A success has status code ${status}.`, {
      answers,
      slot: `success of ${name}`,
    }).answers(successOf(at), set({ status })),
  );
}

/**
 * Whether the endpoint may choose the status of a refusal. For POST /corporate/operation, 400 and
 * 401 are stated.
 */
const isFree = (at?: OperationName): boolean => at !== "createOperation";
const isOperation = (at?: OperationName): boolean => at === "createOperation";
const isAny = (at?: OperationName): boolean => at !== undefined;

function refusing(
  reasons: readonly [RefusalReason, ...RefusalReason[]],
  answers: QuestionId,
  statuses: readonly number[],
  isAt: (at?: OperationName) => boolean = isFree,
): readonly Variant[] {
  return statuses.map((status) => {
    const name = `${reasons[0].replace(" ", "-")}${isAt === isOperation ? "-operation" : ""}`;
    const about = `A request is refused with ${status} for its ${reasons.join(" or ")}.`;
    return row(`${name}-refused-${status}`, about, {
      answers,
      slot: `refusal for ${reasons[0]}`,
    }).answers(
      ({ refusal }, call) =>
        refusal !== undefined && reasons.includes(refusal) && isAt(call.operation),
      set({ status }),
    );
  });
}

/** Variants with other statuses of successes and refusals where the specification states none. */
export const statusVariants: readonly Variant[] = [
  ...succeeding("token", "createToken", "OPEN-07", 201),
  ...succeeding("counterparty", "createCounterparty", "OPEN-08", 200, 202),
  ...succeeding("acam", "addAcamItem", "OPEN-10", 201, 202),
  ...succeeding("batch", "createBatch", "OPEN-12", 200, 202),
  ...succeeding("list", "listBatches", "OPEN-15", 203),
  ...refusing(["key"], "OPEN-07", [400, 403, 404]),
  ...refusing(["token"], "OPEN-23", [400, 403, 404]),
  ...refusing(["purpose"], "OPEN-11", [400, 403, 409]),
  ...refusing(["operation"], "OPEN-11", [400, 403, 422]),
  ...refusing(["customer"], "OPEN-22", [400, 403]),
  ...refusing(["invalid", "amount", "pair"], "OPEN-13", [422]),
  ...refusing(["invalid", "malformed", "amount", "pair"], "OPEN-09", [409]),
  ...refusing(["malformed"], "OPEN-09", [422]),
  ...refusing(["counterparty"], "OPEN-29", [404, 409], isAny),
  ...refusing(["amount"], "OPEN-29", [422], isOperation),
  ...refusing(["pair"], "OPEN-29", [422], isOperation),
  ...refusing(["media type"], "OPEN-36", [400], isAny),
  ...[403, 414, 431].map((status) =>
    row(
      `refusals-${status}`,
      `Everything is refused with ${status}, where no other status is stated.`,
      {
        answers: "OPEN-09",
        slot: "refusals",
      },
    ).answers(
      (answer, { operation }) => answer.status >= 400 && isFree(operation),
      set({ status }),
    ),
  ),
];
