// What can be wrong or odd about GET /batches.
import {
  all,
  around,
  edit,
  editOperations,
  listedBatch,
  omit,
  pause,
  remembering,
  set,
  succeeded,
  withOldBatches,
  type Json,
} from "../change.ts";
import type { Batch, Call, Change } from "../policy.ts";
import { at, deviation as anywhere, withPairs, type Deviation } from "./deviation.ts";
import { fixedValue, fromBody, member, places, type WrongValue } from "./members.ts";

const { deviation, shows, succeeds } = at.list;

const isEmpty = (items: unknown): boolean => Array.isArray(items) && items.length === 0;
const absentIfFull: WrongValue = ({ value }) => (isEmpty(value) ? value : undefined);
const operations = { value: "BATCH-23", type: ["BATCH-23", "BATCH-25"] } as const;
const pair = { value: ["BATCH-27", "BATCH-41"], type: ["BATCH-25", "BATCH-27"] } as const;
const time = { value: "BATCH-26", type: ["BATCH-26", "BATCH-25"] } as const;
const inBatch = places.listedBatch;

const members: readonly Deviation[] = [
  ...member(places.list, "batches", { value: "BATCH-20" }, ["null"]),
  ...member(places.list, "count", { value: "BATCH-21" }, ["string"]),
  ...member(places.list, "total", { value: "BATCH-22" }, ["string"]),
  ...member(places.listed, "operations", operations, ["missing"], {
    "missing-when-full": ["is missing if there are some", absentIfFull, "value", "later"],
  }),
  ...member(inBatch, "id", { type: ["BATCH-25", "BATCH-24", "BATCH-35"] }, ["number"]),
  ...member(inBatch, "status", { type: "BATCH-25" }, ["null"]),
  ...member(inBatch, "operation_count", { type: "BATCH-25" }, [], {
    negative: ["is negative", fixedValue(-1), "BATCH-09"],
    "of-all": [
      "counts all operations",
      fromBody((_batch, { store }) => store.operations.size),
      "BATCH-42",
    ],
  }),
  ...member(inBatch, "currency_pair", pair, ["swapped"], {
    "of-newest": [
      "is that of the newest batch",
      fromBody((_batch, { store }) => store.batches.at(-1)?.pair),
      "value",
      "later",
      withPairs,
    ],
  }),
  ...member(inBatch, "created_at", time, ["space"], {
    "of-response": ["is the time of the response", () => new Date(), "BATCH-37"],
    "of-newest": [
      "is that of the newest batch",
      fromBody((_batch, { store }) => store.batches.at(-1)?.createdAt),
      "BATCH-37",
      "later",
    ],
  }),
];

/** Changes each batch of the list that has no operations. */
function ofEmptyBatch(change: (batch: Json) => Json): Change {
  return listedBatch((batch) => (isEmpty(batch["operations"]) ? change(batch) : batch));
}

/** Changes the list while it has no batches. */
function ifEmpty(change: (body: Json) => Json): Change {
  return shows((body) => (isEmpty(body["batches"]) ? change(body) : body));
}

/** Shows the member `batches` in another form. */
function batchesAs(change: (batches: readonly Json[]) => unknown): Change {
  return shows(edit("batches", change));
}

/** Leaves batches out of the list, its count and its total. */
function hides(isHidden: (batch: Batch, call: Call) => boolean): Change {
  const counting = shows((body) => ({ ...body, total: body["count"] }));
  return (base) => ({
    listed: (call) => base.listed(call).filter((one) => !isHidden(one, call)),
    ...counting(base),
  });
}

/**
 * Makes the server begin with 400 batches, and changes the last one in the list, which is the
 * oldest.
 */
function atLast(change: (batch: Json) => Json): Change {
  const changed = edit("batches", (its: Json[]) => [
    ...its.slice(0, -1),
    ...its.slice(-1).map(change),
  ]);
  return all(withOldBatches(400), shows(changed));
}

/**
 * Reads the list, extends it and writes it back. Of batches that are created at the same time, only
 * the last one stays.
 */
const lost: Change = remembering(() => {
  let kept: readonly unknown[] = [];
  return all(
    around(async (call, next) => {
      if (call.operation !== "createBatch") return next(call);
      const before = kept;
      await pause(10);
      const answer = await next(call);
      if (succeeded(answer)) kept = [...before, (answer.body as Json)["id"]];
      return answer;
    }),
    shows((body) => {
      const batches = (body["batches"] as readonly Json[]).filter(({ id }) => kept.includes(id));
      return { ...body, batches, count: batches.length, total: batches.length };
    }),
  );
});

