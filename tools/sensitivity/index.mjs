import { availableParallelism } from "node:os";
import { Command, InvalidArgumentError } from "commander";
import { suggestion } from "../../dist/settings/problem.js";
import { rewrite, withParts } from "../documents/markdown.mjs";
import {
  aloneJobs,
  faultOf,
  fullJobs,
  membersOf,
  nameOf,
  quickJobs,
  randomJobs,
  seedJobs,
} from "./jobs.mjs";
import { isCaught, wrongIn } from "./judged.mjs";
import { partsOf } from "./page.mjs";
import { measureAll } from "./pool.mjs";

const program = new Command("npm run sensitivity --")
  .description(
    "Runs the suite against the reference server with each deviation: in full, unless options say otherwise. A fault has to be blamed on the requirement that it breaks, and on nothing else; a legal server has to conform. Exits with 1 if a result is wrong.",
  )
  .option(
    "--check",
    "faster: runs what each fault breaks, and more if that does not show it; puts legal deviations together on servers, and leaves out slow ones",
  )
  .option("--alone", "each requirement alone, on the reference server")
  .option(
    "--random <n>",
    "n random legal servers, and n random faults on such servers",
    wholeNumber,
  )
  .option("--seeds", "a few faults, others each day, with five seeds each")
  .option("--gate", "what has to hold with every change: --check, --alone and --random 6")
  .option(
    "--only <ids>",
    'of these, the deviations or requirements with these ids; "reference" is the server without deviations',
  )
  .option("--seed <n>", "the seed of full runs, and of what is drawn", wholeNumber, 1)
  .option("--write", "records each run too, and writes the tables of docs/sensitivity.md")
  .option("--verbose", "prints every result, with its findings")
  .option("--processes <n>", "runs at once", wholeNumber, availableParallelism())
  .parse();
const { check, alone, random, seeds, gate, only, seed, write, verbose, processes } = program.opts();
if (write && [check, alone, random, seeds, gate, only].some(Boolean))
  program.error("--write needs full runs of all deviations");

/** Reads the value of an option that takes a whole number above 0. Throws for any other text. */
function wholeNumber(text) {
  if (!/^[1-9]\d*$/.test(text))
    throw new InvalidArgumentError("It needs a whole number of at least 1.");
  return Number(text);
}

function chosenJobs() {
  if (gate) return [...quickJobs(seed), ...aloneJobs(1), ...randomJobs(6, seed)];
  if (random !== undefined) return randomJobs(random, seed);
  if (alone) return aloneJobs(seed);
  if (seeds) return seedJobs(Math.floor(Date.now() / 86_400_000));
  return check ? quickJobs(seed) : fullJobs(seed);
}

/** The names by which --only finds a job. */
function namesOf(job) {
  const linked = membersOf(job).flatMap(({ breaks, near }) => [breaks, near]);
  return [nameOf(job), ...job.ids, ...linked].filter(Boolean);
}

/** Of legal deviations on one server, those that --only names. */
function wantedOf(job) {
  const named = membersOf(job)
    .filter(({ id, near }) => wanted?.includes(id) || wanted?.includes(near))
    .map(({ id }) => id);
  return faultOf(job) === undefined && named.length > 0 ? named : job.ids;
}

const all = chosenJobs();
const wanted = only?.split(",");
const names = new Set(all.flatMap(namesOf));
for (const name of wanted ?? [])
  if (!names.has(name))
    program.error(`Nothing to run is named ${name}. ${suggestion(name, [...names]) ?? ""}`);
const jobs = all
  .filter((job) => wanted === undefined || namesOf(job).some((name) => wanted.includes(name)))
  .map((job) => ({ ...job, ids: wantedOf(job), watch: write }));

let count = 0;
const results = await measureAll(jobs, {
  processes,
  limit: write ? 400_000 : 240_000,
  onResults: (own) => {
    count += 1;
    for (const result of own) print(result);
    if (count % 50 === 0) console.error(`${count} of ${jobs.length}`);
  },
});
if (write) await rewrite("docs/sensitivity.md", (page) => withParts(page, partsOf(results)));
const wrong = results.filter((result) => wrongIn(result) !== undefined);
console.log(summaryOf());
process.exitCode = wrong.length === 0 ? 0 : 1;

function print(result) {
  const why = wrongIn(result);
  if (why === undefined && !verbose) return;
  const { job, run } = result;
  const size = `${run?.requests} requests · ${run?.durationMs} ms`;
  console.log(
    `${why ? "WRONG" : "right"} ${nameOf(job)} · seed ${job.seed} · ${size} ${why ?? ""}`,
  );
  const isTold = ({ verdict }) => verdict !== "pass" && verdict !== "skip";
  if (verbose) console.log(JSON.stringify(run?.requirements.filter(isTold), null, 1));
}

function summaryOf() {
  const right = (rows) => rows.filter((row) => wrongIn(row) === undefined).length;
  const faults = results.filter(({ job }) => faultOf(job) !== undefined);
  const single = results.filter(({ job }) => job.alone !== undefined);
  const legal = results.filter((row) => !faults.includes(row) && !single.includes(row));
  return [
    faults.length > 0 &&
      `${faults.filter(isCaught).length} of ${faults.length} faults caught, ${right(faults)} judged rightly`,
    legal.length > 0 && `${right(legal)} of ${legal.length} legal servers clean`,
    single.length > 0 && `${right(single)} of ${single.length} requirements pass alone`,
    wrong.length === 0 ? "all right" : `${wrong.length} wrong`,
  ]
    .filter(Boolean)
    .join("; ");
}
