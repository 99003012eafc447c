import { expect, test } from "vitest";
import type { Exchange } from "../../../model/exchange.ts";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import type { Json } from "../../../spec/json.ts";
import type { OperationName } from "../../../spec/operations.ts";
import { saidAfter } from "../../testing/judgements.ts";
import { shownTwice } from "./shown-twice.ts";

const sent = {
  currency_pair: "USDBRL",
  currency_amount: 10.5,
  operation_purpose: "EFX",
  counterparty_id: "c-1",
};
const account = { bank_name: "B", iban: "I", account_number: "1" };
const created = exchangeOf("createOperation", {
  json: { operation_id: "o-1", created_at: "2026-01-02T03:04:47.784Z", bank_account: account },
  sent,
});
const right = {
  operation_id: "o-1",
  currency_pair: "USDBRL",
  foreign_currency_amount: 10.5,
  counterparty_id: "c-1",
};

function listOf(...batches: readonly Json[]): Exchange {
  return exchangeOf("listBatches", { json: { batches, count: 1, total: 1 } });
}

const listed = (operation: Json): Exchange => listOf({ id: "b-1", operations: [operation] });

/** What the table says of an operation in a batch that shows this member. */
const shows = (name: string, value: Json) =>
  saidAfter(shownTwice, [created], listed({ operation_id: "o-1", [name]: value }));

test.each<[string, readonly Exchange[], Json, readonly string[]]>([
  ["is what it was created as", [created], right, ["BATCH-36 holds"]],
  ["may leave members out", [created], { operation_id: "o-1" }, []],
  [
    "of another type is another mistake",
    [created],
    { ...right, foreign_currency_amount: "10.5" },
    ["BATCH-36 holds"],
  ],
  ["of an exempt request is not judged", [{ ...created, exemptBy: "INT-41" }], right, []],
  [
    "is not what a list has shown wrongly before",
    [created, listed({ ...right, foreign_currency_amount: 9, intermediary_bank: account })],
    { ...right, foreign_currency_amount: 9 },
    ["BATCH-36 /batches/0/operations/0/foreign_currency_amount = 9"],
  ],
  [
    "that shares its id with another is one of them",
    [
      created,
      exchangeOf("createOperation", {
        json: { operation_id: "o-1" },
        sent: { ...sent, currency_amount: 9 },
      }),
    ],
    { ...right, foreign_currency_amount: 9 },
    ["BATCH-36 holds"],
  ],
])("an operation in a batch %s (INT-51)", (_, creations, operation, wanted) =>
  expect(saidAfter(shownTwice, creations, listed(operation))).toEqual(wanted),
);

test.each([
  ["03:04:47.784Z", true],
  ["03:04:47Z", true],
  ["03:04:47.000Z", true],
  ["03:04:48Z", true],
  ["03:04:00Z", true],
  ["03:05:00Z", true],
  ["03:06:00Z", false],
  ["03:04:47.78Z", true],
  ["03:04:47.784999Z", true],
  ["00:04:47.784-03:00", true],
  ["03:04:47.786Z", false],
  ["03:04:48.784Z", false],
  ["03:04:49Z", false],
  ["00:04:47.784Z", false],
])("03:04:47.784Z shown again as %s (INT-59)", (time, isSame) => {
  const pointer = "/batches/0/operations/0/created_at";
  expect(shows("created_at", `2026-01-02T${time}`)).toEqual([
    isSame ? "BATCH-38 holds" : `BATCH-38 ${pointer} = "2026-01-02T${time}"`,
  ]);
});

test.each([
  ["is the first one again, at the time of that one", "03:04:47Z", "holds"],
  ["shows another time than that one", "03:04:49Z", '/created_at = "2026-01-02T03:04:49Z"'],
])("a batch that is created a second time %s (INT-27, INT-59)", (_, time, wanted) => {
  const batch = (at: string) =>
    exchangeOf("createBatch", { json: { id: "b-1", created_at: `2026-01-02T${at}` } });
  expect(saidAfter(shownTwice, [batch("03:04:47.784Z")], batch(time))).toEqual([
    `BATCH-37 ${wanted}`,
  ]);
});

test.each<[string, Json, string]>([
  ["left out in part", { iban: "I" }, "holds"],
  ["with more members", { ...account, currency: "USD" }, "holds"],
  ["with an empty text", { ...account, iban: "" }, 'iban = ""'],
  ["of another", { ...account, account_number: "2" }, 'account_number = "2"'],
  [
    "under another name",
    { bank_name: "B", account_number: "1", aba_routing_number: "I" },
    'aba_routing_number = "I"',
  ],
])("an account in a batch %s (INT-60)", (_, value, wanted) =>
  expect(shows("bank_account", value)).toEqual([
    wanted === "holds"
      ? "BATCH-39 holds"
      : `BATCH-39 /batches/0/operations/0/bank_account/${wanted}`,
  ]),
);

const twice = (one: object, other: object) =>
  saidAfter(
    shownTwice,
    [created],
    listOf(
      { id: "b-1", operations: [{ operation_id: "o-1", ...one }] },
      { id: "b-2", operations: [{ operation_id: "o-1", ...other }] },
    ),
  );

