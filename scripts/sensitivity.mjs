// The matrix: every fault is caught and blamed on what it breaks, every variant and the reference are clean.
//   npm run sensitivity -- --write           full runs against every server, their recordings judged by watching alone, and
//                                            what requests are worth: written to docs/sensitivity.md and docs/worth.md
//   npm run sensitivity -- --only id,id --write
//                                            the same for some servers: adds or replaces their rows
//   npm run sensitivity -- --check           checks of each fault only what it breaks; fails on a miss, on a variant that
//                                            is not clean, and where docs/sensitivity.md lists other servers
//   npm run sensitivity -- --alone           each requirement alone, on the reference: passes
//   npm run sensitivity -- --random 50       random sets of variants: clean, and caught with a random fault
//   npm run sensitivity -- --check --kind fault --seeds 20 --write
//                                            each fault under 20 seeds, into the table of seeds of that page
//   npm run sensitivity -- --worth           which requests catch a fault that no others catch, written to docs/worth.md;
//                                            with --sample 60 for so many faults, drawn with --seed
//   npm run sensitivity -- --watching --only id,id
//                                            what a recording of the run shows to `fxconform judge`
//   npm run sensitivity -- --only id,id --verbose --seeds 50
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { faults } from "../dist/reference/faults/index.js";
import { requirementIds, requirementOf } from "../dist/spec/catalogue.js";
import { variants } from "../dist/reference/variants/index.js";
import { randomJobs } from "./sensitivity/combinations.mjs";
import { caughtOf, judged } from "./sensitivity/judged.mjs";
import { measureAll } from "./sensitivity/pool.mjs";
import { watchedCell } from "./sensitivity/watching.mjs";
import { worthPage } from "./sensitivity/worth.mjs";
import { listedIn, pageOf, withResults, withSeeds } from "./sensitivity/page.mjs";

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    random: { type: "string" },
    worth: { type: "boolean", default: false },
    watching: { type: "boolean", default: false },
    sample: { type: "string" },
    alone: { type: "boolean", default: false },
    only: { type: "string" },
    kind: { type: "string" },
    seeds: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    processes: { type: "string", default: String(availableParallelism()) },
    verbose: { type: "boolean", default: false },
    json: { type: "string" },
  },
});

const page = new URL("../docs/sensitivity.md", import.meta.url);
const only = values.only?.split(",");
const wanted = (job) =>
  (only === undefined || only.includes(job.id)) && (values.kind === undefined || values.kind === job.kind);
if (values.write && (values.alone || values.random !== undefined || (values.check && values.seeds === "1")))
  refuse("--write needs full runs of faults and variants, or several --seeds.");
/** One full run of every server: all of the pages can be written from it. */
const isWhole =
  values.write && !values.check && only === undefined && values.kind === undefined && values.seeds === "1";
const isWatched = isWhole || values.watching;
const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => Number(values.seed) + i * 7919);

