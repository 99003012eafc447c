// What can be wrong or odd about POST /batches, and about operations in batches wherever they show.
import {
  all,
  batchOperation,
  edit,
  listedBatch,
  omit,
  remembering,
  rename,
  sent,
  set,
  type Json,
  only,
} from "../change.ts";
import { crossedAnswers, repeatedAnswer, sameId, sharedIds } from "../identity.ts";
import {
  Refusal,
  type Answer,
  type Call,
  type Change,
  type Operation,
  type Policy,
} from "../policy.ts";
import { at, deviation as anywhere, withPairs, type Deviation, type Needs } from "./deviation.ts";
import {
  fixedValue,
  fromBody,
  fromRight,
  fromSecondOn,
  ifAbsent,
  member,
  ofClient,
  places,
  type WrongValue,
} from "./members.ts";

const { deviation, again, reads, rejection, rejects, shows, succeeds } = at.batch;

const id = { value: "BATCH-01", type: ["BATCH-01", "BATCH-04"] } as const;
const pair = { value: "BATCH-02", type: ["BATCH-04", "BATCH-02"] } as const;
const time = { value: "BATCH-05", type: ["BATCH-05", "BATCH-04"] } as const;
const textIfFull: WrongValue = ({ value }) => (Number(value) > 0 ? String(value) : value);

const withSent: WrongValue = ({ value, call }) => [value, sent(call)["operations"] ?? []].flat();

const members: readonly Deviation[] = [
  ...member(places.batch, "id", id, ["missing"]),
  ...member(places.batch, "currency_pair", pair, ["slash", "object"]),
  ...member(places.batch, "currency_pair", { value: ["BATCH-02", "BATCH-07"], needs: withPairs }, [
    "of-first",
  ]),
  ...member(places.batch, "operation_count", { value: "BATCH-04" }, [], {
    doubled: [
      "counts each operation twice",
      fromRight((count: number) => count * 2),
      "BATCH-42",
      "data",
    ],
    "string-when-full": ["is a string if there are operations", textIfFull, "value", "later"],
    negative: ["is negative", fixedValue(-1), "BATCH-09"],
  }),
  ...member(places.batch, "created_at", time, ["space-later", "without-zone"]),
  ...member(places.batch, "status", { value: "BATCH-45" }, [], {
    "of-client": ["is the one that the client sends", ofClient("status"), "value", "data"],
  }),
  ...member(places.batch, "operations", { value: "BATCH-46" }, [], {
    "of-client": ["has those that the client sends", withSent, "value", "data"],
  }),
];

const pairOf = (call: Call): unknown => sent(call)["currency_pair"];
const anyId = ["BATCH-06", "BATCH-07", "BATCH-27", "BATCH-37"] as const;
const together = { when: "at once", needs: withPairs } as const;

const wrappingIds: Change = remembering(() => {
  let made = 0;
  return (base) => ({
    newId: (kind, call) => {
      if (kind !== "batch") return base.newId(kind, call);
      made += 1;
      return `batch-${((made - 1) % 8) + 1}`;
    },
  });
});

const faults: readonly Deviation[] = [
  deviation(
    "batch-created-200",
    "A new batch has status code 200.",
    succeeds(set({ status: 200 })),
    {
      breaks: "BATCH-03",
    },
  ),
  deviation("batch-id-same", "All batches have the same id.", sameId("batch", "b1"), {
    breaks: anyId,
    needs: withPairs,
  }),
  deviation("blind-ids-wrap-at-eight", "Ids of batches repeat after eight.", wrappingIds, {
    breaks: anyId,
    when: "later",
    needs: withPairs,
  }),
  deviation("batch-id-same-together", "Concurrent batches share an id.", sharedIds("batch"), {
    breaks: ["BATCH-07", "BATCH-06", "BATCH-27"],
    ...together,
  }),
  deviation(
    "batch-answers-crossed",
    "Concurrent requests swap answers.",
    crossedAnswers("createBatch"),
    { breaks: ["BATCH-07", "BATCH-02", "BATCH-27"], ...together },
  ),
  deviation(
    "blind-second-batch-without-id",
    "A second batch of a pair is a 200 with a message alone.",
    again(pairOf, (answer) => ({ ...answer, body: { message: "The batch exists already" } })),
    { breaks: ["BATCH-01", "BATCH-02"], when: "later" },
  ),
  deviation(
    "batch-pair-of-query",
    "A pair in the query counts more than the one in the body.",
    reads((body, { query }) => ({
      ...body,
      currency_pair: query.get("currency_pair") ?? body["currency_pair"],
    })),
    { breaks: ["BATCH-02", "BATCH-27"], when: "data", needs: withPairs },
  ),
];

const batchedTime = { value: "BATCH-31", type: ["BATCH-31", "BATCH-23", "BATCH-30"] } as const;
const batchedAccount = { value: "BATCH-32", type: ["BATCH-32", "BATCH-23", "BATCH-30"] } as const;
const batchedBank = { value: "BATCH-33", type: ["BATCH-33", "BATCH-23", "BATCH-30"] } as const;
const { batched: place } = places;

