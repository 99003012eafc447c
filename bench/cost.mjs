// The cost of a run compared with a bare undici loop against the same server: start-up, and CPU time for each exchange.
// Each is measured in a process of its own, in turns, and printed as a ratio, which differs less between machines.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const repeats = 5;
const customerId = "customer-1";
const built = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);

/** What a child process does, by its first argument; each returns the number of its requests. */
const children = {
  async bare({ baseUrl, apiKey, operations }) {
    const { Pool } = await import("undici");
    const pool = new Pool(baseUrl, { connections: 8 });
    const send = async (path, headers, body) => {
      const answer = await pool.request({ method: "POST", path, headers, body: body && JSON.stringify(body) });
      return answer.body.json();
    };
    const { token } = await send("/auth/token", { "x-api-key": apiKey });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const counterparty = await send(`/customers/${customerId}/counterparty`, headers, { name: "Bench" });
    const body = { operation_purpose: "EFX", currency_pair: "USDBRL", counterparty_id: counterparty.id };
    let sent = 0;
    const worker = async () => {
      while (sent < operations) await send("/corporate/operation", headers, { ...body, currency_amount: 10 + sent++ });
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    await pool.close();
    return operations + 2;
  },

  async suite({ baseUrl, apiKey, selection, runs }) {
    const { run } = await built("engine/run.js");
    const amount = { min: 10, max: 1000, decimals: 2 };
    const target = { baseUrl, apiKey, customerId, currencyPairs: ["USDBRL"], otherPurposes: ["IMPORT"], amount };
    const bounds = { concurrency: 8, timeout: 10_000, grace: 5_000, maxBody: 2 ** 27 };
    const { outcome, requests } = await run({
      target: { ...target, insecure: false, allowHttp: false },
      settings: { profile: "full", selection, seed: 1, runs, ...bounds },
      strict: false,
      statement: [],
      baseline: [],
      replayArguments: "",
    });
    if (outcome !== "conformant") throw new Error(`the reference server was found ${outcome}`);
    return requests;
  },
};

const [word, options] = process.argv.slice(2);
if (word === undefined) await compare();
else if (word === "--path") await (await import("./path.mjs")).printPaths();
else {
  const requests = await children[word](JSON.parse(options));
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ requests, cpu: (user + system) / 1000, wall: performance.now() }));
}

async function compare() {
  const { startReference } = await built("reference/server.js");
  const { requirementIds } = await built("spec/catalogue.js");
  const apiKey = randomBytes(12).toString("hex");
  const server = await startReference({ apiKey, customerId });
  const target = { baseUrl: server.baseUrl, apiKey };
  const cases = {
    bareLittle: ["bare", { ...target, operations: 1 }],
    bareMuch: ["bare", { ...target, operations: 1000 }],
    suiteLittle: ["suite", { ...target, selection: ["AUTH-01"], runs: 1 }],
    suiteMuch: ["suite", { ...target, selection: requirementIds, runs: 100 }],
  };
  const measured = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let turn = 0; turn < repeats; turn++) {
    for (const [name, [child, given]] of Object.entries(cases)) measured[name].push(await inChild(child, given));
  }
  await server.close();

  const least = Object.fromEntries(Object.entries(measured).map(([name, all]) => [name, leastOf(all)]));
  const perExchange = (little, much) => (much.cpu - little.cpu) / (much.requests - little.requests);
  const bare = perExchange(least.bareLittle, least.bareMuch);
  const suite = perExchange(least.suiteLittle, least.suiteMuch);
  const line = (what, ours, theirs, unit) =>
    console.log(
      `${what.padEnd(24)}${ours.toFixed(2).padStart(9)} ${unit}, ${(ours / theirs).toFixed(1)} times a bare loop`,
    );
  line("start-up", least.suiteLittle.wall, least.bareLittle.wall, "ms");
  line("CPU for start-up", least.suiteLittle.cpu, least.bareLittle.cpu, "ms");
  line("CPU for each exchange", suite, bare, "ms");
  console.log(`\nthe least of ${repeats}; a full run with --runs 100 sent ${least.suiteMuch.requests} requests`);
}

async function inChild(child, given) {
  const words = [fileURLToPath(import.meta.url), child, JSON.stringify(given)];
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 120_000 });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

function leastOf(all) {
  return {
    requests: all[0].requests,
    cpu: Math.min(...all.map(({ cpu }) => cpu)),
    wall: Math.min(...all.map(({ wall }) => wall)),
  };
}