/** While a batch is being created, lists it without operations. */
const halfMade: Change = remembering(() => {
  let making = 0;
  return all(
    around(async (call, next) => {
      if (call.operation !== "createBatch") return next(call);
      making += 1;
      await pause(20);
      making -= 1;
      return next(call);
    }),
    batchesAs((batches) => (making === 0 ? batches : [{ id: "new" }, ...batches])),
  );
});

function isSecondOfPair(batch: Batch, { store }: Call): boolean {
  return store.batches.find((one) => one.pair === batch.pair) !== batch;
}

const later = { when: "later" } as const;

/** Shows the times of batches and of the operations in them in this way, in lists alone. */
function listedTimes(shown: (time: number) => string): Change {
  const edited = edit("created_at", (time: string) => shown(Date.parse(time)));
  return listedBatch((batch) => editOperations(edited)(edited(batch)));
}
const iso = (time: number): string => new Date(time).toISOString();
const hour = 3_600_000;
/** Shows in lists alone when a batch and its operations were created: the time of the response. */
const timesOfLists: Change = all(
  at.batch.shows(omit("created_at")),
  at.operation.shows(omit("created_at")),
  listedTimes(() => iso(Date.now())),
);

const faults: readonly Deviation[] = [
  anywhere(
    "list-times-of-response",
    "Only lists show times, and those are the times of the response.",
    timesOfLists,
    { breaks: ["BATCH-37", "BATCH-38"] },
  ),
  anywhere(
    "list-times-local",
    "Lists show local times as those of UTC.",
    listedTimes((time) => iso(time + 3 * hour)),
    { breaks: ["BATCH-38", "BATCH-37"] },
  ),
  deviation(
    "list-bare-array",
    "The list is a bare array.",
    shows(({ batches }) => batches),
    {
      breaks: ["BATCH-20", "BATCH-21", "BATCH-22"],
    },
  ),
  deviation("list-empty-null", "An empty list is null.", ifEmpty(set({ batches: null })), {
    breaks: "BATCH-20",
    ...later,
  }),
  deviation("list-empty-without-count", "An empty list has no count.", ifEmpty(omit("count")), {
    breaks: "BATCH-21",
    ...later,
  }),
  deviation(
    "list-empty-total-null",
    "The total of an empty list is null.",
    ifEmpty(set({ total: null })),
    { breaks: "BATCH-22", ...later },
  ),
  deviation(
    "blind-one-element-unwrapped",
    "A list of one batch is the batch.",
    batchesAs((batches) => (batches.length === 1 ? batches[0] : batches)),
    { breaks: "BATCH-20", ...later },
  ),
  deviation(
    "list-never-shows-new",
    "New batches never appear.",
    hides(() => true),
    { breaks: "BATCH-24" },
  ),
  deviation(
    "blind-second-batch-of-pair-not-stored",
    "A second batch of a pair gets an id and is never stored.",
    hides(isSecondOfPair),
    { breaks: "BATCH-24", ...later },
  ),
  deviation(
    "blind-listed-after-thirty-seconds",
    "A batch is listed thirty seconds after its creation.",
    hides(({ createdAt }) => Date.now() - createdAt.getTime() < 30_000),
    { breaks: "BATCH-24", when: "time" },
  ),
  deviation(
    "list-created-together-lost",
    "Of concurrent batches, only the last one is listed.",
    lost,
    { breaks: "BATCH-24", when: "at once" },
  ),
  deviation(
    "blind-half-made-batch-listed",
    "A batch that is being created is listed without operations.",
    halfMade,
    { breaks: ["BATCH-23", "BATCH-25"], when: "at once" },
  ),
  deviation(
    "blind-operations-left-out",
    "The operations of a listed batch are left out if there are none.",
    ofEmptyBatch(omit("operations")),
    { breaks: "BATCH-23", when: "data" },
  ),
  deviation(
    "blind-not-padded",
    "The created_at of listed batches has no leading zeros.",
    listedBatch(
      edit("created_at", (it: string) =>
        it.replace(/\.\d+/, "").replaceAll(/(?<=[-T:])0(?=\d)/g, ""),
      ),
    ),
    { breaks: ["BATCH-26", "BATCH-25"], when: "data", known: "missed" },
  ),
  deviation(
    "list-batch-status-null-at-last",
    "In a list of hundreds, the status of the last batch is null.",
    atLast(set({ status: null })),
    { breaks: "BATCH-25", ...later },
  ),
  anywhere(
    "batched-pair-null-at-last",
    "In a list of hundreds, the pair of the last operation is null.",
    atLast(editOperations(set({ currency_pair: null }))),
    { breaks: "BATCH-30", ...later },
  ),
];

function ordered(order: (batches: readonly Batch[], call: Call) => readonly Batch[]): Change {
  return (base) => ({ listed: (call) => order(base.listed(call), call) });
}

