// Measures what a run costs, prints the ratios, and writes them to docs/measurements.md. This takes
// minutes.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { run } from "../../dist/engine/server/run.js";
import { table, writeParts } from "../documents/markdown.mjs";
import { median } from "../numbers.mjs";
import { runOptionsFor } from "../reference-run.mjs";
import { perExchange, timesTheLeast } from "./figures.mjs";
import { startServer } from "./servers.mjs";

const repeats = 3;
/** Variants whose lists do not grow with the number of batches. */
const boundedLists = ["list-first-page", "batches-stay-empty"];
await compare();

async function compare() {
  const apiKey = randomBytes(12).toString("hex");
  const { baseUrl, close } = await startServer({ apiKey });
  const target = { baseUrl, apiKey };
  const folder = mkdtempSync(join(tmpdir(), "fxconform-bench-"));
  const recorded = join(folder, "recorded.json");
  await suiteRun(target, 25, recorded);
  const turns = [];
  for (let turn = 0; turn < repeats; turn++) {
    const bareLittle = await inChild("bare", { ...target, recorded, times: 1 });
    const bareMuch = await inChild("bare", { ...target, recorded, times: 4 });
    const short = await suiteRun(target, 25);
    const long = await suiteRun(target, 400);
    const empty = await inChild("empty", { tests: short.scenarios });
    const bounded = await startServer({ apiKey, variants: boundedLists });
    const small = { apiKey, baseUrl: bounded.baseUrl };
    const bareSmallLittle = await inChild("bare", { ...small, recorded, times: 1 });
    const bareSmallMuch = await inChild("bare", { ...small, recorded, times: 4 });
    const little = await suiteRun(small, 400);
    const large = await suiteRun(small, 8500);
    await bounded.close();
    turns.push({
      cpu: perExchange(short, long) / perExchange(bareLittle, bareMuch),
      cpuOfSmall: perExchange(little, large) / perExchange(bareSmallLittle, bareSmallMuch),
      start: short.first / empty.wall,
      local: (short.wall - short.first) / bareLittle.took,
      memory: large.memory / little.memory,
      requests: [little.requests, large.requests],
    });
  }
  await close();
  rmSync(folder, { recursive: true });
  const paths = [];
  for (let turn = 0; turn < repeats; turn++) paths.push([await slowness(8), await slowness(32)]);
  const [{ requests }] = turns;
  const rows = [
    [
      "CPU time of an exchange, beside a bare loop that parses and validates",
      turns.map(({ cpu }) => cpu),
    ],
    ["The same where lists do not grow", turns.map(({ cpuOfSmall }) => cpuOfSmall)],
    [
      "Start-up to the first request, beside vitest with as many empty tests",
      turns.map(({ start }) => start),
    ],
    [
      "Wall time of a local default run from its first request on, beside the bare loop",
      turns.map(({ local }) => local),
    ],
    [
      `Memory of a run of ${requests[1]} requests, beside one of ${requests[0]}`,
      turns.map(({ memory }) => memory),
    ],
    [
      "Wall time at 100 ms a response and 8 in flight, beside the least",
      paths.map(([ratio]) => ratio),
    ],
    [
      "Wall time at 100 ms a response and 32 in flight, beside the least",
      paths.map(([, ratio]) => ratio),
    ],
  ];
  await writeParts("measurements.md", { cost: tableOf(rows) });
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
