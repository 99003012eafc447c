import { describe, expect, test } from "vitest";
import { operationNames, type OperationName } from "../../spec/operations.ts";
import { invalid, unusual } from "../../model/request.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Judgement } from "../../model/judgement.ts";
import type { Json } from "../../spec/json.ts";
import { batch, changed, exchangeOf, sound } from "../../model/testing/exchanges.ts";
import {
  brokenIn,
  judged,
  judgeExchange,
  mustsBrokenIn,
  nothingKnown,
  lineOf,
} from "../testing/judgements.ts";
import { applies, createJudging, rules } from "./judge.ts";

/** A sound response with another value at the pointer, or without one. */
function without(name: OperationName, pointer: string, value?: Json): Exchange {
  return exchangeOf(name, { json: changed(sound[name].response, pointer, value) });
}

/** Responses of an operation that are wrong, each in another way. */
function wrongOf(name: OperationName): readonly Exchange[] {
  const members = Object.keys(sound[name].response ?? {}).map((member) => `/${member}`);
  return [
    exchangeOf(name, { type: "text/html" }),
    exchangeOf(name, { body: "{" }),
    exchangeOf(name, { status: 500 }),
    exchangeOf(name, { status: 400, json: {} }),
    ...members.flatMap((at) => [without(name, at), without(name, at, 7)]),
  ];
}

/** Exchanges of many kinds, so that each thing that a rule looks for stands in one of them. */
const varied: readonly Exchange[] = [
  ...operationNames.flatMap((name) => [
    ...[sound[name].response, {}, [], "x"].map((json) =>
      exchangeOf(name, { body: JSON.stringify(json) }),
    ),
    exchangeOf(name, { intent: invalid("with a wrong member"), json: { message: "no" } }),
  ]),
  without("createCounterparty", "/counterparty_address/city"),
  without("createOperation", "/intermediary_bank", "x"),
  ...["T03:04:05", " 03:04:05", " 03:04:05Z", "T03:04:05+0100"].map((time) =>
    without("createOperation", "/created_at", `2026-01-02${time}`),
  ),
  ...["/bank_account", "/bank_account/bank_name", "/intermediary_bank"].map((at) =>
    without("createCounterparty", at, null),
  ),
  ...["/batches/0", "/batches/0/id"].map((at) => without("listBatches", at, null)),
  without("createCounterparty", "/counterparty_address/city", true),
  exchangeOf("createCounterparty", { sent: { intermediary_bank: null } }),
  exchangeOf("createCounterparty", { sent: { bank_account: [] } }),
  exchangeOf("createBatch", { type: null, body: "\r\n<p>\r\n</p>" }),
  exchangeOf("createBatch", { type: "text/html; charset=utf-8" }),
  exchangeOf("createToken", {
    body: Buffer.concat([Buffer.from(`{"token":"${"S".repeat(30)}`), Buffer.of(0xe3, 0x20)]),
  }),
  exchangeOf("createToken", {
    body: "a",
    defect: { kind: "coding", text: "the body ended early" },
  }),
  exchangeOf("createBatch", { status: 404, body: "" }),
  exchangeOf("createToken", { status: 500, body: "<h1> at main.js:7", type: "text/html" }),
  exchangeOf("createToken", {
    status: 500,
    intent: invalid("nested 3,000 deep"),
    json: { message: 'oh "no"' },
  }),
  exchangeOf("createToken", { status: 500, intent: unusual("with a long name"), body: "" }),
];

function titleOf({ operation, response: { status, body } }: Exchange): string {
  return `# ${operation} ${status} ${Buffer.from(body).toString().slice(0, 60)}`;
}

/** The line of a judgement, with the kind of its mistake, and of what it is one. */
function lineWithMistake(judgement: Judgement): string {
  const { kind = "", of = "", actual = "" } = judgement.violation?.mistake ?? {};
  return [lineOf(judgement), ...(kind === "" ? [] : [`${kind} of ${of}: ${actual}`])].join(" | ");
}

