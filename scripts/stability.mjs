import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { comparisonOf } from "../dist/cli/runs/comparison.js";
import { statementEntries } from "../dist/cli/runs/statement-entries.js";
import { readStatement } from "../dist/cli/configuration/statement-file.js";
import { gateOf } from "../dist/model/gate.js";
import { areCompatible, variants } from "../dist/reference/variants/index.js";
import { commandLine, wholeNumber } from "./command-line.mjs";
import { measureAll } from "./sensitivity/pool.mjs";

const usage = `
Usage: npm run stability -- [options]

Pins a statement from one run of each server. Runs with other seeds must fit it, and diff must find no difference between
them. Then compares pairs of variants that answer the same open question differently: the statement of one must not fit
the other. Some pairs differ only in a bound, such as the lifetime of a token. Statements pin no bounds, so these fit.

  --only <ids>      only these servers: variants, or "reference"
  --variants <n>    so many variants besides the reference server (default: 60)
  --seeds <n>       runs of each server (default: 3)
  --seed <n>        the first seed (default: 1)
  --pairs <n>       pairs whose statements must not fit, at least; 0 compares none (default: 20)
  --processes <n>   runs at once (default: one for each core)
  --help
`;
const values = commandLine(usage, (args) => {
  const { values: given } = parseArgs({
    args,
    options: {
      only: { type: "string" },
      variants: { type: "string", default: "60" },
      seeds: { type: "string", default: "3" },
      seed: { type: "string", default: "1" },
      pairs: { type: "string", default: "20" },
      processes: { type: "string", default: String(availableParallelism()) },
    },
  });
  const known = ["reference", ...variants.map(({ id }) => id)];
  const unknown = given.only?.split(",").filter((id) => !known.includes(id)) ?? [];
  if (unknown.length > 0) throw new Error(`--only: there is no variant ${unknown.join(", ")}`);
  const atLeast1 = ["seeds", "seed", "processes"].map((name) => [name, wholeNumber(given, name)]);
  const atLeast0 = ["variants", "pairs"].map((name) => [name, wholeNumber(given, name, 0)]);
  return { ...given, ...Object.fromEntries([...atLeast1, ...atLeast0]) };
});

const seeds = Array.from({ length: values.seeds }, (_, i) => values.seed + i * 7919);
const quick = variants.filter(({ needs }) => !needs?.slow);
const reference = { id: "reference" };
const only = values.only?.split(",");
const servers =
  only === undefined
    ? [reference, ...spread(quick, values.variants)]
    : [reference, ...variants].filter(({ id }) => only.includes(id));
const pairs = values.pairs === 0 ? [] : pairsOf(quick);

const jobOf = ({ id, needs }, seed) => ({
  id,
  kind: "variant",
  variants: id === reference.id ? [] : [id],
  needs,
  seed,
  keepRun: true,
});
const paired = new Set(pairs.flat());
const jobs = [
  ...servers.flatMap((server) => seeds.map((seed) => jobOf(server, seed))),
  ...[...paired].filter((server) => !servers.includes(server)).map((server) => jobOf(server, seeds[0])),
];

const folder = mkdtempSync(join(tmpdir(), "fxconform-stability-"));
const total = { runs: 0, deviations: 0, differences: 0, longest: 0, apart: 0 };
/** The first run of each server, with its statement. */
const firsts = new Map();
let work = Promise.resolve();
await measureAll(jobs, {
  processes: values.processes,
  limit: 240_000,
  onResult: (result) => {
    work = work.then(() => take(result));
  },
});
await work;

for (const [one, other] of pairs) {
  const [statement, run] = [firsts.get(one.id)?.statement, firsts.get(other.id)?.run];
  const found =
    statement === undefined || run === undefined
      ? []
      : deviationsOf(run, statement).filter(({ question }) => question === one.answers);
  const names = `statement of ${one.id} on ${other.id}`;
  if (found.length > 0) total.apart += 1;
  console.log(`${names}: ${found[0]?.text ?? "nothing differs"}`);
}
rmSync(folder, { recursive: true });

const missing = jobs.length - total.runs;
console.log(
  `${firsts.size} servers, ${total.runs} runs: ${total.deviations} deviations, ${total.differences} differences; ` +
    `${total.apart} of ${pairs.length} pairs distinguished; longest statement ${total.longest} lines` +
    (missing === 0 ? "" : `; ${missing} runs missing`),
);
const isProven = missing + total.deviations + total.differences === 0 && total.apart >= values.pairs;
process.exitCode = isProven ? 0 : 1;

async function take({ job: { id, seed }, run, crashed }) {
  if (run === undefined) return console.log(`WRONG ${id}, seed ${seed}: ${crashed}`);
  total.runs += 1;
  if (total.runs % 25 === 0) console.error(`${total.runs} of ${jobs.length}`);
  const first = firsts.get(id);
  if (first === undefined) return firsts.set(id, { run, statement: await statementOf(run, id) });
  const where = `${id}, seeds ${first.run.seed} and ${seed}`;
  const deviations = deviationsOf(run, first.statement);
  const { verdicts, answers, unsharedCases } = comparisonOf(first.run, run);
  total.deviations += deviations.length;
  total.differences += verdicts.length + answers.length;
  for (const { text } of deviations) console.log(`DEVIATES ${where}: ${text}`);
  for (const one of verdicts) console.log(`DIFFERS ${where}: ${JSON.stringify(one)}`);
  if (unsharedCases > 0) console.log(`${where}: ${unsharedCases} cases in one run alone`);
}

/** The statement that `pin` writes for a run, as `--statement` reads it. */
async function statementOf(run, id) {
  const text = statementEntries([run])
    .map((entry) => entry.text)
    .join("\n");
  total.longest = Math.max(total.longest, text.split("\n").length);
  const path = join(folder, `${id}.yaml`);
  writeFileSync(path, `${text}\n`);
  return readStatement(path, "--statement");
}

function deviationsOf(run, statement) {
  return gateOf({ ...run, requirements: [] }, { strict: false, statement, baseline: [], today: "2000-01-01" })
    .reasons.filter(({ kind }) => kind === "statement")
    .map(({ question, text }) => ({ question, text }));
}

/** Pairs of variants that cannot be combined and answer the same open question. */
function pairsOf(all) {
  return all.flatMap((one, index) => {
    if (one.answers === undefined) return [];
    const other = all.slice(index + 1).find((next) => next.answers === one.answers && !areCompatible(one, next));
    return other === undefined ? [] : [[one, other]];
  });
}

/** `n` of a list, evenly spread over it. */
function spread(list, n) {
  return n >= list.length ? list : Array.from({ length: n }, (_, i) => list[Math.floor((i * list.length) / n)]);
}
