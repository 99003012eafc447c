import { createRedaction } from "../../model/evidence/redaction.ts";
import { expect, test, vi } from "vitest";
import type { Evidence, RunState, Parcel } from "../../model/evidence/evidence.ts";
import type { RunOptions } from "../../model/run-options.ts";
import { settings, target } from "../../model/testing/target.ts";

import { createRecorder } from "../../model/evidence/recorder.ts";
import { type RunControl, supervised } from "./supervision.ts";
import type { PreparedWorker, WorkerEnd } from "./thread.ts";

const gate = { strict: false, statement: [], baseline: [] } as const;
const usual: RunOptions = { target, settings, ...gate };
const input = {
  target,
  settings,
  runId: "runid234",
  replayCommand: "",
  userAgent: "",
};

/** The evidence of a run that is so far. */
function evidence(more: Partial<RunState>): Evidence {
  const found = createRecorder().evidence();
  return { ...found, progress: { ...found.progress, ...more } };
}
const allDone = { planned: 3, done: 3, isEnded: true };

type Take = (parcel: Parcel) => void;

/** A worker that does this in its run. `calls` has what the worker was told to do. */
function workerThat(run: (take: Take) => Promise<WorkerEnd>) {
  const calls: string[] = [];
  const worker: PreparedWorker = {
    isAlive: () => true,
    run: async (_input, take) => run(take),
    stop: () => void calls.push("stop"),
    end: async () => void calls.push("end"),
  };
  return { worker, calls };
}

function watch(worker: PreparedWorker, options: RunOptions = usual, control: RunControl = {}) {
  return supervised(worker, input, options, control);
}

function runThatTakes(...found: readonly Evidence[]) {
  return workerThat(async (take) => {
    for (const evidence of found) take({ evidence });
    return { errors: [] };
  });
}

test.each([
  ["no scenario began", [], "the run ended after 0 of 0 scenarios"],
  [
    "scenarios are left",
    [evidence({ planned: 3, done: 1, isEnded: true })],
    "the run ended after 1 of 3 scenarios",
  ],
  [
    "the end was not reported",
    [evidence({ planned: 3, done: 3 })],
    "the run ended after 3 of 3 scenarios",
  ],
])("if %s, the run says so", async (_what, found, error) => {
  const { worker } = runThatTakes(...found);
  expect((await watch(worker)).errors).toEqual([error]);
});

test("what is no part of the run is handed on, and each step once", async () => {
  const step = { step: "name", ok: true, found: "1 address" } as const;
  const { worker } = workerThat(async (take) => {
    take({ evidence: evidence({ steps: [step] }), secrets: ["a-long-secret"], har: ["{}"] });
    take({ evidence: evidence({ ...allDone, steps: [step] }) });
    return { errors: [] };
  });
  const told: unknown[] = [];
  await watch(worker, usual, {
    redaction: createRedaction((secret) => void told.push(secret)),
    onRecorded: (entry) => void told.push(entry),
    onStep: ({ found }) => void told.push(found),
  });
  expect(told).toEqual(["a-long-secret", "{}", "1 address"]);
});

test("a worker that does not stop is ended, and then left behind", async () => {
  vi.useFakeTimers();
  const { worker, calls } = workerThat(async () => new Promise<never>(() => undefined));
  const end = watch(worker, usual, { signal: AbortSignal.abort() });
  await vi.advanceTimersByTimeAsync(700);
  vi.useRealTimers();
  await end;
  expect(calls).toEqual(["stop", "end"]);
});

test("a worker that is busy when the time is up is overdue, and that is no internal error", async () => {
  vi.useFakeTimers();
  let die = (_end: WorkerEnd): void => undefined;
  const died = new Promise<WorkerEnd>((resolve) => (die = resolve));
  const { worker, calls } = workerThat(async () => died);
  const { end: endOf } = worker;
  worker.end = async () => {
    die({ errors: ["the thread of the suites died: exit code 1"] });
    await endOf();
  };
  const end = watch(worker, { ...usual, settings: { ...settings, maxTime: 10_000 } });
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  expect(await end).toMatchObject({ errors: [], overdue: expect.stringContaining("within 10 s") });
  expect(calls).toEqual(["stop", "end"]);
});
