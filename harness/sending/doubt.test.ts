import { describe, expect, test } from "vitest";
import { valid, type RequestSpec } from "../../model/request.ts";
import { settings } from "../../model/testing/target.ts";
import { stepInDoubt, type Conclusion, type Doubt, type InDoubt } from "./doubt.ts";
import { noFacts } from "./facts.ts";

const create: RequestSpec = { operation: "createBatch", intent: valid };
const list: RequestSpec = { operation: "listBatches", intent: valid };

/** What came of the requests so far: `isBad` is the last response to the request itself. */
interface Seen extends InDoubt {
  readonly isBad: boolean;
  readonly isControlBad: boolean;
}

type Responses = (isControl: boolean, nth: number) => boolean;

/**
 * Lets a server be examined, and says in order what was done: `again`, `control` and so on. The
 * server answers badly whenever `isBad` says so.
 */
function examined(
  doubt: Partial<Doubt<Seen>>,
  isBad: Responses,
  facts = noFacts(settings),
): readonly string[] {
  const history: { isControl: boolean; by: string }[] = [{ isControl: false, by: "first" }];
  let seen = { isBad: isBad(false, 1), isControlBad: false };
  const steps: string[] = [];
  for (let turn = 0; turn < 30; turn += 1) {
    const one: Doubt<Seen> = { for: ["INT-04", "Is bad."], when: (s) => s.isBad, ...doubt };
    const s: Seen = { spec: create, facts, history, ...seen };
    const chosen = stepInDoubt({ bad: one }, s, (again, other) => ({
      kind: "ask",
      of: other === undefined ? "request" : "control",
      ...again,
    }));
    if (chosen === undefined) return [...steps, "counts"];
    chosen.learn(facts);
    steps.push(chosen.by.replace("bad, ", ""));
    if (chosen.step.kind !== "ask") return steps;
    const isControl = chosen.step.of === "control";
    history.push({ isControl, by: chosen.by });
    const nth = history.filter((other) => other.isControl === isControl).length;
    const answer = isBad(isControl, nth);
    seen = isControl ? { ...seen, isControlBad: answer } : { ...seen, isBad: answer };
  }
  throw new Error("this never ends");
}

const stop: Conclusion<InDoubt> = { step: () => ({ kind: "stop", reason: "no" }) };
const twice = (nth: number): object | undefined => (nth < 2 ? {} : undefined);
const whole: Partial<Doubt<Seen>> = {
  again: twice,
  control: () => list,
  isNoBetter: (s) => s.isControlBad,
  outage: twice,
  confirmed: () => ({}),
  stays: stop,
  down: stop,
};
const always: Responses = () => true;

describe("a doubt is examined in this order", () => {
  test.each<[string, Partial<Doubt<Seen>>, Responses, readonly string[]]>([
    ["nothing is in doubt", whole, () => false, ["counts"]],
    ["it goes away", whole, (_, nth) => nth < 3, ["again", "again", "counts"]],
    [
      "the control fares better: once more, and then it stays",
      whole,
      (isControl) => !isControl,
      ["again", "again", "control", "confirmed", "control", "stays"],
    ],
    [
      "it goes away when the request is sent once more after the control",
      whole,
      (isControl, nth) => !isControl && nth < 4,
      ["again", "again", "control", "confirmed", "counts"],
    ],
    [
      "the control fares no better, however often",
      whole,
      always,
      ["again", "again", "control", "outage", "control", "outage", "control", "down"],
    ],
    [
      "the outage passes, and the request stays bad",
      whole,
      (isControl, nth) => !isControl || nth < 2,
      ["again", "again", "control", "outage", "control", "confirmed", "control", "stays"],
    ],
    ["there is no control", { again: twice, stays: stop }, always, ["again", "again", "stays"]],
    [
      "this request has no control",
      { ...whole, control: () => undefined },
      always,
      ["again", "again", "outage", "outage", "down"],
    ],
    ["nothing follows from it", { again: twice }, always, ["again", "again", "counts"]],
  ])("%s", (_, doubt, isBad, steps) => {
    expect(examined(doubt, isBad)).toEqual(steps);
  });
});

test("what stayed three times at an operation is known", () => {
  const facts = noFacts(settings);
  const doubt = { ...whole, known: { after: 1, ...stop } };
  for (let n = 0; n < 3; n += 1)
    expect(examined(doubt, (isControl) => !isControl, facts).at(-1)).toBe("stays");
  expect(examined(doubt, always, facts)).toEqual(["again", "known"]);
  const other = { ...doubt, of: () => "another operation" };
  expect(examined(other, (isControl) => !isControl, facts)).toContain("control");
});

test("the next doubt decides where one has no conclusion", () => {
  const facts = noFacts(settings);
  const s = { spec: create, facts, history: [{ isControl: false, by: "first" }] };
  const doubt = { for: ["INT-04", "Is bad."], when: () => true } as const;
  const doubts = { one: doubt, other: { ...doubt, stays: stop } };
  expect(stepInDoubt(doubts, s, () => ({ kind: "done" }))?.by).toBe("other, stays");
});
