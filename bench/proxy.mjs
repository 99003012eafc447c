// What `fxconform proxy` costs the traffic: the latency it adds, and its throughput beside a pass-through proxy made of
// undici alone. The target and both proxies are processes of their own, and each is measured in turn.
import { fork, spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { median } from "../scripts/median.mjs";

const here = fileURLToPath(import.meta.url);
const bin = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));
const turns = 5;
/** Rounds of requests one after the other, each direct and through both proxies. */
const rounds = 400;
/** Busy connections, and how long and how often each proxy gets them in turn. What else the machine does slows both. */
const load = { connections: 32, for: 200, windows: 10 };

const token = "Bearer bench-token-0123456789";
const operation = {
  currency_amount: 10.5,
  operation_purpose: "EFX",
  currency_pair: "USDBRL",
  counterparty_id: "counterparty-1",
};
const batches = Array.from({ length: 10 }, (_, n) => ({ id: `batch-${n}`, currency_pair: "USDBRL", operations: [] }));
const list = JSON.stringify({ batches, count: 10, total: 10 });
const headers = { "content-type": "application/json" };

/** What a child process does, by its first argument. */
const children = {
  /** Lists batches and creates operations, each with an id of its own. */
  target: () => {
    let created = 0;
    return createServer((request, response) => {
      if (request.method === "GET") return void response.writeHead(200, headers).end(list);
      request.resume().on("end", () => {
        const { currency_amount, ...rest } = operation;
        const id = { operation_id: `operation-${(created += 1)}`, foreign_currency_amount: currency_amount };
        response.writeHead(200, headers).end(JSON.stringify({ ...id, ...rest, status: "pending_quote" }));
      });
    });
  },

  /** Passes on method, path, headers and bodies, and nothing else. */
  bare: ({ origin }) => {
    const pool = new Pool(origin, { connections: 256 });
    return createServer((request, response) => {
      const { connection: _, ...passed } = request.headers;
      const body = request.method === "GET" ? null : request;
      pool
        .stream(
          { method: request.method, path: request.url, headers: passed, body },
          ({ statusCode, headers: own }) => {
            const { connection: __, "keep-alive": ___, ...rest } = own;
            return response.writeHead(statusCode, rest);
          },
        )
        .catch(() => response.destroy());
    });
  },
};

if (process.argv[1] === here) {
  const [role, options] = process.argv.slice(2);
  const server = children[role](JSON.parse(options));
  // Keeps connections open while the other processes are measured.
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => process.send({ origin: `http://127.0.0.1:${server.address().port}` }));
  process.on("disconnect", () => process.exit());
}

/** The rows of docs/measurements.md: the name of each and the numbers of its turns. */
export const measureProxy = async () => {
  const target = await started("target", {});
  const bare = await started("bare", target);
  const proxy = await startedProxy(target.origin);
  const [direct, beside, judged] = [target, bare, proxy].map(({ origin }) => new Pool(origin, { connections: 1 }));
  const pools = [bare, proxy].map(({ origin }) => new Pool(origin, { connections: load.connections }));
  const all = [];
  try {
    for (let turn = -1; turn < turns; turn += 1) {
      const latency = await latencies([direct, beside, judged]);
      const rates = [0, 0];
      for (let window = 0; window < load.windows; window += 1)
        for (const [index, pool] of pools.entries()) rates[index] += (await rateOf(pool)) / load.windows;
      const [bareRate, proxyRate] = rates;
      // The first turn warms up.
      if (turn >= 0) all.push({ latency, bareRate, proxyRate });
    }
  } finally {
    await Promise.all([direct, beside, judged, ...pools].map((pool) => pool.destroy()));
    await Promise.all([proxy, bare, target].map(({ close }) => close()));
  }
  const [{ bareRate, proxyRate }] = all;
  console.log(
    `${Math.round(bareRate)} requests a second through a bare pass-through, ${Math.round(proxyRate)} through the proxy`,
  );
  return [
    ["Latency that the proxy adds, in milliseconds", all.map(({ latency: [one, , three] }) => three - one)],
    ["Latency that a bare pass-through adds, in milliseconds", all.map(({ latency: [one, two] }) => two - one)],
    ["Throughput of the proxy, beside a bare pass-through", all.map((one) => one.proxyRate / one.bareRate)],
  ];
};

/** The median latency through each pool, in milliseconds: requests in turns, one at a time. */
const latencies = async (pools) => {
  const times = pools.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, pool] of pools.entries()) {
      const started = performance.now();
      await sendOne(pool, round);
      times[index].push(performance.now() - started);
    }
  }
  return times.map(median);
};

/** Requests a second with all connections busy. */
const rateOf = async (pool) => {
  const started = performance.now();
  let sent = 0;
  const worker = async () => {
    while (performance.now() - started < load.for) await sendOne(pool, (sent += 1));
  };
  await Promise.all(Array.from({ length: load.connections }, worker));
  return sent / ((performance.now() - started) / 1000);
};

const sendOne = async (pool, number) => {
  const { statusCode, body } = await pool.request(
    number % 2 === 0
      ? { method: "GET", path: "/batches", headers: { authorization: token } }
      : {
          method: "POST",
          path: "/corporate/operation",
          headers: { ...headers, authorization: token },
          body: JSON.stringify(operation),
        },
  );
  await body.dump();
  if (statusCode !== 200) throw new Error(`status ${statusCode}`);
};

const started = (role, options) =>
  new Promise((resolve, reject) => {
    const child = fork(here, [role, JSON.stringify({ origin: options.origin })]);
    child.once("error", reject);
    child.once("message", ({ origin }) => resolve({ origin, close: async () => child.disconnect() }));
  });

/** The command as a user starts it. */
const startedProxy = (origin) =>
  new Promise((resolve, reject) => {
    const folder = mkdtempSync(join(tmpdir(), "fxconform-bench-"));
    const child = spawn(process.execPath, [bin, "proxy", "--base-url", origin, "--reports", "json"], { cwd: folder });
    const ended = new Promise((done) => child.once("close", done));
    let said = "";
    child.stderr.on("data", (text) => {
      said += text;
      const address = /Listening at (\S+)/.exec(said)?.[1];
      if (address === undefined) return;
      resolve({
        origin: address,
        close: async () => {
          child.kill("SIGINT");
          await ended;
          rmSync(folder, { recursive: true });
        },
      });
    });
    void ended.then(() => reject(new Error(said)));
  });