const jobsFor = (seed) =>
  [
    { id: "reference", kind: "variant" },
    ...variants
      // Slow ones take up to a minute and a half each: not in a check that runs with every change.
      .filter(({ needs }) => !(values.check && needs?.slow))
      .map(({ id, needs }) => ({ id, kind: "variant", variants: [id], needs })),
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
    .map((job) => ({ ...job, seed, watch: isWatched }));

/** Each requirement alone on the server that obeys: what `--only` runs. */
const aloneJobs = (seed) =>
  requirementIds
    .map((id) => ({ id, kind: "alone", selection: [id], settings: { fewest: true } }))
    .filter(wanted)
    .map((job) => ({ ...job, seed }));

/** `n` of them, spread over the list. */
const drawn = (list, n, seed) => list.filter((_, index) => (index * 7919 + seed * 104_729) % list.length < n);

/** Jobs that mostly wait start first, so that the others run meanwhile. */
const waits = ({ needs, settings }) => (needs?.slow || settings?.timeout !== undefined ? 0 : 1);
const jobs = (
  values.worth
    ? worthJobs()
    : values.random === undefined
      ? seeds.flatMap(values.alone ? aloneJobs : jobsFor)
      : randomJobs(Number(values.random), Number(values.seed), { faults, variants })
).sort((a, b) => waits(a) - waits(b));
const unmatched = only?.filter((id) => values.random === undefined && !jobs.some((job) => job.id === id)) ?? [];
if (unmatched.length > 0) refuse(`Nothing to run is named ${unmatched.join(", ")}.`);

let count = 0;
const measured = await measureAll(jobs, {
  processes: Number(values.processes),
  limit: isWatched ? 400_000 : 240_000,
  onResult: (result) => {
    count += 1;
    const verdict = judged(result);
    if ((!verdict.ok && !isNarrow(result)) || values.verbose) console.log(lineOf(result, verdict));
    if (isWatched && isWrongWhenWatched(result)) console.log(watchedLineOf(result));
    if (values.verbose) console.log(JSON.stringify({ findings: result.findings, reasons: result.reasons }, null, 1));
    if (count % 50 === 0) console.error(`${count} of ${jobs.length}`);
  },
});

// Some faults show only in what a narrow selection does not send, such as bad tokens. For those a full run follows.
const missed = measured
  .filter((result) => isNarrow(result) && !judged(result).ok)
  .map(({ job }) => ({ ...job, selection: undefined, settings: { ...job.settings, fewest: false } }));
const again = await measureAll(missed, {
  processes: Number(values.processes),
  limit: 240_000,
  onResult: (result) => void (judged(result).ok || console.log(lineOf(result, judged(result)))),
});
const results = [...measured.filter((result) => !isNarrow(result) || judged(result).ok), ...again];

if (values.worth || isWhole) await writePage("worth", worthPage(results, faults.length));
if (values.json) writeFileSync(values.json, JSON.stringify(results));
if (values.write) {
  const now = readFileSync(page, "utf8");
  const text =
    seeds.length > 1
      ? withSeeds(now, results)
      : isWhole
        ? pageOf(results, now)
        : withResults(now, results, { faults, variants });
  await writePage("sensitivity", text);
}
const wrong = results.filter((result) => !judged(result).ok).length;
const unlisted = values.check && only === undefined ? listedIn(readFileSync(page, "utf8"), { faults, variants }) : [];
for (const text of unlisted) console.log(text);
console.log(summaryOf(results, wrong));
process.exitCode = wrong + unlisted.length === 0 ? 0 : 1;

/** The reference server, and full runs of the faults. */
function worthJobs() {
  const [reference, ...all] = jobsFor(seeds[0]).filter(({ id, kind }) => id === "reference" || kind === "fault");
  return [reference, ...drawn(all, Number(values.sample ?? all.length), seeds[0])];
}

async function writePage(name, text) {
  const path = new URL(`../docs/${name}.md`, import.meta.url);
  writeFileSync(path, await format(text, { parser: "markdown", printWidth: 120 }));
}

function isWrongWhenWatched(result) {
  return watchedCell(result) !== (result.job.kind === "fault" ? "caught" : "clean");
}

function watchedLineOf({ job, watched }) {
  const { failed = [], warned = [], findings = [] } = watched ?? {};
  const shown =
    job.kind === "variant" ? findings.map(({ id, message, actual }) => `\n  ${id} ${message} ${actual}`) : [];
  return `watched ${job.kind} ${job.id} ${job.breaks ?? ""}: ${[...failed, ...warned].join(" ") || "nothing"}${shown.join("")}`;
}

/** Ends the process, as wrong usage does. */
function refuse(problem) {
  console.error(problem);
  process.exit(2);
}

function isNarrow({ job }) {
  return job.kind === "fault" && job.selection !== undefined;
}

function lineOf({ job, requests, durationMs }, { ok, why = "" }) {
  return `${ok ? "right" : "WRONG"} ${job.kind} ${job.id} · seed ${job.seed} · ${requests} requests · ${durationMs} ms ${why}`;
}

function summaryOf(all, bad) {
  const of = (kind) => all.filter(({ job }) => job.kind === kind);
  const right = (rows) => rows.filter((row) => judged(row).ok).length;
  const requests = all.map((row) => row.requests ?? 0).sort((a, b) => a - b);
  const count = (kind, text) => (of(kind).length === 0 ? [] : [text(of(kind))]);
  return [
    ...count(
      "fault",
      (rows) => `${caughtOf(rows).length} of ${rows.length} faults caught, ${right(rows)} rightly blamed`,
    ),
    ...count("variant", (rows) => `${right(rows)} of ${rows.length} variants clean`),
    ...count("alone", (rows) => `${right(rows)} of ${rows.length} requirements pass alone`),
    `median ${requests[Math.floor(requests.length / 2)] ?? 0} requests a run`,
    bad === 0 ? "all right" : `${bad} wrong`,
  ].join("; ");
}
