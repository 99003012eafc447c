import { expect, test } from "vitest";
import { invalid, valid, type RequestSpec } from "../../model/request.ts";
import { settings } from "../../model/testing/target.ts";
import { kindOf, noFacts, type SendingFacts } from "./facts.ts";
import { guards, type Departure } from "./guards.ts";
import { choiceOf } from "./step.ts";

const create: RequestSpec = { operation: "createBatch", intent: valid };
const wrong: RequestSpec = { ...create, intent: invalid("without currency_pair") };
const silent = new Map([[kindOf(create), 3]]);
const withoutPair: RequestSpec = { ...wrong, refusal: { requirement: "OPER-22" } };
const silentIfWrong = new Map([[kindOf(wrong), 3]]);

test.each<[string | undefined, RequestSpec, Partial<SendingFacts>, Partial<Departure>?]>([
  [undefined, create, {}],
  ["lost", create, { lost: "it is gone" }],
  ["never answered", create, { hangs: true, timeouts: silent }],
  [undefined, create, { hangs: true, timeouts: silent }, { isFirst: false }],
  [undefined, wrong, { hangs: true, timeouts: silent }],
  [undefined, create, { timeouts: silent }],
  ["never answered", wrong, { hangs: true, timeouts: silentIfWrong }],
  [undefined, withoutPair, { hangs: true, timeouts: silentIfWrong }],
  [
    "never answered",
    withoutPair,
    { hangs: true, timeouts: silentIfWrong, asked: new Set(["OPER-22" as const]) },
  ],
  ["out of time", create, {}, { isLate: true }],
  ["out of time", create, { isOutOfTime: true }],
])("what keeps a request from being sent: %s", (row, spec, facts, more = {}) => {
  const departure = {
    spec,
    facts: { ...noFacts(settings), ...facts },
    isFirst: true,
    isLate: false,
    ...more,
  };
  expect(choiceOf(guards, departure)?.row.id).toBe(row);
});

test("once the run has taken as long as it may, it stays so, and the reason says what kept it waiting (INT-50)", () => {
  const facts = noFacts(settings);
  const late = { spec: create, facts, isFirst: true, isLate: true };
  const found = choiceOf(guards, late);
  found?.learn(facts);
  expect(facts.isOutOfTime).toBe(true);
  expect(found?.step.reason).toMatch(
    /took as long as it may, 165 s\. Find out what keeps the run waiting/,
  );
  facts.waitedForBadCredentials = 1;
  expect(choiceOf(guards, { ...late, isLate: false })?.step.reason).toContain(
    "raise its limit of failed attempts",
  );
});
