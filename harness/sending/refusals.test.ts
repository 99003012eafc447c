import { describe, expect, test } from "vitest";
import { invalid, type Refusal } from "../../model/request.ts";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import { settings } from "../../model/testing/target.ts";
import type { InterpretationId } from "../../spec/interpretations.ts";
import { noFacts } from "./facts.ts";
import {
  stepAfterRefusal,
  type BrokenRule,
  type LiveTarget,
  type CountedResponse,
} from "./refusals.ts";

/**
 * What a word stands for: a status is a response to the request, `422 alone` is one to the request
 * sent alone, and any other word says how a control went.
 */
function shownOf(word: string, exemptBy?: InterpretationId): CountedResponse {
  const [status = "", alone] = word.split(" ");
  if (!/^\d/.test(status))
    return {
      of: "control",
      isAlike: status === "alike",
      isRefused: status === "refused",
      hasWaited: alone === "late",
    };
  const intent = invalid("with null at /currency_amount");
  const overrides = { status: Number(status), intent, exemptBy };
  const json = { message: "no" };
  return {
    of: "request",
    exchange: exchangeOf("createOperation", { ...overrides, json }),
    isAlone: alone === "alone",
  };
}

const control: Refusal["control"] = () => ({
  operation: "createOperation",
  intent: { kind: "valid" },
});
const as400: Refusal = { requirement: "OPER-24", status: 400, control };
const asAny: Refusal = { requirement: "ACAM-03" };
const as401: Refusal = { requirement: "AUTH-21", status: 401, control };
const calm: LiveTarget = {
  unknownFor: 0,
  isBlocked: false,
  presentsItsOwn: false,
  locksOut: false,
  isShownEnough: false,
};
const shownEnough: LiveTarget = { ...calm, isShownEnough: true };
const own: LiveTarget = { ...calm, presentsItsOwn: true };

function rulesOf(...refusals: readonly (Refusal | undefined)[]): readonly BrokenRule[] {
  return refusals.map((refusal) => ({ change: "so", refusal }));
}

/**
 * The step in words: `control after 1000`, `request alone after 0`, `holds`, `violated`, or `-` if
 * nothing is judged.
 */
function answerOf(
  rules: readonly BrokenRule[],
  words: string,
  live?: LiveTarget,
  exemptBy?: InterpretationId,
): string {
  const shown = words.split(", ").map((word) => shownOf(word, exemptBy));
  const { step, learn } = stepAfterRefusal(rules, words === "" ? [] : shown, live);
  if (step.kind === "ask") {
    const { of, isAlone, pause } = step;
    return [
      of,
      ...(isAlone === true ? ["alone"] : []),
      ...(pause === undefined ? [] : [`after ${pause}`]),
    ].join(" ");
  }
  const facts = noFacts(settings);
  learn(facts);
  if (step.noVerdict !== undefined) return facts.isBlocked ? "blocked" : "no verdict";
  const judgements = step.judgements ?? [];
  return (
    judgements.map(({ violation }) => (violation === undefined ? "holds" : "violated")).join() ||
    "-"
  );
}