/** The judgements in lines: in full what does not hold, and on one line the ids of what holds. */
function linesOf(judgements: readonly Judgement[]): readonly string[] {
  const isHeld = ({ violation, noVerdict }: Judgement): boolean =>
    violation === undefined && noVerdict === undefined;
  // What holds for any message is in the tests of the rule on messages.
  const held = judgements
    .filter((one) => isHeld(one) && !one.requirement.startsWith("HTTP"))
    .map(({ requirement }) => requirement);
  return [
    ...judgements.filter((one) => !isHeld(one)).map(lineWithMistake),
    ...(held.length === 0 ? [] : [`hold: ${held.join(" ")}`]),
  ];
}

/** Sequences of exchanges. The last one breaks a rule, or shows nothing. */
const rows: readonly (readonly Exchange[])[] = [
  [
    exchangeOf("createBatch"),
    exchangeOf("listBatches", { at: 9000, json: { batches: [], count: 0, total: 0 } }),
  ],
  [
    exchangeOf("createBatch"),
    exchangeOf("listBatches", { at: 9000, json: { batches: [], count: 1, total: 1 } }),
  ],
  [exchangeOf("createBatch"), without("listBatches", "/batches/0/currency_pair", "EURBRL")],
  [exchangeOf("createOperation"), exchangeOf("createOperation", { sent: { currency_amount: 1 } })],
  [
    exchangeOf("createOperation"),
    exchangeOf("createOperation", {
      sent: { currency_amount: 1, counterparty_id: "c-2" },
      json: { operation_id: "o-2", counterparty_id: "c-1", foreign_currency_amount: 1 },
    }),
  ],
];

test("what a report says", async () => {
  const told = varied.flatMap((exchange) => [
    titleOf(exchange),
    ...linesOf(judged(exchange, nothingKnown())),
  ]);
  const inRows = rows.flatMap((row) => {
    const { learn, judge } = createJudging(nothingKnown());
    for (const exchange of row) learn(exchange);
    return row.flatMap((exchange) => [titleOf(exchange), ...linesOf(judge(exchange))]);
  });
  const lines = [...told, ...inRows];
  // Later versions of Node.js say at which line a text stops being JSON.
  const text = lines.join("\n").replaceAll(/ \(line \d+ column \d+\)/g, "");
  await expect(text).toMatchFileSnapshot("../testing/judgements.golden");
});

/** The judgements of all rules except those that apply to any message. */
function contentsJudged(exchange: Exchange) {
  return rules
    .filter((rule) => rule.judges !== "every" && applies(rule, exchange))
    .flatMap((rule) => rule.create(nothingKnown()).judge(exchange));
}

test.each(operationNames)(
  "contents of %s are judged in a success of a request that is not invalid alone",
  (name) => {
    const wrong = wrongOf(name);
    for (const status of [302, 400, 500])
      for (const one of wrong)
        expect(contentsJudged({ ...one, response: exchangeOf(name, { status }).response })).toEqual(
          [],
        );
    const judged = wrong.flatMap((one) =>
      contentsJudged({ ...one, intent: invalid("with a wrong member") }),
    );
    // A success that reports a failure need not have an id.
    expect(
      judged.filter(
        ({ violation }) =>
          violation === undefined || !violation.message.includes("reports a failure"),
      ),
    ).toEqual([]);
  },
);

test.each(operationNames)(
  "of %s only a crash is judged where an interpretation exempts it",
  (name) => {
    const wrong = wrongOf(name);
    const found = wrong.flatMap((one) => brokenIn({ ...one, exemptBy: "INT-41" }));
    expect(new Set(found)).toEqual(new Set(["HTTP-04"]));
  },
);

