import { describe, expect, test } from "vitest";
import type { RunState } from "../../model/evidence/evidence.ts";
import { createRecorder, type Recorder } from "../../model/evidence/recorder.ts";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import type { Run } from "../../model/run.ts";
import { settings, target } from "../../model/testing/target.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { runOf, type RunEnd } from "./run-of.ts";

/** Something that a run notes. */
type Note = (recorder: Recorder) => Partial<RunState> | void;

function runFrom(notes: readonly Note[], end: Partial<RunEnd> = {}): Run {
  const recorder = createRecorder();
  const progress = Object.assign({}, ...notes.map((note) => note(recorder) ?? {})) as object;
  const found = recorder.evidence();
  const evidence = { ...found, progress: { ...found.progress, ...progress } };
  const options = { target, settings, strict: false, statement: [], baseline: [] };
  return runOf(options, evidence, {
    began: {
      runId: "runid234",
      version: "1.2.3",
      startedAt: "2026-01-02T03:04:05.000Z",
      today: "2026-01-02",
    },
    errors: [],
    interrupted: false,
    ...end,
  });
}

const rowOf = (run: Run, id: RequirementId) => run.requirements.find((row) => row.id === id);

function progress(more: Partial<RunState>): Note {
  return () => more;
}
function openFor(requirement: RequirementId): Note {
  return (recorder) => recorder.inconclusive(requirement, "unsure");
}
const unsure = openFor("OPER-02");
const judged: Note = (recorder) =>
  recorder.holds(["OPER-02"], { ...exchangeOf("createOperation", { id: 7 }), scenario: "a" });

test("an operation at which no valid request succeeded is named", () => {
  const planned: Note = (recorder) => recorder.progress.plan(1, ["createBatch"]);
  expect(runFrom([judged, planned]).summary).toContain(
    "No valid request succeeded at POST /batches",
  );
});

describe("why the target could not be tested", () => {
  const found = { found: "ECONNREFUSED", advice: "Is it running?" };
  const unreachable = progress({
    steps: [{ step: "connection", ok: false, stops: true, ...found }],
  });
  const lost: Note = (recorder) => recorder.note("untestable", "gone");

  test.each<[string, readonly Note[], Partial<RunEnd>, RegExp]>([
    ["the preflight", [unreachable, lost], {}, /ECONNREFUSED\. Is it running\?$/],
    [
      "its bound",
      [lost],
      { overdue: "the run took longer than its bound of 9 s" },
      /longer than its bound of 9 s$/,
    ],
  ])("%s: a reason for every requirement, after its own", (_, evidence, end, reason) => {
    const run = runFrom([unsure, ...evidence], end);
    expect(run).toMatchObject({ outcome: "inconclusive", summary: expect.stringMatching(reason) });
    expect(rowOf(run, "OPER-01")?.reason).toMatch(reason);
    expect(rowOf(run, "OPER-02")?.reason).toBe("unsure");
  });

  test("an interruption is a reason, and no fault of the target", () => {
    const run = runFrom([], { interrupted: true });
    expect([run.outcome, rowOf(run, "OPER-01")?.reason]).toEqual([
      "interrupted",
      "the run was interrupted",
    ]);
  });
});

test("an operation that had no time to succeed is no mistake of a server", () => {
  const planned: Note = (recorder) => recorder.progress.plan(1, ["createToken"]);
  const silent = [judged, planned];
  expect(runFrom(silent).causes).toHaveLength(1);
  expect(runFrom(silent, { interrupted: true }).causes).toEqual([]);
});

test("errors of fxconform: the first is the outcome, further ones are warnings, a line each", () => {
  const run = runFrom([judged], {
    errors: ["Error: one\n    at here", "Error: two\n    at there"],
  });
  expect(run).toMatchObject({ outcome: "error", error: "Error: one\n    at here" });
  expect(run.warnings).toContain("A further error of fxconform: Error: two");
});
