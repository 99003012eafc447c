import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { faults } from "../dist/reference/faults/index.js";
import { requirementIds, requirementOf } from "../dist/spec/catalogue.js";
import { variants } from "../dist/reference/variants/index.js";
import { commandLine, refuse, wholeNumber } from "./command-line.mjs";
import { writeParts } from "./documents/markdown.mjs";
import { median } from "./numbers.mjs";
import { randomJobs } from "./sensitivity/combinations.mjs";
import { caughtOf, judged } from "./sensitivity/judged.mjs";
import { measureAll } from "./sensitivity/pool.mjs";
import { comparisonOf } from "../dist/cli/runs/comparison.js";
import { partsOf } from "./sensitivity/page.mjs";

const usage = `
Usage: npm run sensitivity -- [options]

Runs the suite against the reference server with each fault and each variant. A fault has to be found and blamed on the
requirement that it breaks; a variant has to pass. Exits with 1 if a result is wrong.

What to run (default: full runs of all faults and variants):
  --check           faster: checks of each fault only the requirement that it breaks, and leaves out slow variants
  --alone           each requirement alone, on the reference server, which has to pass
  --random <n>      n random sets of variants, and each of them with a random fault

Which of these:
  --only <ids>      faults, variants, or requirements with --alone; "reference" is the server without either
  --kind <kind>     fault or variant
  --seed <n>        the first seed, which also draws --random (default: 1)
  --seeds <n>       runs everything with n seeds (default: 1); a variant has to get the same answers with each of them

What to do with the results:
  --write           records each run too, and writes the tables of docs/sensitivity.md: only for all faults and variants
  --watching        records each run and prints every result, with what judging the recording blames
  --verbose         prints every result, with its findings
  --processes <n>   runs at once (default: one for each core)
  --help
`;
const values = commandLine(usage, (args) => {
  const { values: given } = parseArgs({
    args,
    options: {
      check: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      random: { type: "string" },
      watching: { type: "boolean", default: false },
      alone: { type: "boolean", default: false },
      only: { type: "string" },
      kind: { type: "string" },
      seeds: { type: "string", default: "1" },
      seed: { type: "string", default: "1" },
      processes: { type: "string", default: String(availableParallelism()) },
      verbose: { type: "boolean", default: false },
    },
  });
  const numbers = ["random", "seeds", "seed", "processes"].filter((name) => given[name] !== undefined);
  if (given.kind !== undefined && !["fault", "variant"].includes(given.kind))
    throw new Error("--kind needs fault or variant");
  const isPartial = given.check || given.alone || [given.random, given.only, given.kind].some(Boolean);
  if (given.write && (isPartial || given.seeds !== "1"))
    throw new Error("--write needs full runs of all faults and variants, with one seed");
  return { ...given, ...Object.fromEntries(numbers.map((name) => [name, wholeNumber(given, name)])) };
});

const only = values.only?.split(",");
const wanted = (job) =>
  (only === undefined || only.includes(job.id)) && (values.kind === undefined || values.kind === job.kind);
const isWatched = values.write || values.watching;
const seeds = Array.from({ length: values.seeds }, (_, i) => values.seed + i * 7919);

const jobsFor = (seed) =>
  [
    { id: "reference", kind: "variant" },
    ...variants
      // A slow one takes up to a minute and a half.
      .filter(({ needs }) => !(values.check && needs?.slow))
      .map(({ id, needs, rare }) => ({ id, kind: "variant", variants: [id], needs, rare })),
    ...faults.map(({ id, breaks, operation, also = [], needs, slow }) => ({
      id,
      kind: "fault",
      faults: [id],
      needs,
      breaks,
      area: requirementOf(breaks).area,
      operation,
      also,
      settings: { ...(slow ? { timeout: 1500 } : {}), ...(values.check ? { fewest: true } : {}) },
      ...(values.check ? { selection: [breaks] } : {}),
    })),
  ]
    .filter(wanted)
    .map((job) => ({ ...job, seed, watch: isWatched, keepRun: values.seeds > 1 && job.kind === "variant" }));

/** A run of each requirement alone, as `fxconform run --only` does it, on the reference server. */
const aloneJobs = (seed) =>
  requirementIds
    .map((id) => ({ id, kind: "alone", selection: [id], settings: { fewest: true } }))
    .filter(wanted)
    .map((job) => ({ ...job, seed }));

/** Sorts jobs that mostly wait first, so that the others run meanwhile. */
const waits = ({ needs, settings }) => (needs?.slow || settings?.timeout !== undefined ? 0 : 1);
const jobs = (
  values.random === undefined
    ? seeds.flatMap(values.alone ? aloneJobs : jobsFor)
    : randomJobs(values.random, values.seed, { faults, variants })
).sort((a, b) => waits(a) - waits(b));
const unmatched = only?.filter((id) => values.random === undefined && !jobs.some((job) => job.id === id)) ?? [];
if (unmatched.length > 0) refuse(`Nothing to run is named ${unmatched.join(", ")}`);

let count = 0;
const results = await measureAll(jobs, {
  processes: values.processes,
  limit: isWatched ? 400_000 : 240_000,
  onResult: (result) => {
    count += 1;
    const verdict = judged(result);
    if (values.verbose || values.watching || !verdict.ok) console.log(lineOf(result, verdict));
    if (values.verbose) console.log(JSON.stringify({ findings: result.findings, reasons: result.reasons }, null, 1));
    if (count % 50 === 0) console.error(`${count} of ${jobs.length}`);
  },
});

const unsteady = differencesOf(results);
for (const text of unsteady) console.log(text);
if (values.write) await writeParts("sensitivity.md", partsOf(results));
const wrong = results.filter((result) => !judged(result).ok).length;
console.log(summaryOf(results, wrong));
process.exitCode = wrong + unsteady.length === 0 ? 0 : 1;

/** Verdicts and answers of one legal server that differ between seeds: a statement of one would not hold with the other. */
function differencesOf(all) {
  const runs = all.flatMap(({ run, job }) => (run === undefined ? [] : [{ run, id: job.id }]));
  return runs.flatMap(({ run, id }, index) => {
    const first = runs.find((one) => one.id === id);
    if (first === runs[index]) return [];
    const { verdicts, answers } = comparisonOf(first.run, run);
    const where = `DIFFERS variant ${id} · seeds ${first.run.seed} and ${run.seed}:`;
    return [...verdicts, ...answers].map((one) => `${where} ${JSON.stringify(one)}`);
  });
}

function lineOf({ job, requests, durationMs, watched }, { ok, why = "" }) {
  const blamed = watched && ` watched: ${[...watched.failed, ...watched.warned].join(" ") || "nothing"}`;
  return `${ok ? "right" : "WRONG"} ${job.kind} ${job.id} · seed ${job.seed} · ${requests} requests · ${durationMs} ms ${why}${blamed ?? ""}`;
}

function summaryOf(all, bad) {
  const of = (kind) => all.filter(({ job }) => job.kind === kind);
  const right = (rows) => rows.filter((row) => judged(row).ok).length;
  const count = (kind, text) => (of(kind).length === 0 ? [] : [text(of(kind))]);
  return [
    ...count(
      "fault",
      (rows) => `${caughtOf(rows).length} of ${rows.length} faults caught, ${right(rows)} rightly blamed`,
    ),
    ...count("variant", (rows) => `${right(rows)} of ${rows.length} variants clean`),
    ...count("alone", (rows) => `${right(rows)} of ${rows.length} requirements pass alone`),
    `median ${median(all.map((row) => row.requests ?? 0))} requests a run`,
    bad === 0 ? "all right" : `${bad} wrong`,
  ].join("; ");
}
