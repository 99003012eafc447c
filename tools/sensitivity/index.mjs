import { availableParallelism } from "node:os";
import { Command, Option } from "commander";
import { faults } from "../../dist/reference/faults/index.js";
import { requirementIds } from "../../dist/spec/catalogue.js";
import { variants } from "../../dist/reference/variants/index.js";
import { median, wholeNumber } from "../numbers.mjs";
import { writeParts } from "../documents/markdown.mjs";
import { blindJobs, blindSummary, keepResults } from "./blind.mjs";
import { randomJobs } from "./combinations.mjs";
import { caughtOf, idsOf, judged } from "./judged.mjs";
import { adviceOn } from "./names.mjs";
import { measureAll } from "./pool.mjs";
import { comparisonOf } from "../../dist/cli/runs/comparison.js";
import { partsOf } from "./page.mjs";
import { resultsOf, setJobs, whyHalved } from "./sets.mjs";
import { keepShown } from "./shown.mjs";

const program = new Command("npm run sensitivity --")
  .description(
    "Runs the suite against the reference server with each fault and each variant: all of them, in full, unless options say otherwise. A fault has to be found and blamed on the requirement that it breaks; a variant has to pass. Exits with 1 if a result is wrong.",
  )
  .optionsGroup("What to run:")
  .option(
    "--check",
    "faster: checks of each fault only the requirement that it breaks, or those of its endpoint; leaves out slow variants, and runs the others in sets, which are halved where they do not show that each is clean",
  )
  .option("--alone", "each requirement alone, on the reference server, which has to pass")
  .option(
    "--random <n>",
    "n random sets of variants, and each of them before and beside a random fault",
    wholeNumber,
  )
  .option(
    "--blind",
    "the blind set: keeps what full runs make of it in tools/sensitivity/blind.json; with --check, asks by narrow runs and a sample (--seed) whether that still holds",
  )
  .option(
    "--gate",
    "what has to hold with every change, in one go: --check of the catalogue and of the blind set, --alone, and --random 6; --seed draws the sets of variants and the legal servers of the blind set alone",
  )
  .optionsGroup("Which of these:")
  .option(
    "--only <ids>",
    'faults, variants, or requirements, of which all faults run that break one (with --alone the requirements themselves); "reference" is the server without either',
  )
  .addOption(new Option("--kind <kind>", "one of them").choices(["fault", "variant"]))
  .option("--seed <n>", "the first seed, which also draws --random", wholeNumber, 1)
  .option(
    "--seeds <n>",
    "runs with n seeds; a variant has to get the same answers with each of them",
    wholeNumber,
    1,
  )
  .optionsGroup("What to do with the results:")
  .option("--write", "records each run too, and writes the tables of docs/sensitivity.md")
  .option("--every <n>", "with --write: each nth fault and variant alone", wholeNumber, 1)
  .option(
    "--watching",
    "records each run and prints every result, with what judging the recording blames",
  )
  .option(
    "--keep-shown",
    "with --check: keeps which scenario shows a fault that only a full run has found, so that the next check needs no full run",
  )
  .option("--verbose", "prints every result, with its findings")
  .option("--processes <n>", "runs at once", wholeNumber, availableParallelism())
  .parse();
const values = program.opts();
const { check, alone, random, kind, blind, gate } = values;
if (
  values.write &&
  (values.seeds > 1 || [check, alone, random, blind, gate, values.only, kind].some(Boolean))
)
  program.error("--write needs full runs of all faults and variants, with one seed");

if (values.every > 1 && !values.write)
  program.error("--every draws the sample of --write: give both");

const only = values.only?.split(",");
/** The names by which --only finds a job: its id, and the requirement that its fault breaks. */
function namesOf({ id, fault, members = [] }) {
  return [id, ...(fault === undefined ? [] : [fault.breaks]), ...members.flatMap(namesOf)];
}
function wanted(job) {
  return (
    (only === undefined || namesOf(job).some((name) => only.includes(name))) &&
    (values.kind === undefined || values.kind === job.kind)
  );
}
const isWatched = values.write || values.watching;
const seeds = Array.from({ length: values.seeds }, (_, i) => values.seed + i * 7919);

function catalogueJobs(seed, isQuick) {
  return [
    { id: "reference", kind: "variant" },
    ...variants
      // A run against a slow server takes up to a minute and a half.
      .filter(({ needs }) => !(isQuick && needs?.slow))
      .map(({ id, needs, rare }) => ({ id, kind: "variant", variants: [id], needs, rare })),
    ...faults.map((fault) => ({
      id: fault.id,
      kind: "fault",
      fault,
      needs: fault.needs,
      settings: { ...(fault.slow && { timeout: 1500 }), ...(isQuick && { fewest: true }) },
      ...(isQuick && { selection: [fault.breaks] }),
    })),
  ]
    .filter(wanted)
    .map((job) => ({ ...job, seed, watch: isWatched }));
}

/** Runs of each requirement alone on the reference server, as `fxconform run --only` does it. */
function aloneJobs(seed) {
  return requirementIds
    .map((id) => ({ id, kind: "alone", selection: [id], settings: { fewest: true } }))
    .filter(wanted)
    .map((job) => ({ ...job, seed }));
}

