import { endpoints } from "../../spec/endpoints.ts";
import { describe, expect, test } from "vitest";
import { requirementIds, standingOperations, type RequirementId } from "../../spec/catalogue.ts";
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

/**
 * For each requirement on a member, a place in a response and a value that must not stand there;
 * without a value, something must. A star stands for the batch, the body or an element of the list.
 */
const places: Readonly<Partial<Record<RequirementId, readonly [pointer: string, value?: Json]>>> = {
  "AUTH-01": ["/token", 7],
  "CPTY-01": ["/id", 7],
  "CPTY-02": ["/external_id", 7],
  "CPTY-03": ["/counterparty_address", 7],
  "CPTY-04": ["/bank_account/bank_name"],
  "CPTY-05": ["/intermediary_bank/bank_name"],
  "CPTY-06": ["/external_id", "x"],
  "CPTY-07": ["/name", "x"],
  "CPTY-08": ["/counterparty_address/city", "x"],
  "CPTY-09": ["/intermediary_bank/swift_code", "x"],
  "OPER-02": ["/status", 7],
  "OPER-03": ["/batch_id", 7],
  "OPER-04": ["/batch_id"],
  "OPER-05": ["/operation_id", 7],
  "OPER-06": ["/foreign_currency_amount", 1],
  "OPER-07": ["/currency_pair", "x"],
  "OPER-08": ["/operation_purpose", "x"],
  "OPER-09": ["/counterparty_id", "x"],
  "OPER-10": ["/customer_id", 7],
  "OPER-11": ["/bank_account/bank_name"],
  "OPER-12": ["/intermediary_bank", {}],
  "OPER-13": ["/created_at", "x"],
  "OPER-14": ["/created_at", "2026-01-02T03:04:05+01:00"],
  "ACAM-01": ["/message", "x"],
  "ACAM-02": ["/status", "x"],
  "BATCH-01": ["/id", 7],
  "BATCH-02": ["/currency_pair", "x"],
  "BATCH-04": ["/status", 7],
  "BATCH-05": ["/created_at", "x"],
  "BATCH-09": ["*/operation_count", -1],
  "BATCH-20": ["/batches", 7],
  "BATCH-21": ["/count", 2.5],
  "BATCH-22": ["/total", "2"],
  "BATCH-23": ["/batches/0/operations", 7],
  "BATCH-25": ["/batches/0/status", 7],
  "BATCH-26": ["/batches/0/created_at", "x"],
  "BATCH-30": ["*/operations/0/status", 7],
  "BATCH-31": ["*/operations/0/created_at", "x"],
  "BATCH-32": ["*/operations/0/bank_account", 7],
  "BATCH-33": ["*/operations/0/intermediary_bank", null],
  "BATCH-34": ["*/operations/0/operation_purpose", "EFX"],
  "BATCH-35": ["*/operations/0/batch_id", "x"],
};

/**
 * For each requirement, a response of the operation that breaks it, if a check claims to judge it
 * there.
 */
const breaks: Readonly<Partial<Record<RequirementId, (name: OperationName) => Exchange>>> = {
  "HTTP-01": (name) => exchangeOf(name, { type: "text/html" }),
  "HTTP-02": (name) => exchangeOf(name, { body: "{" }),
  "HTTP-03": (name) => exchangeOf(name, { body: Buffer.from([0xff]) }),
  "HTTP-04": (name) => exchangeOf(name, { status: 500 }),
  "HTTP-06": (name) => exchangeOf(name, { status: 204, body: "" }),
  ...Object.fromEntries(
    Object.values(endpoints).map(({ errorShape: id }) => [
      id,
      (name: OperationName) => exchangeOf(name, { status: 400, json: {} }),
    ]),
  ),
  "OPER-01": (name) => exchangeOf(name, { status: 201 }),
  "BATCH-03": (name) => exchangeOf(name, { status: 200 }),
  ...Object.fromEntries(
    Object.entries(places).map(([id, [pointer, value]]) => [
      id,
      (name: OperationName) => without(name, pointer, value),
    ]),
  ),
};

