// Measures what a run costs, prints the figures, and writes them to docs/measurements.md. With
// `--beside <checkout>`, which has to be built, also measures the program of that checkout. This
// takes minutes.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { run } from "../../dist/engine/server/run.js";
import { table, writeParts } from "../documents/markdown.mjs";
import { median } from "../numbers.mjs";
import { runOptionsFor } from "../reference-run.mjs";
import { perExchange, timesTheLeast } from "./figures.mjs";
import {
  demoUsage,
  emptyTestTime,
  firstRequestTime,
  helpTime,
  installation,
  nodeTime,
} from "./program.mjs";
import { startServer } from "./servers.mjs";

const { values } = parseArgs({ options: { beside: { type: "string" } } });
const root = fileURLToPath(new URL("../..", import.meta.url));
const repeats = 3;
/** Variants whose lists do not grow with the number of batches. */
const boundedLists = ["list-first-page", "batches-stay-empty"];

const rows = [...(await programRows()), ...(await exchangeRows()), ...(await latencyRows())];
await writeParts("measurements.md", { cost: tableOf(rows) });

/** Measures as often as `repeats` says, one after the other. */
async function repeated(measure) {
  const results = [];
  for (let turn = 0; turn < repeats; turn += 1) results.push(await measure());
  return results;
}

/** What the program costs as users start it; with --beside also beside that of another checkout. */
async function programRows() {
  const other = values.beside === undefined ? undefined : resolve(values.beside);
  const turns = await repeated(async () => ({
    first: (await firstRequestTime(root)) / (await emptyTestTime(root)),
    help: (await helpTime(root)) / (await nodeTime()),
    usage: await demoUsage(root),
    usageBefore: other === undefined ? undefined : await demoUsage(other),
  }));
  const { size, packages } = await installation(root);
  const beside = ({ usage, usageBefore }, name) => usage[name] / usageBefore[name];
  return [
    [
      "Start to the first request, compared with `vitest run` of an empty test",
      turns.map((one) => one.first),
    ],
    ["`fxconform --help`, compared with `node -e 0`", turns.map((one) => one.help)],
    ["Memory of `fxconform demo`, server included, in MB", turns.map((one) => one.usage.memory)],
    ["Size of an installation, in MB", [size]],
    ["Packages of an installation", [packages]],
    ...(other === undefined
      ? []
      : [
          [
            "CPU time of `fxconform demo`, compared with the other checkout",
            turns.map((one) => beside(one, "cpu")),
          ],
          [
            "Memory of `fxconform demo`, compared with the other checkout",
            turns.map((one) => beside(one, "memory")),
          ],
        ]),
  ];
}

/** What exchanges cost, compared with a bare loop that sends the same. */
async function exchangeRows() {
  const apiKey = randomBytes(12).toString("hex");
  const { baseUrl, close } = await startServer({ apiKey });
  const target = { baseUrl, apiKey };
  const folder = mkdtempSync(join(tmpdir(), "fxconform-bench-"));
  const recorded = join(folder, "recorded.json");
  await suiteRun(target, 25, recorded);
  const turns = await repeated(() => exchangeTurn(target, recorded));
  await close();
  rmSync(folder, { recursive: true });
  const [{ requests }] = turns;
  return [
    [
      "CPU time of an exchange, compared with a bare loop that parses and validates",
      turns.map(({ cpu }) => cpu),
    ],
    ["The same where lists do not grow", turns.map(({ cpuOfSmall }) => cpuOfSmall)],
    ["Memory of a default run, in MB", turns.map(({ memoryOfRun }) => memoryOfRun)],
    [
      "Wall time of a local default run from its first request on, compared with the bare loop",
      turns.map(({ local }) => local),
    ],
    [
      `Memory of a run of ${requests[1]} requests, compared with one of ${requests[0]}`,
      turns.map(({ memory }) => memory),
    ],
  ];
}

async function exchangeTurn(target, recorded) {
  const { apiKey } = target;
  const bareLittle = await inChild("bare", { ...target, recorded, times: 1 });
  const bareMuch = await inChild("bare", { ...target, recorded, times: 4 });
  const short = await suiteRun(target, 25);
  const long = await suiteRun(target, 400);
  const bounded = await startServer({ apiKey, variants: boundedLists });
  const small = { apiKey, baseUrl: bounded.baseUrl };
  const bareSmallLittle = await inChild("bare", { ...small, recorded, times: 1 });
  const bareSmallMuch = await inChild("bare", { ...small, recorded, times: 4 });
  const little = await suiteRun(small, 400);
  const large = await suiteRun(small, 8500);
  await bounded.close();
  return {
    cpu: perExchange(short, long) / perExchange(bareLittle, bareMuch),
    cpuOfSmall: perExchange(little, large) / perExchange(bareSmallLittle, bareSmallMuch),
    memoryOfRun: short.memory,
    local: (short.wall - short.first) / bareLittle.took,
    memory: large.memory / little.memory,
    requests: [little.requests, large.requests],
  };
}

/** How long a run takes where each response takes 100 ms. */
async function latencyRows() {
  const paths = await repeated(async () => [await slowness(8), await slowness(32)]);
  return [
    [
      "Wall time at 100 ms a response and 8 in flight, compared with the least",
      paths.map(([ratio]) => ratio),
    ],
    [
      "Wall time at 100 ms a response and 32 in flight, compared with the least",
      paths.map(([, ratio]) => ratio),
    ],
  ];
}

/** Prints each row with its median, least and greatest number. Returns the rows in Markdown. */
function tableOf(rows) {
  const numbered = rows.map(([what, numbers]) => [
    what,
    ...[median(numbers), Math.min(...numbers), Math.max(...numbers)].map((one) => one.toFixed(2)),
  ]);
  for (const [what, ...numbers] of numbered)
    console.log(`${what.padEnd(72)}${numbers.map((one) => one.padStart(7)).join("")}`);
  return table(["what", "median", "least", "greatest"], numbered);
}

/** Runs the suite. `record`: the file in which its exchanges are kept, if any. */
async function suiteRun(target, runs, record) {
  const settings = { runs, record: record !== undefined };
  return inChild("suite", {
    options: await runOptionsFor({ ...target, currencyPairs: ["USDBRL"] }, settings),
    record,
  });
}

/** Runs a function of `cost-child.mjs` in a process of its own, and resolves to the result. */
async function inChild(child, given) {
  const words = [
    fileURLToPath(new URL("./cost-child.mjs", import.meta.url)),
    child,
    JSON.stringify(given),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 120_000 });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

/**
 * Runs the suite on a server whose responses take 100 ms. Resolves to the time of the run, as a
 * multiple of the least that its requests need with `concurrency` of them in flight.
 */
async function slowness(concurrency) {
  const apiKey = randomBytes(12).toString("hex");
  const { baseUrl, close } = await startServer({ apiKey, variants: ["latency-100"] });
  const spans = [];
  const onSpan = (span) => void spans.push(span);
  const { outcome, requests } = await run(
    await runOptionsFor({ baseUrl, apiKey }, { concurrency }),
    { onSpan },
  );
  await close();
  if (outcome !== "conformant") throw new Error(`the reference server was found ${outcome}`);
  return timesTheLeast(spans, { requests, concurrency, latency: 100 });
}
