// What a run costs, as ratios, which differ less between machines: CPU time for each exchange beside a bare undici loop
// with the same requests, start-up beside an embedded vitest run, wall time beside the least that a distant server
// allows, and memory of a long run beside a short one. Each is measured in a process of its own, in turns. Prints the
// ratios with their spread and writes docs/performance.md.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const repeats = 3;
const customerId = "customer-1";
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
const built = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);

/** What a child process does, by its first argument; each returns the number of its requests. */
const children = {
  /** Sends the requests of a run so many times through undici's Pool, parses the responses, and validates the successes. */
  async bare({ baseUrl, apiKey, recorded, times }) {
    const { Pool } = await import("undici");
    const { compileResponseSchemas } = await built("harness/judging/response-schemas.js");
    const { bundledContract } = await built("harness/contract.js");
    const schemas = compileResponseSchemas(await bundledContract());
    const pool = new Pool(baseUrl, { connections: 8 });
    const issued = await pool.request({ method: "POST", path: "/auth/token", headers: { "x-api-key": apiKey } });
    const { token } = await issued.body.json();
    const list = requestsOf(recorded, { apiKey, token });
    const send = async ({ schema, method, path, headers, body: sentBody }) => {
      const { statusCode, body } = await pool.request({ method, path, headers, body: sentBody });
      const text = await body.text();
      if (statusCode > 299) return void (text === "" || JSON.parse(text));
      const json = JSON.parse(text);
      if (schema !== undefined && schemas[schema](json).length > 0) throw new Error(`${path}: ${text}`);
    };
    let sent = 0;
    const worker = async () => {
      while (sent < list.length * times) await send(list[sent++ % list.length]);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    await pool.close();
    return { requests: list.length * times + 1 };
  },

  /** An embedded vitest run of so many empty tests, started as the engine starts its own. */
  async empty({ tests }) {
    const folder = mkdtempSync(join(tmpdir(), "fxconform-bench-"));
    const file = join(folder, "empty.test.js");
    const vitest = JSON.stringify(import.meta.resolve("vitest"));
    writeFileSync(
      file,
      `import { test } from ${vitest};\nfor (let n = 0; n < ${tests}; n++) test("test " + n, () => undefined);\n`,
    );
    const { createVitest } = await import("vitest/node");
    const settings = { config: false, root: folder, include: ["*.test.js"], watch: false, cache: false };
    const pool = { pool: "threads", isolate: false, maxWorkers: 1, sequence: { concurrent: true } };
    const quiet = { reporters: [{}], css: false, server: { deps: { external: [/./] } } };
    const server = { middlewareMode: true, watch: null, hmr: false, ws: false };
    const one = await createVitest("test", { ...settings, ...pool, ...quiet }, { configFile: false, server });
    await one.start();
    const wall = performance.now();
    const failed = one.state.getFailedFilepaths().length;
    await one.close();
    rmSync(folder, { recursive: true });
    if (failed > 0) throw new Error("the empty tests did not run");
    return { requests: 0, wall };
  },

  async suite({ baseUrl, apiKey, selection, runs, record }) {
    const { run } = await built("engine/run.js");
    const entries = [];
    let first;
    let scenarios = 0;
    const amount = { min: 10, max: 1000, decimals: 2 };
    const target = { baseUrl, apiKey, customerId, currencyPairs: ["USDBRL"], otherPurposes: ["IMPORT"], amount };
    const bounds = { concurrency: 8, timeout: 10_000, grace: 5_000, maxBody: 2 ** 27 };
    const { outcome, requests } = await run(
      {
        target: { ...target, insecure: false, allowHttp: false },
        settings: { profile: "full", selection, seed: 1, runs, record: record !== undefined, ...bounds },
        strict: false,
        statement: [],
        baseline: [],
      },
      {
        onScenario: () => void scenarios++,
        onRecorded: (entry) => void entries.push(entry),
        onSpan: ({ operation, from }) =>
          void (operation === undefined || (first = Math.min(first ?? Infinity, from - performance.timeOrigin))),
      },
    );
    if (!["conformant", "partial"].includes(outcome)) throw new Error(`the reference server was found ${outcome}`);
    if (record !== undefined) writeFileSync(record, `[${entries.join(",\n")}]`);
    return { requests, scenarios, first };
  },
};

/** What a run sent, with good credentials in the place of what the recording left out. */
function requestsOf(file, { apiKey, token }) {
  return JSON.parse(readFileSync(file, "utf8")).flatMap(({ request }) => {
    const { pathname, search } = new URL(request.url);
    const headers = Object.fromEntries(
      request.headers.map(({ name, value }) => [
        name,
        value.replace(/\[key \d+\]/, apiKey).replace(/\[token \d+\]/, token),
      ]),
    );
    delete headers["content-length"];
    const { text, _encoding } = request.postData ?? {};
    const body = text === undefined ? undefined : Buffer.from(text, _encoding ?? "utf8");
    return [{ method: request.method, path: pathname + search, headers, body, schema: schemaOf(request, pathname) }];
  });
}

/** The schema of a success. */
function schemaOf({ method }, path) {
  if (path.endsWith("/auth/token")) return "Token";
  if (path.endsWith("/counterparty")) return "Counterparty";
  if (path.endsWith("/corporate/operation")) return "Operation";
  return path.endsWith("/batches") ? (method === "GET" ? "BatchList" : "Batch") : undefined;
}

const [word, options] = process.argv.slice(2);
if (word === undefined) await compare();
else if (word === "--path") await (await import("./path.mjs")).printPaths();
else if (word === "--proxy") await compareProxy();
else {
  const result = await children[word](JSON.parse(options));
  const { user, system } = process.cpuUsage();
  const memory = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ wall: performance.now(), ...result, cpu: (user + system) / 1000, memory }));
  process.exit();
}

async function compare() {
  const { requirementIds } = await built("spec/catalogue.js");
  const apiKey = randomBytes(12).toString("hex");
  const { startServer } = await import("./path.mjs");
  const { baseUrl, close } = await startServer({ apiKey, customerId });
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
    const bounded = await startServer({ apiKey, customerId, variants: boundedLists });
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
  const { ratioOf } = await import("./path.mjs");
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

/** The section on the proxy alone: about a minute. */
async function compareProxy() {
  const { measureProxy } = await import("./proxy.mjs");
  const rows = await measureProxy();
  const now = readFileSync(page, "utf8");
  const before = now.includes(proxyTitle) ? now.slice(0, now.indexOf(proxyTitle)) : `${now}\n`;
  await write(`${before}${proxyHead}${linesOf(rows)}\n`);
}

/** Prints the rows: median, least and greatest; returns them as rows of a table. */
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

/** Milliseconds of CPU time, without start-up. */
function perExchange(little, much) {
  return (much.cpu - little.cpu) / (much.requests - little.requests);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function inChild(child, given) {
  const words = [fileURLToPath(import.meta.url), child, JSON.stringify(given)];
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 120_000 });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}
