import {
  answers,
  listedBatch,
  omit,
  refusalOf,
  set,
  success,
  withOldBatches,
  type Edit,
} from "../change.ts";
import type { Json } from "../change.ts";
import { type Call, type Change, Refusal, type Batch } from "../policy.ts";
import { row, rowsWith, type Variant } from "./variant.ts";

const listed = (change: Edit): Change => success("listBatches", change);

function ordered(order: (batches: readonly Batch[], call: Call) => readonly Batch[]): Change {
  return (base) => ({ listed: (call) => order(base.listed(call), call) });
}

const totalOfShown = (body: Json): Json => ({ ...body, total: body["count"] });

function lagging(ms: number): Change {
  return (base) => ({
    listed: (call) =>
      base.listed(call).filter(({ createdAt }) => Date.now() - createdAt.getTime() >= ms),
    ...listed(totalOfShown)(base),
  });
}

function whole(value: string | null, fallback: number): number {
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) : fallback;
}

function paged(batches: readonly Batch[], { query }: Call): readonly Batch[] {
  const limit = Math.max(1, Math.min(100, whole(query.get("limit"), 10)));
  const page = Math.max(1, whole(query.get("page"), 1));
  return batches.slice((page - 1) * limit, page * limit);
}

const byCursor: Change = (base) => {
  const startOf = (call: Call): number => whole(call.query.get("cursor"), 0);
  return {
    listed: (call) => base.listed(call).slice(startOf(call), startOf(call) + 8),
    ...listed((body, call) => {
      const next = startOf(call) + 8;
      const more = next < base.listed(call).length;
      return { ...totalOfShown(body), next_cursor: more ? String(next) : null };
    })(base),
  };
};

const withoutQuery: Change = (base) => ({
  perform: async (call) => {
    if (call.operation === "listBatches" && call.query.size > 0)
      throw new Refusal(400, "invalid", "The list takes no query");
    return base.perform(call);
  },
});

function shuffled(batches: readonly Batch[]): readonly Batch[] {
  return batches
    .map((batch) => ({ batch, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ batch }) => batch);
}

function byPair(batches: readonly Batch[]) {
  return batches.toSorted((a, b) => (a.pair < b.pair ? -1 : 1));
}
function operationsIn({ batches }: Json): number {
  return (batches as readonly Json[]).flatMap(({ operations }) => operations).length;
}

const ofOtherRules: Change = (base) => ({
  ...withOldBatches(12)(base),
  ...listedBatch((batch) =>
    String(batch["id"]).startsWith("old-")
      ? { ...batch, currency_pair: "DEMBRR", status: "ARCHIVED", operation_count: 7 }
      : batch,
  )(base),
});

/** Hides each batch two seconds after the list first showed it. */
const archiving: Change = (base) => {
  const shown = new Map<string, number>();
  return {
    listed: (call) => {
      const now = Date.now();
      const batches = base.listed(call).filter(({ id }) => now - (shown.get(id) ?? now) < 2000);
      for (const { id } of batches) shown.set(id, shown.get(id) ?? now);
      return batches;
    },
    ...listed(totalOfShown)(base),
  };
};

const order = rowsWith({ slot: "order of the list", answers: "OPEN-17" });
const paging = rowsWith({ slot: "pages of the list", answers: "OPEN-18" });
const counting = rowsWith({ slot: "counts of the list", answers: "OPEN-16" });
const lag = rowsWith({ slot: "lag of the list", excludes: ["list-first-page-oldest"] });
const volume = rowsWith({ slot: "old batches" });
const orders = ["list-oldest-first", "list-shuffled", "list-by-pair"];
const pages = ["list-first-page", "list-pages"];
const ofOldest = { excludes: [...orders, "list-total-is-count"] };
const ofCursor = { excludes: ["list-total-is-count", "list-count-is-total"] };
const ofPages = {
  excludes: [...pages, "list-first-page-oldest", "list-cursor", "list-query-refused"],
};
const slow = { needs: { slow: true } } as const;
function countedAs(count: (body: Json) => unknown) {
  return listed((body) => ({ ...body, count: count(body) }));
}
const withCode = set({ code: "FX-0401", trace: null });

export const listVariants: readonly Variant[] = [
  order("list-oldest-first", "The oldest batch comes first.").by(
    ordered((batches) => batches.toReversed()),
  ),
  order("list-by-pair", "Batches are ordered by their pairs.").by(ordered(byPair)),
  order("list-shuffled", "Batches come in random order.").by(ordered(shuffled)),

  paging("list-archives", "A batch leaves the list two seconds after it was first shown.").by(
    archiving,
  ),
  paging("list-first-page", "The list shows the twenty newest batches.").by(
    ordered((all) => all.slice(0, 20)),
  ),
  paging("list-first-page-oldest", "The list shows the five oldest batches.", ofOldest).by(
    ordered((batches) => batches.toReversed().slice(0, 5)),
  ),
  paging("list-pages", "The list has pages of ten, selected by page and limit.").by(ordered(paged)),
  paging("list-cursor", "The list has pages of eight with a cursor to the next page.", ofCursor).by(
    byCursor,
  ),
  paging("list-limit", "The query parameter limit is supported.").by(
    ordered((batches, { query }) => batches.slice(0, whole(query.get("limit"), 1_000_000))),
  ),
  paging("list-query-refused", "Query parameters are refused.").by(withoutQuery),

  counting("list-count-is-total", "The count is that of all batches.").by(
    countedAs((body) => body["total"]),
  ),
  counting("list-total-is-count", "The total is that of shown batches.", { excludes: pages }).by(
    listed(totalOfShown),
  ),
  counting("list-count-of-operations", "The count is that of the operations.").by(
    countedAs(operationsIn),
  ),
  counting("list-total-of-pages", "The total is that of the pages.", ofPages).by(
    listed(set({ total: 1 })),
  ),

  lag("list-lags-one-second", "A batch appears in the list one second after its creation.").by(
    lagging(1_000),
  ),
  lag("list-lags-three-seconds", "A batch appears in the list after three seconds.", slow).by(
    lagging(3_000),
  ),
  volume("old-batches-300", "The list has 300 old batches.").by(withOldBatches(300)),
  volume("old-batches-5000", "The list has 5,000 old batches.").by(withOldBatches(5_000)),
  volume("old-batches-of-other-rules", "Old batches have pairs and statuses of the past.").by(
    ofOtherRules,
  ),
  row("list-without-ids", "The listed batches have no id.").by(listedBatch(omit("id"))),
  row("list-linked", "The list has links and the time when it was made.").by(
    listed((body) => ({
      ...body,
      _links: { self: { href: "/batches" } },
      generated_at: new Date().toISOString(),
    })),
  ),
  row("list-refused-without-code", "Errors of the list have a code besides the message.", {
    answers: "OPEN-26",
  }).by(
    answers(refusalOf("listBatches"), (answer) => ({
      ...answer,
      body: withCode(answer.body as Json),
    })),
  ),
];
