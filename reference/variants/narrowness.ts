import { all, sent } from "../change.ts";
import type { Json } from "../edits.ts";
import type { Call, Change } from "../policy.ts";
import type { Operation, Store } from "../store.ts";
import { refusing } from "./refusing.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** The `operation_ids` of a new batch. */
const named = (call: Call): readonly unknown[] => {
  const ids = sent(call)["operation_ids"];
  return Array.isArray(ids) ? ids : [];
};

const isFree = (operation: Operation | undefined, pair: unknown): boolean =>
  operation !== undefined && operation.batch === null && operation.pair === pair;

/** Puts only the operations in `operation_ids` into a new batch. */
const namedAlone: Change = (base) => ({
  perform: (call) => {
    if (call.operation !== "createBatch") return base.perform(call);
    const ids = new Set(named(call));
    const operations = new Map([...call.store.operations].filter(([id]) => ids.has(id)));
    return base.perform({ ...call, store: { ...call.store, operations } satisfies Store });
  },
});

const items = { slot: "amounts of items", answers: "OPEN-06" } as const;
const amounts = { slot: "amounts of operations", answers: "OPEN-29" } as const;
const anyKind = ["acam-people-only", "acam-companies-only", "acam-anything"] as const;

const operation = (problem: (body: Json) => string | false): Change => refusing("createOperation", problem);
const item = (problem: (body: Json) => string | false): Change => refusing("addAcamItem", problem);
const amountOf = (body: Json): number => Number(body["currency_amount"]);
const itemOf = (body: Json): number => Number(body["local_currency_amount"]);
const isCompany = (body: Json): boolean => String(body["tax_id"]).length === 14;

/** Servers that accept only a part of the configured values, or require more than the specification names. */
export const narrowVariants: readonly Variant[] = [
  row("batches-by-member", "A batch holds the operations that operation_ids names, and no others.", {
    answers: "OPEN-14",
    needs: { batchMembers: { operation_ids: ["{operation_id}"] } },
  }).by(
    all(
      namedAlone,
      refusing("createBatch", (body, call) => {
        const free = named(call).every((id) => isFree(call.store.operations.get(String(id)), body["currency_pair"]));
        return !free && "An operation is not known, of another pair, or in a batch";
      }),
    ),
  ),
  row("acam-far-below", "An item is at most 5.", items).by(item((body) => itemOf(body) > 5 && "An item is at most 5")),
  row("acam-whole", "Items have no decimals.", items).by(
    item((body) => !Number.isInteger(itemOf(body)) && "Amounts are whole here"),
  ),
  row("acam-of-tens", "The amount of an item is a multiple of ten.", items).by(
    item((body) => itemOf(body) % 10 !== 0 && "Amounts are multiples of ten"),
  ),
  row("acam-companies-far-below", "An item is at most 3, and its tax id is that of a company.", {
    ...items,
    excludes: anyKind,
  }).by(item((body) => (isCompany(body) ? itemOf(body) > 3 && "An item is at most 3" : "Only companies have items"))),
  row("operations-up-to-20", "Operations above 20 are refused.", amounts).by(
    operation((body) => amountOf(body) > 20 && "The limit is exceeded"),
  ),
  row("operations-from-900", "Operations below 900 are refused.", amounts).by(
    operation((body) => amountOf(body) < 900 && "The amount is too low"),
  ),
  row("operations-of-hundreds", "The amount of an operation is a multiple of a hundred.", amounts).by(
    operation((body) => amountOf(body) % 100 !== 0 && "The amount is not a multiple"),
  ),
  row("operations-whole", "Operations have no decimals.", amounts).by(
    operation((body) => !Number.isInteger(amountOf(body)) && "The amount has decimals"),
  ),
  row("counterparties-without-intermediary", "Counterparties with an intermediary bank are refused.", {
    answers: "OPEN-04",
  }).by(
    refusing(
      "createCounterparty",
      (body) => body["intermediary_bank"] !== undefined && "Intermediary banks are not supported",
    ),
  ),
  row("one-pair", "EURBRL is the only pair.", {
    slot: "pairs",
    excludes: ["others-in-one-pair"],
  }).by(
    all(
      operation((body) => body["currency_pair"] !== "EURBRL" && "Only EURBRL is traded here"),
      refusing("createBatch", (body) => body["currency_pair"] !== "EURBRL" && "Only EURBRL is traded here"),
    ),
  ),
];