const withEmptyTexts = (it: Json): Json =>
  Object.fromEntries(Object.keys(it).map((name) => [name, ""]));
const hasItem = (operation: Json, { store }: Call): boolean =>
  (store.operations.get(String(operation["operation_id"]))?.items ?? 0) > 0;

const batchedMembers: readonly Deviation[] = [
  ...member(place, "operation_id", { type: "BATCH-30" }, ["number"]),
  ...member(place, "foreign_currency_amount", { value: "BATCH-36" }, [], {
    cut: ["has no decimals", fromRight((it: number) => Math.trunc(it))],
  }),
  ...member(place, "counterparty_id", { value: "BATCH-36" }, ["of-first"]),
  ...member(place, "currency_pair", { value: ["BATCH-41", "BATCH-36"], needs: withPairs }, [
    "of-first",
  ]),
  ...member(place, "customer_id", { value: "BATCH-40" }, [], {
    operator: ["is the operator's", fixedValue("operator-1")],
    payee: [
      "is the counterparty_id from the second one on",
      fromSecondOn(fromBody(({ counterparty_id }) => counterparty_id)),
      "value",
      "later",
    ],
  }),
  ...member(place, "created_at", batchedTime, ["space-later", "without-zone"], {
    "with-item": [
      "is the time of the response if the operation has an item",
      fromBody((shown, call) => (hasItem(shown, call) ? new Date() : shown["created_at"])),
      "BATCH-38",
      "later",
    ],
  }),
  ...member(place, "bank_account", batchedAccount, ["null"], {
    empty: ["has empty texts", fromRight(withEmptyTexts), "BATCH-39"],
    "iban-moved": [
      "has the IBAN as aba_routing_number",
      fromRight(rename("iban", "aba_routing_number")),
      "BATCH-39",
      "data",
    ],
  }),
  ...member(place, "intermediary_bank", batchedBank, [], {
    null: ["is null if there is none", ifAbsent(null), "type", "data"],
    incomplete: [
      "has no bank_name",
      fromRight((bank: Json | undefined) => bank && omit("bank_name")(bank)),
    ],
  }),
  ...member(place, "operation_purpose", { value: "BATCH-34" }, ["null"]),
  ...member(place, "batch_id", { value: "BATCH-35", type: ["BATCH-30", "BATCH-35"] }, ["null"], {
    other: ["is that of another batch", fromBody(({ batch_id }) => `x${String(batch_id)}`)],
    "of-operation": [
      "is the id of the operation from the second one on",
      fromSecondOn(fromBody(({ operation_id }) => operation_id)),
      "value",
      "later",
    ],
  }),
];

/**
 * Changes operations whose ids a client sent as `operation_ids` of a new batch. Clients that never
 * send this member do not see the change.
 */
function whenNamed(change: (operation: Json, call: Call) => Json): Change {
  return remembering(() => {
    const ids = new Set<unknown>();
    const learning = shows((body, call) => {
      for (const named of namedIn(call)) ids.add(named);
      return body;
    });
    return all(
      learning,
      batchOperation((operation, call) =>
        ids.has(operation["operation_id"]) ? change(operation, call) : operation,
      ),
    );
  });
}

function namedIn(call: Call): readonly unknown[] {
  const ids = sent(call)["operation_ids"];
  return Array.isArray(ids) ? ids : [];
}

export const byMember: Needs = { batchMembers: { operation_ids: ["{operation_id}"] } };
export const withPurpose = set({ operation_purpose: "EFX" });
const named = { when: "data", needs: byMember } as const;

const empty = set({ operations: [], operation_count: 0 });
const isNew = (batch: Json): boolean =>
  Date.now() - Date.parse(String(batch["created_at"])) < 1_000;
/** Shows the operations of a batch one second after its creation. */
const filledLater: Change = all(
  shows(empty),
  listedBatch((batch) => (isNew(batch) ? empty(batch) : batch)),
);

const batchedFaults: readonly Deviation[] = [
  anywhere(
    "batches-filled-later-with-purpose",
    "Operations come into a batch after a second, and show their purpose.",
    all(batchOperation(withPurpose), filledLater),
    { breaks: "BATCH-34", when: "time" },
  ),
  anywhere(
    "batched-account-incomplete-when-named",
    "An operation that was added by its id has no BIC.",
    whenNamed(edit("bank_account", omit("swift_code"))),
    { breaks: "BATCH-32", ...named },
  ),
];

function isFree(operation: Operation | undefined, wanted: unknown): boolean {
  return operation !== undefined && operation.batch === null && operation.pair === wanted;
}

/** Puts into a batch the operations that `takes` selects. */
const filledWith =
  (takes: Policy["takes"]): Change =>
  () => ({ takes });
const ofItsPair: Policy["takes"] = (operation, pair) => operation.pair === pair;