describe("nobody is blamed", () => {
  test.each(operationNames)(
    "for what %s makes of an invalid request, as long as it is a message",
    (name) => {
      const intent = invalid("with a wrong member");
      const bodies: readonly Json[] = [
        {},
        [],
        7,
        { id: 7, operation_id: 7, token: 7, status: null, batches: 1 },
      ];
      for (const json of bodies) {
        expect(mustsBrokenIn(exchangeOf(name, { intent, json }))).toEqual([]);
      }
    },
  );
});

const notModified = exchangeOf("listBatches", { status: 304, body: "" });

test("an unconditional 304 means the list that was read before, and only that (INT-34)", () => {
  const known = nothingKnown();
  judgeExchange(exchangeOf("createBatch"), known);
  judgeExchange(exchangeOf("listBatches", { status: 500, json: { message: "no" } }), known);
  expect(brokenIn(notModified, known)).not.toContain("HTTP-06");
  judgeExchange(exchangeOf("listBatches"), known);
  expect(brokenIn(notModified, known)).toContain("HTTP-06");
});

test("an id that only an invalid request received is nobody's; a valid one keeps it", () => {
  const known = nothingKnown();
  const created = { intent: invalid("wrong"), json: { ...batch, id: "b-9" } as Json };
  judgeExchange(exchangeOf("createBatch", created), known);
  expect([
    known.identities.isTainted("batch", "b-9"),
    known.identities.known("batch", "b-9"),
  ]).toEqual([true, false]);

  const again = nothingKnown();
  judgeExchange(exchangeOf("createBatch", { json: { ...batch, id: "b-9" } as Json }), again);
  judgeExchange(exchangeOf("createBatch", created), again);
  expect([
    again.identities.isTainted("batch", "b-9"),
    again.identities.known("batch", "b-9"),
  ]).toEqual([false, true]);
});

test("if a requirement has several reasons, that its endpoint never succeeded comes first", () => {
  const { judge, unmet } = createJudging(nothingKnown());
  judge(exchangeOf("createOperation"));
  const reasons = unmet().filter(({ requirement }) => requirement === "CPTY-10");
  expect(reasons.map(({ noVerdict }) => noVerdict)).toEqual([
    expect.stringMatching(/never answered with success$/),
    "the server never created two different counterparties",
  ]);
});

test("rules that need times judge only where they are known, and say what was missing", () => {
  const created = exchangeOf("createBatch");
  const list = exchangeOf("listBatches", { at: 9000, json: { batches: [] } });
  for (const hasTimes of [true, false]) {
    const { learn, judge, unmet } = createJudging(nothingKnown());
    learn(created);
    const judged = [created, list].flatMap((exchange) => judge(exchange, hasTimes));
    expect(judged.some(({ requirement }) => requirement === "BATCH-24")).toBe(hasTimes);
    const ofSuccesses = /never answered with success|never showed a batch/;
    const missing = unmet().filter(({ noVerdict }) => !ofSuccesses.test(noVerdict));
    expect(missing.map(({ requirement }) => requirement)).toEqual([
      "CPTY-10",
      "OPER-15",
      "BATCH-06",
      "CPTY-11",
      "OPER-16",
      "BATCH-07",
      "BATCH-24",
      "BATCH-27",
      "BATCH-36",
      "BATCH-23",
      "BATCH-25",
      "BATCH-26",
    ]);
  }
});

test("one violation for each requirement and place, and none that also holds", () => {
  const bare = { ...batch, status: 7 };
  for (const exchange of [
    ...operationNames.flatMap(wrongOf),
    ...varied,
    exchangeOf("listBatches", { json: { batches: [bare, bare] } }),
  ]) {
    const judgements = judgeExchange(exchange, nothingKnown());
    const violated = judgements.filter(({ violation }) => violation !== undefined);
    const held = judgements
      .filter((one) => !violated.includes(one))
      .map(({ requirement }) => requirement);
    const keys = violated.map(
      ({ requirement, violation }) => `${requirement} ${violation?.pointer ?? ""}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(violated.filter(({ requirement }) => held.includes(requirement))).toEqual([]);
    expect(new Set(held).size).toBe(held.length);
  }
});
