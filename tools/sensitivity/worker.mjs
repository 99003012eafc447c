// A child process that runs the suite against one reference server after the other.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requirementIds } from "../../dist/spec/catalogue.js";
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

/** The result of a job. A run of one requirement does not send everything, bad tokens for example: a full one follows. */
async function rightly(job) {
  const result = await measured(job);
  if (job.kind === "behind") return { ...result, without: (await measured({ ...job, fault: undefined })).run };
  if (job.kind !== "fault" || job.selection === undefined || judged(result).ok) return result;
  return measured({ ...job, selection: undefined, settings: { ...job.settings, fewest: false } });
}

async function measured(job) {
  const { fault, variants, needs, seed, selection, settings, watch } = job;
  const entries = [];
  const all = { ...(selection && { selection }), seed, ...settings, record: watch === true };
  const events = { onRecorded: (entry) => entries.push(entry) };
  const result = await run({ faults: fault && [fault.id], variants, needs }, all, events);
  return { job, run: shortened(result), ...(watch && { watched: shortened(await watched(entries)) }) };
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