/** The jobs of --check, whose variants run in sets that `draw` draws. */
function checkJobs(seed, draw) {
  const all = catalogueJobs(seed, true);
  const of = (kind) => all.filter((job) => job.kind === kind);
  return [...setJobs(of("variant"), draw), ...of("fault")];
}

/** The jobs of --gate, which must be right with every change. */
function gateJobs() {
  return [
    ...checkJobs(1, values.seed),
    ...blindJobs({ check: true, only, sample: values.seed }),
    ...aloneJobs(1),
    ...randomJobs(6, 1, { faults, variants }),
  ];
}

function chosenJobs() {
  if (gate) return gateJobs();
  if (blind) return blindJobs({ check, only, sample: values.seed });
  if (random !== undefined) return randomJobs(random, values.seed, { faults, variants });
  if (alone) return seeds.flatMap(aloneJobs);
  // With several seeds, the answers of each variant are compared; a recording is that of one variant.
  const inSets = check && seeds.length === 1 && !isWatched;
  return inSets
    ? checkJobs(values.seed, values.seed)
    : seeds.flatMap((seed) => catalogueJobs(seed, check));
}

const jobs = chosenJobs().filter((_, index) => index % values.every === 0);
const known = new Set(jobs.flatMap(namesOf));
const unmatched = random === undefined ? (only ?? []).filter((name) => !known.has(name)) : [];
for (const name of unmatched) {
  program.error(`Nothing to run is named ${name}. ${adviceOn(name, values)}`);
}

let count = 0;
const measured = await measureAll(jobs, {
  processes: values.processes,
  limit: isWatched ? 400_000 : 240_000,
  onResult: (result) => {
    count += 1;
    for (const each of resultsOf(result)) print(each);
    if (count % 50 === 0) console.error(`${count} of ${jobs.length}`);
  },
});

const results = measured.flatMap(resultsOf);
const unsteady =
  values.seeds > 1 ? differencesOf(results.filter(({ job }) => job.kind === "variant")) : [];
for (const text of unsteady) console.log(text);
if (values.write) await writeParts("sensitivity.md", partsOf(results, values.every));
if (values.keepShown) keepShown(results);
// The results of full runs of the blind set are kept, whatever they show.
const isKept = blind && !check && !gate;
if (isKept) keepResults(results);
const wrong = results.filter((result) => !judged(result).ok).length;
console.log(summaryOf(results, wrong));
for (const set of measured.filter(({ halves }) => halves !== undefined))
  console.log(`halved: ${set.job.id}, because of ${whyHalved(set)}`);
process.exitCode = isKept || wrong + unsteady.length === 0 ? 0 : 1;

function print(result) {
  const verdict = judged(result);
  if (values.verbose || values.watching || !verdict.ok) console.log(lineOf(result, verdict));
  if (values.verbose) console.log(JSON.stringify(result.run?.requirements.filter(isTold), null, 1));
}

/**
 * Says which verdicts and answers of a legal server differ between seeds. A statement made with one
 * seed would not hold with another.
 */
function differencesOf(all) {
  return all.flatMap(({ run, job: { id } }) => {
    const first = all.find(({ job }) => job.id === id);
    if (run === undefined || first.run === undefined) return [];
    const { verdicts, answers } = comparisonOf(first.run, run);
    const where = `DIFFERS variant ${id} · seeds ${first.run.seed} and ${run.seed}:`;
    return [...verdicts, ...answers].map((one) => `${where} ${JSON.stringify(one)}`);
  });
}

/**
 * Whether --verbose prints the result of a requirement. It does not if the requirement holds or was
 * left out.
 */
function isTold({ verdict }) {
  return verdict !== "pass" && verdict !== "skip";
}

function lineOf({ job, run, watched }, { ok, why = "" }) {
  const blamed = watched && ` watched: ${idsOf(watched, "fail", "warn").join(" ") || "nothing"}`;
  return `${ok ? "right" : "WRONG"} ${job.kind} ${job.id} · seed ${job.seed} · ${run?.requests} requests · ${run?.durationMs} ms ${why}${blamed ?? ""}`;
}

function summaryOf(all, bad) {
  const of = (kind) => all.filter(({ job }) => job.kind === kind);
  const right = (rows) => rows.filter((row) => judged(row).ok).length;
  const count = (kind, text) => (of(kind).length === 0 ? [] : [text(of(kind))]);
  return [
    ...count(
      "fault",
      (rows) =>
        `${caughtOf(rows).length} of ${rows.length} faults caught, ${right(rows)} rightly blamed`,
    ),
    ...count("variant", (rows) => `${right(rows)} of ${rows.length} variants clean`),
    ...count("blind", blindSummary),
    ...count(
      "behind",
      (rows) => `${right(rows)} of ${rows.length} servers hide no fault behind open requirements`,
    ),
    ...count("alone", (rows) => `${right(rows)} of ${rows.length} requirements pass alone`),
    `median ${median(all.map(({ run }) => run?.requests ?? 0))} requests a run`,
    bad === 0 ? "all right" : `${bad} wrong`,
  ].join("; ");
}