const totalOfShown = (body: Json): Json => ({ ...body, total: body["count"] });
const countedAs = (count: (body: Json) => unknown): Change =>
  shows((body) => ({ ...body, count: count(body) }));

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
    ...shows((body, call) => {
      const next = startOf(call) + 8;
      const more = next < base.listed(call).length;
      return { ...totalOfShown(body), next_cursor: more ? String(next) : null };
    })(base),
  };
};

function shuffled(batches: readonly Batch[]): readonly Batch[] {
  return batches
    .map((batch) => ({ batch, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ batch }) => batch);
}

const isYoung = ({ createdAt }: Batch, ms: number): boolean =>
  Date.now() - createdAt.getTime() < ms;

/** Hides each batch two seconds after the list first showed it. */
const archiving: Change = (base) => {
  const shown = new Map<string, number>();
  return {
    listed: (call) => {
      const now = Date.now();
      const batches = base.listed(call).filter(({ id }) => now - (shown.get(id) ?? now) < 2000);
      // A response to HEAD shows nothing.
      if (call.method === "GET") for (const { id } of batches) shown.set(id, shown.get(id) ?? now);
      return batches;
    },
    ...shows(totalOfShown)(base),
  };
};

const ofOtherRules: Change = all(
  withOldBatches(12),
  listedBatch((batch) =>
    String(batch["id"]).startsWith("old-")
      ? { ...batch, currency_pair: "DEMBRR", status: "ARCHIVED", operation_count: 7 }
      : batch,
  ),
);

const order = "order of the list";
const pages = "pages of the list";
const counts = "counts of the list";
const ofLag = { group: "lag of the list" } as const;
const ofVolume = { group: "old batches" } as const;

/** Legal lists: their order, pages, counts, delays, and what they show. */
const legal: readonly Deviation[] = [
  deviation("list-203", "The list has status code 203.", succeeds(set({ status: 203 }))),
  deviation("list-shuffled", "Batches come in random order.", ordered(shuffled), { group: order }),
  deviation(
    "list-archives",
    "A batch leaves the list two seconds after it was first shown.",
    archiving,
    { group: pages },
  ),
  deviation(
    "list-first-page",
    "The list shows the twenty newest batches.",
    ordered((batches) => batches.slice(0, 20)),
    { group: [pages, "total"] },
  ),
  deviation(
    "list-first-page-oldest",
    "The list shows the five oldest batches.",
    ordered((batches) => batches.toReversed().slice(0, 5)),
    { group: [order, pages, counts, "total", "lag of the list"] },
  ),
  deviation(
    "list-pages",
    "The list has pages of ten, selected by page and limit.",
    ordered(paged),
    { group: [pages, "total"] },
  ),
  deviation(
    "list-cursor",
    "The list has pages of eight with a cursor to the next page.",
    byCursor,
    { group: [pages, counts, "total"] },
  ),
  deviation(
    "list-count-is-total",
    "The count is that of all batches.",
    countedAs((body) => body["total"]),
    { group: counts },
  ),
  deviation("list-total-is-count", "The total is that of shown batches.", shows(totalOfShown), {
    group: [counts, "total"],
  }),
  deviation(
    "list-lags-one-second",
    "A batch appears in the list one second after its creation.",
    hides((batch) => isYoung(batch, 1_000)),
    ofLag,
  ),
  deviation(
    "list-lags-three-seconds",
    "A batch appears in the list after three seconds.",
    hides((batch) => isYoung(batch, 3_000)),
    { ...ofLag, needs: { slow: true } },
  ),
  deviation("old-batches-300", "The list has 300 old batches.", withOldBatches(300), ofVolume),
  deviation("old-batches-5000", "The list has 5,000 old batches.", withOldBatches(5_000), ofVolume),
  deviation(
    "old-batches-of-other-rules",
    "Old batches have pairs and statuses of the past.",
    ofOtherRules,
    ofVolume,
  ),
  deviation(
    "batch-counts-some",
    "The operation_count of listed batches is 0.",
    listedBatch(set({ operation_count: 0 })),
  ),
  anywhere(
    "list-times-rounded",
    "Lists round times to whole seconds of another zone.",
    listedTimes((time) =>
      iso(Math.round(time / 1000) * 1000 - 3 * hour).replace(".000Z", "-03:00"),
    ),
    { group: "times of the list", near: "BATCH-37" },
  ),
  anywhere(
    "list-times-truncated",
    "Lists cut times to seconds, and show six digits.",
    listedTimes((time) => iso(time).replace(/\.\d+/, ".000000")),
    { group: "times of the list" },
  ),
  deviation("list-without-ids", "The listed batches have no id.", listedBatch(omit("id"))),
];

export const list: readonly Deviation[] = [...members, ...faults, ...legal];