/** A sound response with another value at the pointer, or without one. */
function without(name: OperationName, pointer: string, value?: Json): Exchange {
  const at = pointer.replace("*", name === "listBatches" ? "/batches/0" : "");
  return exchangeOf(name, { json: changed(sound[name].response, at, value) });
}

/**
 * A check of a member ignores a value of a wrong type, because the schema check judges that. For
 * these requirements, the member must be absent.
 */
const absences: Readonly<Partial<Record<RequirementId, string>>> = {
  "AUTH-01": "/token",
  "CPTY-01": "/id",
  "OPER-05": "/operation_id",
  "BATCH-01": "/id",
  "BATCH-20": "/batches",
  "BATCH-21": "/count",
  "BATCH-22": "/total",
  "BATCH-23": "/batches/0/operations",
};

/** Requirements that two creations with one id break. */
const ids: readonly RequirementId[] = ["CPTY-10", "OPER-15", "BATCH-06"];

/**
 * Requirements that every exchange shows and that the transport and the session judge, not the
 * checks.
 */
const elsewhere: readonly RequirementId[] = ["HTTP-05", "AUTH-04"];

/** For each operation, the requirements that every exchange shows according to the catalogue. */
const claims = requirementIds
  .filter((id) => !elsewhere.includes(id))
  .flatMap((requirement) => standingOperations(requirement).map((name) => ({ requirement, name })));

/** What rules know after other creations with the ids of sound responses. */
function afterOthers() {
  const known = nothingKnown();
  for (const [kind, id] of [
    ["counterparty", "c-1"],
    ["operation", "o-1"],
    ["batch", "b-1"],
  ] as const)
    known.identities.remember(kind, id, JSON.stringify({ account: ["other"], external_id: null }));
  return known;
}

/** The exchanges of an operation that break a requirement. */
function brokenOf(requirement: RequirementId, name: OperationName): readonly Exchange[] {
  const twice = {
    batches: [batch, { ...batch, created_at: "2027-01-01T00:00:00Z" }],
    count: 2,
    total: 2,
  };
  const tries = [
    breaks[requirement]?.(name),
    absences[requirement] === undefined ? undefined : without(name, absences[requirement]),
  ].filter((exchange) => exchange !== undefined);
  return tries.length > 0
    ? tries
    : [exchangeOf(name, name === "listBatches" ? { json: twice } : {})];
}

function knownBefore(requirement: RequirementId) {
  return ids.includes(requirement) ? afterOthers() : nothingKnown();
}

test.each(claims)("$requirement of $name can fail", ({ requirement, name }) => {
  for (const exchange of brokenOf(requirement, name))
    expect(brokenIn(exchange, knownBefore(requirement))).toContain(requirement);
});

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
  return `# ${operation} ${status} ${Buffer.from(body).toString().slice(0, 120)}`;
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
  // The endpoints of a requirement differ in their names alone.
  const first = new Map(claims.toReversed().map((claim) => [claim.requirement, claim]));
  const broken = [...first.values()].toReversed().flatMap(({ requirement, name }) =>
    brokenOf(requirement, name).flatMap((exchange) =>
      judged(exchange, knownBefore(requirement))
        .filter(({ violation }) => violation !== undefined)
        .map(lineWithMistake),
    ),
  );
  const told = varied.flatMap((exchange) => [
    titleOf(exchange),
    ...linesOf(judged(exchange, nothingKnown())),
  ]);
  const inRows = rows.flatMap((row) => {
    const { learn, judge } = createJudging(nothingKnown());
    for (const exchange of row) learn(exchange);
    return row.flatMap((exchange) => [titleOf(exchange), ...linesOf(judge(exchange))]);
  });
  const lines = [...new Set(broken), ...told, ...inRows];
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
    const wrong = Object.values(breaks).flatMap((wrongly) => wrongly?.(name) ?? []);
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
    const wrong = Object.values(breaks).flatMap((wrongly) => wrongly?.(name) ?? []);
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
  const broken = claims.flatMap(({ requirement, name }) => brokenOf(requirement, name));
  for (const exchange of [
    ...broken,
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
