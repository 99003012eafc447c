// A child process that runs the suite against reference servers, one after the other.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requirementIds } from "../../dist/spec/catalogue.js";
import { judged } from "./judged.mjs";
import { runsOf } from "./runs.mjs";
import { halvesOf, speaksForAll } from "./sets.mjs";
import { shownBy } from "./shown.mjs";
import { createRunner } from "../reference-run.mjs";
import { judgeRecordings } from "../../dist/engine/recording/har-file.js";

/**
 * The scenarios that show faults which a run of one requirement does not show, by the ids of the
 * faults.
 */
const shown = shownBy();

const { run } = await createRunner();

process.on("message", (job) => {
  rightly(job).then(
    (result) => process.send(result),
    (error) => process.send({ job, crashed: String(error?.stack ?? error) }),
  );
});
process.on("disconnect", () => process.exit());

/**
 * Runs a job. Resolves to the result of its first run that is right, or else of its last run.
 * `full` is true if the first run was not right.
 */
async function rightly(job) {
  if (job.kind === "behind") return compared(job);
  if (job.kind === "set") return together(job);
  const runs = runsOf(job, shown);
  let result;
  for (const [index, settings] of runs.entries()) {
    result = { ...(await measured({ ...job, ...settings })), full: index > 0 };
    if (judged(result).ok) break;
  }
  return result;
}

/**
 * Runs a server with the fault and without it. Resolves to the result with the fault, and
 * `without`: the run without it.
 */
async function compared(job) {
  const { run: without } = await measured({ ...job, fault: undefined });
  return { ...(await measured(job)), without };
}

/**
 * Runs a server with all variants of a set. If that does not speak for each of them, resolves also
 * to `halves`: the results of the halves of the set, each of which may be halved again.
 */
async function together(job) {
  const result = await measured(job);
  if (speaksForAll(result) || job.kind !== "set") return result;
  const halves = [];
  for (const half of halvesOf(job)) halves.push(await together(half));
  return { ...result, halves };
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
