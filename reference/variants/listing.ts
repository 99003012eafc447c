import { listedBatch, refusal, success, without } from "../change.ts";
import type { Json } from "../change.ts";
import { addOldBatches } from "../old-batches.ts";
import { Refusal } from "../refusal.ts";
import type { Call, Change } from "../policy.ts";
import type { Batch } from "../store.ts";
import type { Variant } from "./variant.ts";
import { row } from "./row.ts";

const listed = (change: (body: Json, call: Call) => Json): Change => success("listBatches", change);

const ordered =
  (order: (batches: readonly Batch[]) => readonly Batch[]): Change =>
  (base) => ({ listed: (call) => order(base.listed(call)) });

/** Shows batches that are a while old, and counts no others. */
const lagging =
  (ms: number): Change =>
  (base) => ({
    listed: (call) => base.listed(call).filter(({ createdAt }) => Date.now() - createdAt.getTime() >= ms),
    ...listed((body) => ({ ...body, total: body["count"] }))(base),
  });

const withOldBatches =
  (count: number): Change =>
  (base) => ({
    seed: (store, policy) => {
      base.seed(store, policy);
      addOldBatches(store, count);
    },
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
  row(
    "list-oldest-first",
    "The oldest batch comes first.",
    ordered((batches) => batches.toReversed()),
    order,
  ),
  row(
    "list-by-pair",
    "Batches are ordered by their pairs.",
    ordered((batches) => batches.toSorted((a, b) => (a.pair < b.pair ? -1 : 1))),
    order,
  ),
  row(
    "list-shuffled",
    "Batches come in an order of the moment.",
    ordered((batches) =>
      batches
        .map((batch) => ({ batch, at: Math.random() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ batch }) => batch),
    ),
    order,
  ),

  row(
    "list-first-page",
    "Twenty batches are shown, and the total says how many there are.",
    ordered((batches) => batches.slice(0, 20)),
    paging,
  ),
  row(
    "list-without-ids",
    "The listed batches have no id.",
    listedBatch((batch) => without(batch, "id")),
  ),
  row(
    "list-first-page-oldest",
    "The five oldest batches are shown, and the total says how many there are.",
    ordered((batches) => batches.toReversed().slice(0, 5)),
    {
      ...paging,
      excludes: ["list-oldest-first", "list-shuffled", "list-by-pair", "list-total-is-count"],
    },
  ),
  row(
    "list-pages",
    "Pages of ten, by page and limit.",
    (base) => ({
      listed: (call) => {
        const limit = Math.max(1, Math.min(100, whole(call.query.get("limit"), 10)));
        const page = Math.max(1, whole(call.query.get("page"), 1));
        return base.listed(call).slice((page - 1) * limit, page * limit);
      },
    }),
    paging,
  ),
  row(
    "list-cursor",
    "Pages of eight with a cursor to the next, and no word of the rest.",
    (base) => {
      const startOf = (call: Call): number => whole(call.query.get("cursor"), 0);
      return {
        listed: (call) => base.listed(call).slice(startOf(call), startOf(call) + 8),
        ...listed((body, call) => {
          const next = startOf(call) + 8;
          const more = next < base.listed(call).length;
          return { ...body, total: body["count"], next_cursor: more ? String(next) : null };
        })(base),
      };
    },
    { ...paging, excludes: ["list-total-is-count", "list-count-is-total"] },
  ),
  row(
    "list-limit",
    "A limit is kept where one is given.",
    (base) => ({
      listed: (call) => base.listed(call).slice(0, whole(call.query.get("limit"), 1_000_000)),
    }),
    paging,
  ),
  row(
    "list-query-refused",
    "A query is refused.",
    (base) => ({
      perform: async (call) => {
        if (call.operation === "listBatches" && call.query.size > 0)
          throw new Refusal(400, "invalid", "The list takes no query");
        return base.perform(call);
      },
    }),
    paging,
  ),

  row(
    "list-count-is-total",
    "The count says how many batches there are, also where a page is shown.",
    listed((body) => ({ ...body, count: body["total"] })),
    counting,
  ),
  row(
    "list-total-is-count",
    "The total says how many batches are shown.",
    listed((body) => ({ ...body, total: body["count"] })),
    {
      ...counting,
      excludes: ["list-first-page", "list-pages"],
    },
  ),
  row(
    "list-count-of-operations",
    "The count is that of the operations in the batches.",
    listed((body) => ({
      ...body,
      count: (body["batches"] as readonly Json[]).flatMap(({ operations }) => operations).length,
    })),
    counting,
  ),
  row(
    "list-total-of-pages",
    "The total is that of the pages.",
    listed((body) => ({ ...body, total: 1 })),
    {
      ...counting,
      excludes: ["list-first-page", "list-first-page-oldest", "list-pages", "list-cursor", "list-query-refused"],
    },
  ),

  row("list-lags-one-second", "A batch appears in the list a second after it was created.", lagging(1_000), lag),
  row("list-lags-three-seconds", "A batch appears in the list three seconds after it was created.", lagging(3_000), {
    ...lag,
    needs: { slow: true },
  }),
  row("old-batches-300", "There are 300 batches of earlier days.", withOldBatches(300), volume),
  row("old-batches-5000", "There are 5,000 batches of earlier days.", withOldBatches(5_000), volume),
  row(
    "old-batches-of-other-rules",
    "Batches of earlier days have pairs and statuses that are no longer in use.",
    (base) => ({
      ...withOldBatches(12)(base),
      ...listedBatch((batch) =>
        String(batch["id"]).startsWith("old-")
          ? { ...batch, currency_pair: "DEMBRR", status: "ARCHIVED", operation_count: 7 }
          : batch,
      )(base),
    }),
    volume,
  ),
  row(
    "list-linked",
    "The list has links and a time of its own.",
    listed((body) => ({ ...body, _links: { self: { href: "/batches" } }, generated_at: new Date().toISOString() })),
  ),
  row(
    "list-refused-without-code",
    "A refusal of the list has a code beside its message.",
    refusal("listBatches", (answer) => ({
      ...answer,
      body: { ...without(answer.body as Json, "code"), code: "FX-0401", trace: null },
    })),
    { answers: "OPEN-26" },
  ),
];