/** Of batches that are created together, each takes the operations that were free before. */
const racing: Change = remembering(() => {
  const taken = new WeakMap<Operation, number>();
  return filledWith((operation, pair) => {
    if (operation.pair !== pair) return false;
    if (operation.batch === null) taken.set(operation, Date.now());
    return Date.now() - (taken.get(operation) ?? 0) < 25;
  });
});

const ofSecondCurrency = filledWith(
  (operation, pair) => operation.batch === null && operation.pair.slice(3) === pair.slice(3),
);

/** Moves the operations of a pair to its newest batch, which only lists show. */
const moving = all(
  filledWith(ofItsPair),
  shows(empty),
  listedBatch((batch, { store }) => {
    const operations = (batch["operations"] as readonly Json[]).filter(
      (one) => store.operations.get(String(one["operation_id"]))?.batch === batch["id"],
    );
    return { ...batch, operations, operation_count: operations.length };
  }),
);

const withoutBatch = batchOperation(omit("batch_id"));
const sharedFaults: readonly Deviation[] = [
  anywhere(
    "batches-share-operations",
    "A batch takes the operations of earlier ones too.",
    filledWith(ofItsPair),
    { breaks: "BATCH-43" },
  ),
  anywhere("batches-race", "Batches that are created together take the same operations.", racing, {
    breaks: "BATCH-43",
    when: "at once",
  }),
  anywhere(
    "batches-share-operations-unnamed",
    "A batch takes the operations of earlier ones too, and none shows its batch_id.",
    all(filledWith(ofItsPair), withoutBatch),
    { breaks: "BATCH-44", when: "later" },
  ),
  anywhere(
    "batches-of-second-currency",
    "A batch takes the operations of every pair with its second currency.",
    ofSecondCurrency,
    { breaks: "BATCH-41", needs: withPairs },
  ),
];

const takingAnything: Change = (base) => ({
  parse: (call) => {
    const body = base.parse(call);
    const isUsable = typeof (Object(body) as Json)["currency_pair"] === "string";
    return call.operation === "createBatch" && !isUsable ? { currency_pair: "USDBRL" } : body;
  },
  check: (call) => {
    if (call.operation !== "createBatch") base.check(call);
  },
});

const secondOfPair = (againOf: (first: Answer) => Answer): Change =>
  repeatedAnswer("createBatch", (call) => String(pairOf(call)), againOf);
function refusePair(): never {
  throw new Refusal(409, "duplicate", "There is a batch for this pair");
}

const ofPair = { group: "batches of a pair" } as const;

const legal: readonly Deviation[] = [
  deviation("batch-202", "A new batch has status code 202.", succeeds(set({ status: 202 }))),
  deviation("batch-minimal", "A new batch shows only its id.", shows(only("id"))),
  anywhere(
    "batched-minimal",
    "An operation in a batch shows only its id.",
    batchOperation(only("operation_id")),
  ),
  anywhere(
    "batched-settled",
    "The status of operations in a batch is settled.",
    batchOperation(edit("status", () => "settled")),
  ),
  anywhere(
    "batched-members-more",
    "Operations in a batch have more members.",
    batchOperation(set({ fee: null, quote: { rate: 5.43 } })),
  ),
  anywhere(
    "batches-filled-later",
    "Operations come into a batch one second after its creation.",
    filledLater,
  ),
  anywhere("batches-move-operations", "Operations move to the newest batch.", moving),
  anywhere(
    "batched-account-short",
    "The account of an operation in a batch shows no IBAN, and a branch.",
    batchOperation(edit("bank_account", (it: Json) => set({ branch: "1" })(omit("iban")(it)))),
  ),
  anywhere(
    "batches-stay-empty",
    "Batches never show their operations.",
    all(listedBatch(empty), shows(empty)),
  ),
  deviation("batch-anything", "A batch accepts any pair, or none.", takingAnything),
  deviation(
    "batches-by-member",
    "A batch holds the operations that operation_ids names, and no others.",
    all(
      filledWith((operation, _pair, call) => namedIn(call).includes(operation.id)),
      rejects(
        (body, call) =>
          !namedIn(call).every((own) =>
            isFree(call.store.operations.get(String(own)), body["currency_pair"]),
          ),
        "An operation is unknown, of another pair, or in a batch",
      ),
    ),
    { needs: byMember },
  ),
  deviation(
    "second-batch-refused",
    "A second batch for a pair is refused.",
    secondOfPair(refusePair),
    ofPair,
  ),
  deviation(
    "second-batch-same",
    "A second batch for a pair returns the first one.",
    secondOfPair((first) => ({ ...first, status: 200 })),
    ofPair,
  ),
  rejection(
    "empty-batch-refused",
    "A batch is refused if no operation of its pair waits for one.",
    (body, { store }) =>
      ![...store.operations.values()].some((one) => isFree(one, body["currency_pair"])),
    ofPair,
  ),
];

export const batch: readonly Deviation[] = [
  ...members,
  ...faults,
  ...batchedMembers,
  ...batchedFaults,
  ...sharedFaults,
  ...legal,
];
