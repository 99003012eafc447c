import { expect, test } from "vitest";
import { requirementResults } from "../../model/conclusion/conclude.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { concluded, runs } from "../testing/runs.ts";
import { knownMistakes } from "./failures.ts";
import { livePage, type LiveState } from "./live-page.ts";

const rows = requirementResults(new Map());
const run = {
  ...runs.nonconformant,
  requests: 98,
  requirements: rows.map((row) => ({ ...row, verdict: "pass" as const })),
};
const first = (count: number): readonly RequirementId[] => rows.slice(0, count).map(({ id }) => id);
function pageOf(state: Partial<LiveState>): string {
  return livePage({ run, isRunning: true, pending: new Set(), again: new Set(), ...state }, "");
}
function statusOf(state: Partial<LiveState>): string {
  const page = pageOf(state);
  return /<h1 id="status"[^>]*>(.*?)<\/h1>/.exec(page)?.[1] ?? "";
}

test("the status counts what the run in progress checks", () => {
  const all = rows.length;
  expect(statusOf({ pending: new Set(first(22)) })).toContain(
    `: 98 requests, ${all - 22} of ${all} requirements checked`,
  );
  const again = statusOf({ part: first(45), checking: new Set(first(30)) });
  expect(again).toBe("Checking again: 15 of 45 requirements checked, no failure.");
});

test("the status leaves out what is not selected", () => {
  const requirements = run.requirements.map((row, index) =>
    index < 2 ? row : { ...row, verdict: "skip" as const },
  );
  expect(statusOf({ run: { ...run, requirements } })).toContain("2 of 2 requirements checked");
});

test("a run in progress has a bar with the time that is left", () => {
  const page = pageOf({ progress: { done: 0.42, left: 7_300, waiting: "waiting for the target" } });
  expect(page).toContain('<progress max="100" value="42"');
  expect(page).toContain("about 8 s left, waiting for the target");
  expect(pageOf({ isRunning: false })).not.toContain("<progress max");
  const late = pageOf({ progress: { done: 0.1, left: undefined } });
  expect(late).toContain("waiting for responses");
  expect(late).not.toContain(" left<");
});

test("nothing waits for a mistake before the run has ended", () => {
  const whole = runs.nonconformant;
  const waiting = {
    ...whole,
    causes: whole.causes.map((cause) => ({ ...cause, waiting: first(5) })),
  };
  const says = "5 requirements have no verdict";
  expect(pageOf({ run: waiting })).not.toContain(says);
  expect(pageOf({ run: waiting, isRunning: false })).toContain(says);
});

test("nothing says that the target could not be tested before the run has ended", () => {
  const untested = "No valid request succeeded at GET /batches.";
  const said = concluded({}, { untested });
  expect(pageOf({ run: said })).not.toContain(untested);
  expect(pageOf({ run: said, isRunning: false })).toContain(untested);
});

/** The cards of the page in order: the requirement, and the words in place of the level. */
function cardsOf(page: string): readonly string[] {
  return [
    ...page.matchAll(/<span class="names"><b>(.*?)<\/b>.*?<span class="level">(.*?)<\/span>/g),
  ].map(([, id, level]) => `${id} ${level}`);
}

test("a card says that its requirement is being checked, and changes where it stands", () => {
  const whole = runs.nonconformant;
  const ids = whole.requirements.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  const known = { whole, before: knownMistakes(whole) };
  const [one = "OPER-01"] = ids;
  const shown = cardsOf(pageOf({ run: whole, ...known, part: [one], checking: new Set([one]) }));
  const all = cardsOf(pageOf({ run: whole, ...known, isRunning: false }));
  expect(all.length).toBeGreaterThan(1);
  expect(shown).toEqual(all.map((card) => (card.startsWith(one) ? `${one} checking …` : card)));
  const mended = concluded({
    requirements: whole.requirements.map((row) =>
      row.id === one ? { ...row, verdict: "pass" as const, findings: [] } : row,
    ),
  });
  const after = cardsOf(pageOf({ run: mended, ...known, isRunning: false, again: new Set([one]) }));
  expect(after).toEqual(all.map((card) => (card.startsWith(one) ? `${one} mended` : card)));
});
