import { answers, listedBatch, refusalOf, success, withOldBatches } from "../change.ts";
import { omit, set } from "../edits.ts";
import type { Json } from "../edits.ts";
import { Refusal } from "../refusal.ts";
import type { Call, Change } from "../policy.ts";
import type { Batch } from "../store.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

const listed = (change: (body: Json, call: Call) => Json): Change => success("listBatches", change);

const ordered =
  (order: (batches: readonly Batch[]) => readonly Batch[]): Change =>
  (base) => ({ listed: (call) => order(base.listed(call)) });

/** Lists and counts only batches that are older than `ms` milliseconds. */
const lagging =
  (ms: number): Change =>
  (base) => ({
    listed: (call) => base.listed(call).filter(({ createdAt }) => Date.now() - createdAt.getTime() >= ms),
    ...listed((body) => ({ ...body, total: body["count"] }))(base),
  });

const whole = (value: string | null, fallback: number): number =>
  value !== null && /^\d{1,6}$/.test(value) ? Number(value) : fallback;

const order = { slot: "order of the list", answers: "OPEN-17" } as const;
const paging = { slot: "pages of the list", answers: "OPEN-18" } as const;
const counting = { slot: "counts of the list", answers: "OPEN-16" } as const;
const lag = { slot: "lag of the list", excludes: ["list-first-page-oldest"] } as const;
const volume = { slot: "old batches" } as const;

/** Other orders, pages, counts and contents of the list. */
export const listVariants: readonly Variant[] = [
  row("list-oldest-first", "The oldest batch comes first.", order).by(ordered((batches) => batches.toReversed())),
  row("list-by-pair", "Batches are ordered by their pairs.", order).by(
    ordered((batches) => batches.toSorted((a, b) => (a.pair < b.pair ? -1 : 1))),
  ),
  row("list-shuffled", "Batches come in random order.", order).by(
    ordered((batches) =>
      batches
        .map((batch) => ({ batch, at: Math.random() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ batch }) => batch),
    ),
  ),

  row("list-first-page", "The list shows twenty batches, and the total counts all.", paging).by(
    ordered((batches) => batches.slice(0, 20)),
  ),
  row("list-without-ids", "The listed batches have no id.").by(listedBatch(omit("id"))),
  row("list-first-page-oldest", "The list shows the five oldest batches, and the total counts all.", {
    ...paging,
    excludes: ["list-oldest-first", "list-shuffled", "list-by-pair", "list-total-is-count"],
  }).by(ordered((batches) => batches.toReversed().slice(0, 5))),
  row("list-pages", "The list has pages of ten, selected by page and limit.", paging).by((base) => ({
    listed: (call) => {
      const limit = Math.max(1, Math.min(100, whole(call.query.get("limit"), 10)));
      const page = Math.max(1, whole(call.query.get("page"), 1));
      return base.listed(call).slice((page - 1) * limit, page * limit);
    },
  })),
  row("list-cursor", "The list has pages of eight with a cursor to the next page, and does not count the rest.", {
    ...paging,
    excludes: ["list-total-is-count", "list-count-is-total"],
  }).by((base) => {
    const startOf = (call: Call): number => whole(call.query.get("cursor"), 0);
    return {
      listed: (call) => base.listed(call).slice(startOf(call), startOf(call) + 8),
      ...listed((body, call) => {
        const next = startOf(call) + 8;
        const more = next < base.listed(call).length;
        return { ...body, total: body["count"], next_cursor: more ? String(next) : null };
      })(base),
    };
  }),
  row("list-limit", "The query parameter limit is supported.", paging).by((base) => ({
    listed: (call) => base.listed(call).slice(0, whole(call.query.get("limit"), 1_000_000)),
  })),
  row("list-query-refused", "Query parameters are refused.", paging).by((base) => ({
    perform: async (call) => {
      if (call.operation === "listBatches" && call.query.size > 0)
        throw new Refusal(400, "invalid", "The list takes no query");
      return base.perform(call);
    },
  })),

  row("list-count-is-total", "The count is that of all batches, even if the list shows a page.", counting).by(
    listed((body) => ({ ...body, count: body["total"] })),
  ),
  row("list-total-is-count", "The total is that of the batches shown.", {
    ...counting,
    excludes: ["list-first-page", "list-pages"],
  }).by(listed((body) => ({ ...body, total: body["count"] }))),
  row("list-count-of-operations", "The count is that of the operations in the batches.", counting).by(
    listed((body) => ({
      ...body,
      count: (body["batches"] as readonly Json[]).flatMap(({ operations }) => operations).length,
    })),
  ),
  row("list-total-of-pages", "The total is that of the pages.", {
    ...counting,
    excludes: ["list-first-page", "list-first-page-oldest", "list-pages", "list-cursor", "list-query-refused"],
  }).by(listed(set({ total: 1 }))),

  row("list-lags-one-second", "A batch appears in the list one second after its creation.", lag).by(lagging(1_000)),
  row("list-lags-three-seconds", "A batch appears in the list three seconds after its creation.", {
    ...lag,
    needs: { slow: true },
  }).by(lagging(3_000)),
  row("old-batches-300", "The list has 300 old batches.", volume).by(withOldBatches(300)),
  row("old-batches-5000", "The list has 5,000 old batches.", volume).by(withOldBatches(5_000)),
  row("old-batches-of-other-rules", "Old batches have pairs and statuses that are no longer in use.", volume).by(
    (base) => ({
      ...withOldBatches(12)(base),
      ...listedBatch((batch) =>
        String(batch["id"]).startsWith("old-")
          ? { ...batch, currency_pair: "DEMBRR", status: "ARCHIVED", operation_count: 7 }
          : batch,
      )(base),
    }),
  ),
  row("list-linked", "The list has links and the time when it was made.").by(
    listed((body) => ({ ...body, _links: { self: { href: "/batches" } }, generated_at: new Date().toISOString() })),
  ),
  row("list-refused-without-code", "Errors of the list have a code besides the message.", { answers: "OPEN-26" }).by(
    answers(refusalOf("listBatches"), (answer) => ({
      ...answer,
      body: set({ code: "FX-0401", trace: null })(answer.body as Json),
    })),
  ),
];
