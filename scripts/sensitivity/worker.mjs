// A child process that runs the suite against one reference server after the other.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requirementIds } from "../../dist/spec/catalogue.js";
import { judged } from "./judged.mjs";
import { createRunner } from "../reference-run.mjs";
import { judgeRecordings } from "../../dist/traffic/recordings/recordings.js";

const { run } = await createRunner();

process.on("message", (job) => {
  rightly(job).then(
    (result) => process.send({ job, ...result }),
    (error) => process.send({ job, crashed: String(error?.stack ?? error) }),
  );
});
process.on("disconnect", () => process.exit());

/** The result of a job. A run of one requirement does not send everything, bad tokens for example: a full one follows. */
async function rightly(job) {
  const result = await measured(job);
  if (job.kind !== "fault" || job.selection === undefined || judged({ job, ...result }).ok) return result;
  return measured({ ...job, selection: undefined, settings: { ...job.settings, fewest: false } });
}

async function measured({ faults = [], variants = [], needs, seed, selection, settings, watch, keepRun }) {
  const entries = [];
  const all = { ...(selection === undefined ? {} : { selection }), seed, ...settings, record: watch === true };
  const result = await run({ faults, variants, needs }, all, { onRecorded: (entry) => entries.push(entry) });
  return {
    ...(keepRun ? { run: { ...result, exchanges: [] } } : {}),
    ...(watch ? { watched: await watched(entries) } : {}),
    ...shortened(result),
  };
}

function shortened(result) {
  const { outcome, summary, error, requests, durationMs, requirements } = result;
  const found = requirements.filter(({ findings }) => findings.length > 0);
  const unsure = requirements.filter(({ verdict }) => verdict === "inconclusive");
  return {
    ...{ outcome, summary, error, requests, durationMs },
    failed: idsOf(result, "fail"),
    warned: idsOf(result, "warn"),
    inconclusive: idsOf(result, "inconclusive"),
    places: Object.fromEntries(
      found.map(({ id, findings }) => [id, [...new Set(findings.map(({ operation }) => operation))]]),
    ),
    findings: found.flatMap(({ id, findings }) =>
      findings.slice(0, 2).map(({ message, expected, actual, curl, operation }) => {
        return { id, message, expected, actual, curl, operation };
      }),
    ),
    reasons: Object.fromEntries(unsure.map(({ id, reason }) => [id, reason])),
  };
}

async function watched(entries) {
  const folder = mkdtempSync(join(tmpdir(), "fxconform-watched-"));
  const path = join(folder, "run.har");
  try {
    writeFileSync(path, `{"log":{"version":"1.2","entries":[${entries.join(",")}]}}`);
    const { run: result } = await judgeRecordings(
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
    return {
      failed: idsOf(result, "fail"),
      warned: idsOf(result, "warn"),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const idsOf = (result, verdict) => result.requirements.filter((row) => row.verdict === verdict).map(({ id }) => id);