describe("in a run", () => {
  test.each([
    [as400, "400", "holds"],
    [as400, "200", "violated"],
    [as400, "500", "request"],
    [as400, "500, 500", "violated"],
    [as400, "500, 400", "holds"],
    [as400, "422", "control"],
    [as400, "413", "control"],
    [as400, "404, alike", "request after 2000"],
    [as400, "404, alike, 400", "holds"],
    [as400, "422, alike, 422, alike", "no verdict"],
    [as400, "422, unlike", "request alone after 0"],
    [as400, "422, refused", "request alone after 0"],
    [as400, "422, unlike, 400 alone", "holds"],
    [as400, "422, unlike, 422 alone", "violated"],
    [as400, "422, unlike, 422 alone, alike", "no verdict"],
    [as400, "422, unlike, 200 alone", "violated"],
    [as400, "403, alike", "control after 1000"],
    [as400, "403, alike, alike, alike", "control after 4000"],
    [as400, "403, alike, alike, alike, alike", "blocked"],
    [as400, "403, alike, unlike", "request alone after 0"],
    [as400, "403, unlike, 403 alone", "control alone"],
    [as400, "403, unlike, 403 alone, unlike", "violated"],
    [as400, "403, unlike, 403 alone, unlike late", "request alone after 0"],
    [
      as400,
      "403, unlike, 403 alone, alike, unlike, 403 alone, alike, unlike",
      "request alone after 0",
    ],
    [
      as400,
      "403, unlike late, 403 alone, unlike late, 403 alone, unlike late, 403 alone, unlike late",
      "no verdict",
    ],
    [as400, "302", "control"],
    [as400, "302, alike", "no verdict"],
    [as400, "302, unlike", "violated"],
    [asAny, "409", "holds"],
    [asAny, "302", "violated"],
    [asAny, "200", "violated"],
  ])("%o shown %s: %s", (refusal, words, answer) => {
    expect(answerOf(rulesOf(refusal), words, calm)).toBe(answer);
  });

  test.each([
    ["422", "-"],
    ["400", "holds"],
    ["200", "violated"],
  ])("a failure that was shown often enough has no more controls: %s %s", (words, answer) => {
    expect(answerOf(rulesOf(as400), words, shownEnough)).toBe(answer);
  });

  test("a block that never ended is not waited for again", () => {
    expect(answerOf(rulesOf(as400), "403, alike", { ...calm, isBlocked: true })).toBe("blocked");
  });

  test("the request waits until each node knows what was created", () => {
    expect(answerOf(rulesOf(as400), "404, unlike", { ...calm, unknownFor: 5000 })).toBe(
      "request alone after 5000",
    );
  });

  test.each([
    [as401, "401", own, "holds"],
    [as401, "403, unlike", own, "violated"],
    [as401, "403, refused", own, "no verdict"],
    [as401, "403, unlike late", own, "request alone after 0"],
    [as401, "404, unlike", { ...own, unknownFor: 5000 }, "request alone after 5000"],
    [{ ...as401, isControlRefused: true }, "401", own, "holds"],
    [{ requirement: "AUTH-24", control, isControlRefused: true } as const, "409", own, "control"],
    [
      { requirement: "AUTH-24", control, isControlRefused: true } as const,
      "409, alike",
      own,
      "no verdict",
    ],
    [
      { requirement: "AUTH-24", control, isControlRefused: true } as const,
      "409, unlike",
      own,
      "holds",
    ],
  ])(
    "bad credentials are not sent again without need: %o shown %s",
    (refusal, words, live, answer) => {
      expect(answerOf(rulesOf(refusal), words, live)).toBe(answer);
    },
  );

  test("of odd keys and tokens a success alone is judged (INT-38)", () => {
    expect(answerOf(rulesOf(asAny), "200", own, "INT-38")).toBe("violated");
    for (const status of ["400", "431", "500"])
      expect(answerOf(rulesOf(asAny), status, own, "INT-38")).toBe("-");
  });
});

test("a redirection is exempt from rules on messages, not from refusing (INT-34)", () => {
  expect(answerOf(rulesOf(as400), "302, unlike", calm, "INT-34")).toBe("violated");
});

test.each<readonly [refusal: Refusal, words: string, live: LiveTarget, said: object]>([
  [
    as400,
    "200",
    calm,
    {
      message: expect.stringContaining("answers with 200 to a request so"),
      expected: "status 400",
    },
  ],
  [asAny, "200", calm, { expected: "a refusal: a 4xx status", actual: "status 200" }],
  [
    as400,
    "422, alike, 422, alike",
    calm,
    { noVerdict: expect.stringContaining("answers a valid request in the same way") },
  ],
  [
    as400,
    "403, refused",
    own,
    { noVerdict: expect.stringContaining("refuses good requests too for a while") },
  ],
])(
  "%o shown %s: says what was expected, or why there is no verdict",
  (refusal, words, live, said) => {
    const shown = words.split(", ").map((word) => shownOf(word));
    const { step } = stepAfterRefusal(rulesOf(refusal), shown, live);
    expect(step.judgements?.[0]?.violation ?? step).toMatchObject(said);
  },
);

describe("in a recording, where nothing can be sent", () => {
  test.each([
    [[as400], "400", "holds"],
    [[as400], "200", "violated"],
    [[as400], "500", "request"],
    [[as400], "429", "-"],
    [[as400], "422", "control"],
    [[as400], "422, alike", "no verdict"],
    [[as400], "422, unlike", "violated"],
    [[as400, as401], "401", "-"],
    [[as400, as401], "403, unlike", "violated"],
    [[as400, undefined], "422", "holds"],
    [[undefined], "200", "-"],
    [[undefined, as400], "200", "violated"],
    [[asAny], "409", "holds"],
    [[asAny], "302", "control"],
  ])("%o shown %s: %s", (refusals, words, answer) => {
    expect(answerOf(rulesOf(...refusals), words)).toBe(answer);
  });
});
