// A child process that runs the suite against reference servers, one after the other.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgeRecordings } from "../../dist/engine/recording/har-file.js";
import { requirementIds } from "../../dist/spec/catalogue.js";
import { createRunner } from "../reference-run.mjs";
import { faultOf, membersOf } from "./jobs.mjs";
import { idsOf, wrongIn } from "./judged.mjs";

const { run } = await createRunner();

process.on("message", (job) => {
  resultsOf(job).then(
    (results) => process.send(results),
    (error) => process.send([{ job, crashed: String(error?.stack ?? error) }]),
  );
});
process.on("disconnect", () => process.exit());

/**
 * Resolves to the results of a job. A run of a few requirements does not send everything: if it is
 * not right, wider runs decide. A right run of several legal deviations speaks for each of them;
 * otherwise each runs alone, and the first run counts as well if only it blames something.
 */
async function resultsOf(job) {
  const { ids, wider = [] } = job;
  let result = await measured(job);
  for (const selection of wider)
    if (wrongIn(result) !== undefined) result = await measured({ ...job, selection });
  if (faultOf(job) !== undefined || ids.length < 2) return [result];
  const parts = ids.map((id) => ({ ...job, ids: [id] }));
  if (wrongIn(result) === undefined) return parts.map((part) => ({ ...result, job: part }));
  const results = [];
  for (const part of parts) results.push(await measured(part));
  const isSeparate = results.every((one) => wrongIn(one) === undefined);
  return isSeparate && idsOf(result.run, "fail").length > 0 ? [...results, result] : results;
}

async function measured(job) {
  const { seed, selection, watch } = job;
  const members = membersOf(job);
  const fault = faultOf(job);
  const entries = [];
  const settings = {
    seed,
    record: watch,
    ...(selection && { selection, fewest: true }),
    ...(fault?.needs?.slow && { timeout: 1500 }),
  };
  const server = {
    faults: fault && [fault.id],
    variants: members.filter((one) => one !== fault).map(({ id }) => id),
    needs: Object.assign({}, ...members.map(({ needs }) => needs)),
  };
  const result = await run(server, settings, { onRecorded: (entry) => entries.push(entry) });
  return {
    job,
    run: shortened(result),
    ...(watch && { watched: shortened(await watched(entries)) }),
  };
}

const shortened = (result) => ({ ...result, exchanges: [] });

/** What judging the recording of a run says. */
async function watched(entries) {
  const folder = mkdtempSync(join(tmpdir(), "fxconform-watched-"));
  const path = join(folder, "run.har");
  try {
    writeFileSync(path, `{"log":{"version":"1.2","entries":[${entries.join(",")}]}}`);
    const settings = {
      selection: requirementIds,
      strict: false,
      statement: [],
      baseline: [],
      keepValues: false,
      secretHeaders: [],
      replayCommand: "",
    };
    const files = [{ path, name: "run.har" }];
    return (await judgeRecordings(settings, { files })).run;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
