import { expect, test } from "vitest";
import { invalid, type Refusal } from "../../model/request.ts";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import type { Judgement } from "../../model/mistake.ts";
import type { InterpretationId } from "../../spec/interpretations.ts";
import { isCertain, recordedVerdictOn, verdictOn, type BrokenRule } from "./refusal.ts";

const as400: Refusal = { requirement: "OPER-24", status: 400 };
const asAny: Refusal = { requirement: "ACAM-03" };
const as401: Refusal = { requirement: "AUTH-21", status: 401 };

function answered(status: number, exemptBy?: InterpretationId) {
  const intent = invalid("with null at /currency_amount");
  return exchangeOf("createOperation", { status, intent, exemptBy, json: { message: "no" } });
}

function rulesOf(refusals: readonly (Refusal | undefined)[]): readonly BrokenRule[] {
  return refusals.map((refusal) => ({ change: "so", ...(refusal && { refusal }) }));
}

/** `holds OPER-24`, `OPER-24 broken`, or `-` if nothing is judged. */
function said(judgements: readonly Judgement[]): string {
  const words = judgements.map(({ requirement, violation }) =>
    violation === undefined ? `holds ${requirement}` : `${requirement} broken`,
  );
  return words.join() || "-";
}

test.each<[readonly (Refusal | undefined)[], number, InterpretationId | undefined, string]>([
  [[as400], 200, undefined, "OPER-24 broken"],
  [[undefined], 200, undefined, "-"],
  // Of several broken rules, any may be the reason of the refusal.
  [[as400, as401], 400, undefined, "-"],
  [[undefined, as400], 400, undefined, "holds OPER-24"],
  [[asAny], 400, "INT-38", "-"],
  [[asAny], 500, "INT-38", "-"],
])("a response that counts: %o: %i %s %s", (refusals, status, exemptBy, want) => {
  expect(said(verdictOn(rulesOf(refusals), answered(status, exemptBy)))).toBe(want);
});

test.each([
  [as401, 409, true],
  [{ ...as401, isControlRefused: true }, 401, true],
  [{ ...as401, isControlRefused: true }, 409, false],
])("%o: a refusal with %i is certainly about the mistake: %s", (refusal, status, isSo) => {
  expect(isCertain(refusal, answered(status))).toBe(isSo);
});

test.each<[readonly (Refusal | undefined)[], number, isAlike: boolean | undefined, string]>([
  [[as400], 400, undefined, "holds OPER-24"],
  [[as400], 500, undefined, "-"],
  [[as400], 422, undefined, "-"],
  [[as400], 422, true, "-"],
  [[as400, undefined], 422, false, "holds OPER-24"],
  [[undefined], 200, undefined, "-"],
  [[asAny], 409, undefined, "holds ACAM-03"],
])(
  "in a recording, where nothing can be sent again: %o: %i, valid requests get the same: %s: %s",
  (refusals, status, isAlike, want) => {
    expect(said(recordedVerdictOn(rulesOf(refusals), answered(status), isAlike))).toBe(want);
  },
);
