import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { requirementIds } from "../dist/spec/catalogue.js";
import { commandLine } from "../scripts/command-line.mjs";
import { median } from "../scripts/median.mjs";
import { printPaths, ratioOf, startServer } from "./path.mjs";
import { measureProxy } from "./proxy.mjs";

const repeats = 3;
/** Variants whose lists do not grow with what is created. */
const boundedLists = ["list-first-page", "batches-stay-empty"];
const head = `# Performance

\`npm run bench\` measures what a run costs and writes this page. Each number is a ratio, which differs less between machines than a time: the median of ${repeats} measurements, the least and the greatest. No test depends on them.

| what | median | least | greatest |
| --- | --- | --- | --- |
`;
const foot = `
- The reference server runs in a process of its own. The CPU time of an exchange leaves start-up out: it is the difference of a long and a short run.
- Lists do not grow where the server has the variants ${boundedLists.map((id) => `\`${id}\``).join(" and ")}. Otherwise its lists reach thousands of batches, and reading and validating them takes most of the CPU time on both sides of the ratio.
- The bare loop sends the requests of a run again through undici's \`Pool\`, parses the responses, and validates successes with the same compiled schemas. It judges nothing.
- The least wall time is the number of requests, times 100 ms, divided by the requests in flight. \`npm run bench -- --path\` prints which scenario waited for what.
- Memory is the most that the process held at once, where lists do not grow: a body is held as a whole while it is judged.
- \`report.json\` does not grow with the requests: latency and timeline are summaries of bounded size.
`;
const proxyTitle = "## The proxy";
const proxyHead = `${proxyTitle}

\`npm run bench -- --proxy\` measures what \`fxconform proxy\` costs the traffic that passes through it, and writes this section. The target, the proxy, a bare pass-through (Node's HTTP server and undici's \`Pool\`, which judges nothing) and the load run in processes of their own on one machine, in turns. Latency is the median of requests that are sent one after the other, directly and through each; throughput is that of 32 connections that are always busy, more than can be judged on a small machine: what is too much is not judged, and counted.

| what | median | least | greatest |
| --- | --- | --- | --- |
`;
const page = new URL("../docs/performance.md", import.meta.url);

const usage = `
Usage: npm run bench -- [options]

Measures what a run costs, prints the ratios and writes docs/performance.md. Takes minutes.

  --path     only prints the critical path of a run: which scenario waited for which response
  --proxy    only measures what fxconform proxy costs, and writes its section of the page
  --help
`;
const options = { path: { type: "boolean" }, proxy: { type: "boolean" } };
const { values } = commandLine(usage, (args) => parseArgs({ args, options }));
if (values.path) await printPaths();
else if (values.proxy) await compareProxy();
else await compare();

async function compare() {
  const apiKey = randomBytes(12).toString("hex");
  const { baseUrl, close } = await startServer({ apiKey });
  const target = { baseUrl, apiKey };
  const all = { ...target, selection: requirementIds };
  const folder = mkdtempSync(join(tmpdir(), "fxconform-bench-"));
  const recorded = join(folder, "recorded.json");
  await inChild("suite", { ...all, runs: 25, record: recorded });
  const turns = [];
  for (let turn = 0; turn < repeats; turn++) {
    const bareLittle = await inChild("bare", { ...target, recorded, times: 1 });
    const bareMuch = await inChild("bare", { ...target, recorded, times: 4 });
    const short = await inChild("suite", { ...all, runs: 25 });
    const long = await inChild("suite", { ...all, runs: 400 });
    const empty = await inChild("empty", { tests: short.scenarios });
    const bounded = await startServer({ apiKey, variants: boundedLists });
    const small = { ...all, baseUrl: bounded.baseUrl, recorded };
    const bareSmallLittle = await inChild("bare", { ...small, times: 1 });
    const bareSmallMuch = await inChild("bare", { ...small, times: 4 });
    const little = await inChild("suite", { ...small, runs: 400 });
    const large = await inChild("suite", { ...small, runs: 8500 });
    await bounded.close();
    turns.push({
      cpu: perExchange(short, long) / perExchange(bareLittle, bareMuch),
      cpuOfSmall: perExchange(little, large) / perExchange(bareSmallLittle, bareSmallMuch),
      start: short.first / empty.wall,
      memory: large.memory / little.memory,
      requests: [little.requests, large.requests],
    });
  }
  await close();
  rmSync(folder, { recursive: true });
  const paths = [];
  for (let turn = 0; turn < repeats; turn++) paths.push(await ratioOf([8, 32]));
  const [{ requests }] = turns;
  const rows = [
    ["CPU time of an exchange, beside a bare loop that parses and validates", turns.map(({ cpu }) => cpu)],
    ["The same where lists do not grow", turns.map(({ cpuOfSmall }) => cpuOfSmall)],
    ["Start-up to the first request, beside vitest with as many empty tests", turns.map(({ start }) => start)],
    [`Memory of a run of ${requests[1]} requests, beside one of ${requests[0]}`, turns.map(({ memory }) => memory)],
    ["Wall time at 100 ms a response and 8 in flight, beside the least", paths.map(([ratio]) => ratio)],
    ["Wall time at 100 ms a response and 32 in flight, beside the least", paths.map(([, ratio]) => ratio)],
  ];
  const now = readFileSync(page, "utf8");
  const rest = now.includes(proxyTitle) ? now.slice(now.indexOf(proxyTitle)) : "";
  await write(`${head}${linesOf(rows)}\n${foot}\n${rest}`);
}

/** Takes about a minute. */
async function compareProxy() {
  const rows = await measureProxy();
  const now = readFileSync(page, "utf8");
  const before = now.includes(proxyTitle) ? now.slice(0, now.indexOf(proxyTitle)) : `${now}\n`;
  await write(`${before}${proxyHead}${linesOf(rows)}\n`);
}

/** Prints each row with its median, least and greatest number; returns the rows in Markdown. */
function linesOf(rows) {
  const table = rows.map(([what, numbers]) => [what, median(numbers), Math.min(...numbers), Math.max(...numbers)]);
  for (const [what, ...numbers] of table)
    console.log(`${what.padEnd(72)}${numbers.map((one) => one.toFixed(2).padStart(7)).join("")}`);
  return table
    .map(([what, ...numbers]) => `| ${what} | ${numbers.map((one) => one.toFixed(2)).join(" | ")} |`)
    .join("\n");
}

async function write(text) {
  const file = fileURLToPath(page);
  writeFileSync(file, text);
  await promisify(execFile)("npx", ["prettier", "--write", file]);
}

/** Milliseconds of CPU time for each exchange. The difference of two runs leaves start-up out. */
function perExchange(little, much) {
  return (much.cpu - little.cpu) / (much.requests - little.requests);
}

/** The result of a function of `cost-child.mjs`, run in a process of its own. */
async function inChild(child, given) {
  const words = [fileURLToPath(new URL("./cost-child.mjs", import.meta.url)), child, JSON.stringify(given)];
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 120_000 });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}
