import { all, sent } from "../change.ts";
import type { Call, Change } from "../policy.ts";
import type { Operation, Store } from "../store.ts";
import { refusing } from "./refusing.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** The ids that a new batch names. */
const named = (call: Call): readonly unknown[] => {
  const ids = sent(call)["operation_ids"];
  return Array.isArray(ids) ? ids : [];
};

const isFree = (operation: Operation | undefined, pair: unknown): boolean =>
  operation !== undefined && operation.batch === null && operation.pair === pair;

/** Puts the named operations into a new batch, and no others. */
const namedAlone: Change = (base) => ({
  perform: (call) => {
    if (call.operation !== "createBatch") return base.perform(call);
    const ids = new Set(named(call));
    const operations = new Map([...call.store.operations].filter(([id]) => ids.has(id)));
    return base.perform({ ...call, store: { ...call.store, operations } satisfies Store });
  },
});

/** Servers that accept a part of what is configured, or want more than the specification names. */
export const narrowVariants: readonly Variant[] = [
  row("batches-by-member", "Operations come into a batch by the member operation_ids alone.", {
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
];