test("an operation in two batches (INT-61) is wrong by the ids that it names, or by the batches around it", () => {
  expect(twice({ batch_id: "b-1" }, { batch_id: "b-2" })).toEqual([
    'BATCH-43 /batches/1/operations/0/batch_id = "b-2"',
    "BATCH-35 holds",
    "BATCH-44 holds",
  ]);
  const around = 'BATCH-44 /batches/1/operations/0/operation_id = "b-2"';
  expect(twice({}, { batch_id: "b-2" })).toEqual([around, "BATCH-35 holds"]);
  expect(twice({}, {})).toEqual([around]);
});

test("an operation names the batch around it, by a number too (INT-48)", () => {
  const named = (id: Json, batch_id: Json) =>
    saidAfter(shownTwice, [], listOf({ id, operations: [{ operation_id: "o", batch_id }] }));
  expect(named("b-1", "b-1")).toEqual(["BATCH-35 holds"]);
  expect(named(7, 8)).toEqual(["BATCH-35 /batches/0/operations/0/batch_id = 8"]);
  expect([named(7, "7"), named("b-1", null)]).toEqual([[], []]);
});

test("an operation is of the pair of its batch, and the batch counts no more than it shows", () => {
  const batch = {
    id: "b-1",
    currency_pair: "EURBRL",
    operation_count: 3,
    operations: [{ operation_id: "o-1", currency_pair: "USDBRL" }],
  };
  const ofBatch = exchangeOf("createBatch", { json: { id: "b-1" }, sent: {} });
  expect(saidAfter(shownTwice, [], listOf(batch))).toEqual([]);
  expect(saidAfter(shownTwice, [created, ofBatch], listOf(batch))).toEqual([
    "BATCH-42 /batches/0/operation_count = 3",
    'BATCH-41 /batches/0/operations/0/currency_pair = "USDBRL"',
    "BATCH-36 holds",
  ]);
});

test("a batch that nothing created is compared between what lists show", () => {
  const at = (created_at: string): Json => ({ id: "b-1", created_at });
  expect(
    saidAfter(shownTwice, [], listOf(at("2026-01-02T03:04:05Z"), at("2026-01-03T03:04:05Z"))),
  ).toEqual(['BATCH-37 /batches/1/created_at = "2026-01-03T03:04:05Z"']);
  // The type is a mistake of its own: what is shown is the same twice.
  const wrong = { id: "b-1", currency_pair: ["USDBRL"] };
  expect(saidAfter(shownTwice, [], listOf(wrong, { ...wrong, currency_pair: ["USDBRL"] }))).toEqual(
    ["BATCH-27 holds"],
  );
});

test.each([
  ["another time", "2026-01-02T03:04:05Z", false],
  ["no time, as it has no zone", "2026-01-02T03:04:05", false],
  ["the time that was made up", "2001-02-03T05:05:06+01:00", true],
])("a made-up time is blamed only where it comes back: %s", (_what, created_at, isBlamed) => {
  const batch = exchangeOf("createBatch", {
    json: { id: "b-1", created_at },
    sent: { currency_pair: "USDBRL", created_at: "2001-02-03T04:05:06Z" },
    intent: { kind: "unusual", change: "made up" },
  });
  const said = saidAfter(shownTwice, [batch], batch).filter((text) =>
    text.startsWith("BATCH-45 /"),
  );
  expect(said.length > 0).toBe(isBlamed);
});

test.each<readonly [OperationName, Json, Json, readonly string[]]>([
  ["createCounterparty", { id: "mine" }, { id: "mine" }, ['CPTY-13 /id = "mine"']],
  ["createCounterparty", { id: "mine" }, { id: "c-9" }, ["CPTY-13 holds"]],
  [
    "createOperation",
    { operation_id: "mine" },
    { operation_id: "mine" },
    ['OPER-45 /operation_id = "mine"'],
  ],
  [
    "createBatch",
    { operations: [{ operation_id: "mine" }] },
    { id: "b-1", operations: [{ operation_id: "mine" }] },
    ['BATCH-46 /operations/0 = {"operation_id":"mine"}'],
  ],
])(
  "%s with %j, answered with %j: what was made up must not come back",
  (name, sent, json, wanted) => {
    const one = exchangeOf(name, { json, sent, intent: { kind: "unusual", change: "made up" } });
    expect(saidAfter(shownTwice, [one], one)).toEqual(wanted);
  },
);

test("an operation is of the customer of its counterparty", () => {
  const registered = exchangeOf("createCounterparty", {
    json: { id: "c-1" },
    path: "/customers/me/counterparty",
  });
  const shown = (customer_id: string) =>
    listed({ operation_id: "o-1", counterparty_id: "c-1", customer_id });
  const said = (id: string) => saidAfter(shownTwice, [registered, created], shown(id));
  expect(said("me")).toContain("BATCH-40 holds");
  expect(said("other")).toContain('BATCH-40 /batches/0/operations/0/customer_id = "other"');
});
