import { all, sent, type Json } from "../change.ts";
import type { Call, Change, Operation } from "../policy.ts";
import { refused, refusing, row, type IsWrong, type Variant } from "./variant.ts";

const named = (call: Call): readonly unknown[] => {
  const ids = sent(call)["operation_ids"];
  return Array.isArray(ids) ? ids : [];
};

const isFree = (operation: Operation | undefined, pair: unknown): boolean =>
  operation !== undefined && operation.batch === null && operation.pair === pair;

const hasUnfree: IsWrong = (body, call) =>
  !named(call).every((id) => isFree(call.store.operations.get(String(id)), body["currency_pair"]));

const namedAlone: Change = (base) => ({
  perform: (call) => {
    if (call.operation !== "createBatch") return base.perform(call);
    const ids = new Set(named(call));
    const operations = new Map([...call.store.operations].filter(([id]) => ids.has(id)));
    return base.perform({ ...call, store: { ...call.store, operations } });
  },
});

const items = { slot: "amounts of items", answers: "OPEN-06" } as const;
const anyKind = ["acam-people-only", "acam-companies-only", "acam-anything"];
const amountOf = (body: Json): number => Number(body["currency_amount"]);
const itemOf = (body: Json): number => Number(body["local_currency_amount"]);
const isPerson = (body: Json): boolean => String(body["tax_id"]).length !== 14;
const isOtherPair = (body: Json): boolean => body["currency_pair"] !== "EURBRL";
const hasIntermediary: IsWrong = (body) => body["intermediary_bank"] !== undefined;
const onlyPair = "EURBRL is the only pair.";

/** Servers that accept only a part of the configured values, or require more than the specification names. */
export const narrowVariants: readonly Variant[] = [
  row("batches-by-member", "A batch holds the operations that operation_ids names, and no others.", {
    answers: "OPEN-14",
    needs: { batchMembers: { operation_ids: ["{operation_id}"] } },
  }).by(all(namedAlone, refusing("createBatch", "An operation is unknown, of another pair, or in a batch", hasUnfree))),
  ...refused("addAcamItem", items, [
    ["acam-far-below", "An item is at most 5.", (body) => itemOf(body) > 5],
    ["acam-whole", "Items have no decimals.", (body) => !Number.isInteger(itemOf(body))],
    ["acam-of-tens", "The amount of an item is a multiple of ten.", (body) => itemOf(body) % 10 !== 0],
  ]),
  ...refused("addAcamItem", { ...items, excludes: anyKind }, [
    ["acam-companies-far-below", "Items are of companies, at most 3.", (body) => isPerson(body) || itemOf(body) > 3],
  ]),
  ...refused("createOperation", { slot: "amounts of operations", answers: "OPEN-29" }, [
    ["operations-up-to-20", "Operations above 20 are refused.", (body) => amountOf(body) > 20],
    ["operations-from-900", "Operations below 900 are refused.", (body) => amountOf(body) < 900],
    ["operations-of-hundreds", "The amount is a multiple of a hundred.", (body) => amountOf(body) % 100 !== 0],
    ["operations-whole", "Operations have no decimals.", (body) => !Number.isInteger(amountOf(body))],
  ]),
  ...refused("createCounterparty", { answers: "OPEN-04" }, [
    ["counterparties-without-intermediary", "Payees with an intermediary bank are refused.", hasIntermediary],
  ]),
  row("one-pair", onlyPair, { slot: "pairs", excludes: ["others-in-one-pair"] }).by(
    all(refusing("createOperation", onlyPair, isOtherPair), refusing("createBatch", onlyPair, isOtherPair)),
  ),
];
