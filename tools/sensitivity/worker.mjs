// A child process that runs the suite against one reference server after the other.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endpoints } from "../../dist/spec/endpoints.js";
import { catalogue, requirementIds } from "../../dist/spec/catalogue.js";
import { judged } from "./judged.mjs";
import { createRunner } from "../reference-run.mjs";
import { judgeRecordings } from "../../dist/engine/recording/har-file.js";

const { run } = await createRunner();

process.on("message", (job) => {
  rightly(job).then(
    (result) => process.send(result),
    (error) => process.send({ job, crashed: String(error?.stack ?? error) }),
  );
});
process.on("disconnect", () => process.exit());

/** The result of a job: of the first of its runs that is right, or else of the last one. */
async function rightly(job) {
  if (job.kind === "behind") return compared(job);
  let result;
  for (const settings of runsOf(job)) {
    result = await measured({ ...job, ...settings });
    if (judged(result).ok) break;
  }
  return result;
}

/** The run with the fault, and the one without it. */
async function compared(job) {
  const { run: without } = await measured({ ...job, fault: undefined });
  return { ...(await measured(job)), without };
}

/**
 * What each run of a job is started with. A run of one requirement does not send everything: a full
 * one follows.
 */
function runsOf({ kind, selection, settings, fault, today }) {
  if (selection === undefined) return [{}];
  // What is missed is not asked for again in full.
  if (kind === "blind") return today === "missed" ? [{}] : [{}, full(settings)];
  if (kind !== "fault") return [{}];
  return [{ selection: widened(selection, fault) }, full(settings)];
}

function full(settings) {
  return { selection: undefined, settings: { ...settings, fewest: false } };
}

/**
 * What holds of every response seldom shows in few requests: all requirements of the endpoint are
 * asked.
 */
function widened(selection, { breaks, operation }) {
  if (catalogue[breaks].area !== "transport" || operation === undefined) return selection;
  const { area } = catalogue[endpoints[operation].errorShape];
  return [...selection, ...requirementIds.filter((id) => catalogue[id].area === area)];
}

async function measured(job) {
  const { fault, variants, needs, seed, selection, settings, watch } = job;
  const entries = [];
  const all = { ...(selection && { selection }), seed, ...settings, record: watch === true };
  const events = { onRecorded: (entry) => entries.push(entry) };
  const result = await run({ faults: fault && [fault.id], variants, needs }, all, events);
  return {
    job,
    run: shortened(result),
    ...(watch && { watched: shortened(await watched(entries)) }),
  };
}

const shortened = (result) => ({ ...result, exchanges: [] });

async function watched(entries) {
  const folder = mkdtempSync(join(tmpdir(), "fxconform-watched-"));
  const path = join(folder, "run.har");
  try {
    writeFileSync(path, `{"log":{"version":"1.2","entries":[${entries.join(",")}]}}`);
    const { run: judgedRun } = await judgeRecordings(
      {
        selection: requirementIds,
        strict: false,
        statement: [],
        baseline: [],
        keepValues: false,
        secretHeaders: [],
        replayCommand: "",
      },
      { files: [{ path, name: "run.har" }] },
    );
    return judgedRun;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
