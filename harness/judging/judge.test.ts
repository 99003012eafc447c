import { expect, test } from "vitest";
import { type OperationName, operationNames } from "../../spec/operations.ts";
import { invalid } from "../../model/request.ts";
import { requirementIds } from "../../spec/catalogue.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Json } from "../../spec/json.ts";
import { batch, changed, exchangeOf, sound } from "../../model/testing/exchanges.ts";
import { brokenIn, judgeExchange, nothingKnown } from "../testing/judgements.ts";
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
  expect([known.ids.isTainted("batch", "b-9"), known.ids.known("batch", "b-9")]).toEqual([
    true,
    false,
  ]);

  const again = nothingKnown();
  judgeExchange(exchangeOf("createBatch", { json: { ...batch, id: "b-9" } as Json }), again);
  judgeExchange(exchangeOf("createBatch", created), again);
  expect([again.ids.isTainted("batch", "b-9"), again.ids.known("batch", "b-9")]).toEqual([
    false,
    true,
  ]);
});

test("rules that need times judge only where they are known", () => {
  const created = exchangeOf("createBatch");
  const other = exchangeOf("createBatch", { sent: { currency_pair: "EURBRL" } });
  const list = exchangeOf("listBatches", { at: 9000, json: { batches: [] } });
  for (const hasTimes of [true, false]) {
    const { learn, judge } = createJudging(nothingKnown());
    learn(created);
    const judged = [created, other, list].flatMap((exchange) => judge(exchange, hasTimes));
    const ids = judged.map(({ requirement }) => requirement);
    expect([ids.includes("BATCH-07"), ids.includes("BATCH-24")]).toEqual([hasTimes, hasTimes]);
  }
});

test("a body that was not read to its last level shows violations, and nothing that holds", () => {
  const defect = { kind: "too deep", text: "" } as const;
  const judged = [{}, { json: { ...batch, id: 7 } as Json }].map((more) =>
    judgeExchange(exchangeOf("createBatch", { ...more, defect }), nothingKnown()),
  );
  expect(judged.map((all) => all.map(({ requirement }) => requirement))).toEqual([
    [],
    ["BATCH-01"],
  ]);
});

test("one violation for each requirement and place, and none that also holds", () => {
  const bare = { ...batch, status: 7 };
  for (const exchange of [
    ...operationNames.flatMap(wrongOf),
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

const intent = invalid("with something wrong");
const refusal = exchangeOf("createCounterparty", { status: 400, intent, json: { message: "no" } });
const page = exchangeOf("createCounterparty", {
  status: 302,
  type: "text/html",
  body: "<html>",
  intent,
});

/** The requirements that hold in too few of these exchanges, with the reason. */
function hardlyJudgedIn(exchanges: readonly Exchange[]): readonly string[] {
  const { judge, hardlyJudged } = createJudging(nothingKnown());
  for (const exchange of exchanges) judge(exchange);
  return requirementIds.flatMap((id) => {
    const reason = hardlyJudged(id);
    return reason === undefined ? [] : [`${id} ${reason}`];
  });
}

function times(n: number, exchange: Exchange): readonly Exchange[] {
  return Array.from({ length: n }, () => exchange);
}

test("a requirement that was judged in a few of its exchanges says in how many", () => {
  const exempt = { ...page, exemptBy: "INT-34" } as const;
  expect(hardlyJudgedIn([...times(3, refusal), ...times(63, exempt)])).toEqual([
    "CPTY-12 judged in 3 of 66 responses: the others were redirected (INT-34): check the base URL (--base-url)",
  ]);
  expect(hardlyJudgedIn([...times(3, refusal), ...times(3, exempt)])).toEqual([]);
});

test("what the suite made odd itself is not counted", () => {
  const odd = { ...refusal, exemptBy: "INT-38" } as const;
  expect(hardlyJudgedIn([...times(3, refusal), ...times(63, odd)])).toEqual([]);
});

test("ids that a proxy may refuse leave out what all refusals show", () => {
  const exempt = { ...refusal, exemptBy: "INT-21" } as const;
  expect(hardlyJudgedIn(times(4, exempt)).map((line) => line.split(" ")[0])).toEqual([
    "CPTY-12",
    "HTTP-01",
    "HTTP-02",
    "HTTP-03",
  ]);
});
