// The critical path of a run against a server that takes 100 ms for each response: which scenario waited for which one.
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { run } from "../dist/engine/run.js";
import { runOptionsFor } from "../scripts/reference-run.mjs";

const responseTime = 100;

/** Starts a reference server in a process of its own. */
export const startServer = async (options) => {
  const child = fork(fileURLToPath(new URL("./reference.mjs", import.meta.url)), [JSON.stringify(options)]);
  const { baseUrl } = await new Promise((resolve) => child.once("message", resolve));
  return { baseUrl, close: async () => child.disconnect() };
};

const startDistant = async () => {
  const apiKey = randomBytes(12).toString("hex");
  const server = await startServer({ apiKey, variants: [`latency-${responseTime}`] });
  return { target: { baseUrl: server.baseUrl, apiKey }, close: server.close };
};

/** Prints the path and the ratio to the least time that the network needs, for 8 and 32 requests in flight. */
export const printPaths = async () => {
  const { target, close } = await startDistant();
  try {
    for (const concurrency of [8, 32]) printPath(await traced(target, concurrency), concurrency);
  } finally {
    await close();
  }
};

/** The ratio to the least time that the network needs, for each number of requests in flight. */
export const ratioOf = async (all) => {
  const { target, close } = await startDistant();
  try {
    const ratios = [];
    for (const concurrency of all) ratios.push((await traced(target, concurrency)).ratio);
    return ratios;
  } finally {
    await close();
  }
};

const traced = async (server, concurrency) => {
  const spans = [];
  const { outcome, requests } = await run(runOptionsFor(server, { concurrency }), {
    onSpan: (span) => void spans.push(span),
  });
  if (outcome !== "conformant") throw new Error(`the reference server was found ${outcome}`);
  const sent = spans.filter(({ operation }) => operation !== undefined);
  const [from, to] = [Math.min(...sent.map((span) => span.from)), Math.max(...sent.map((span) => span.to))];
  return { sent, from, requests, took: to - from, ratio: (to - from) / ((requests * responseTime) / concurrency) };
};

const printPath = ({ sent, from, requests, took, ratio }, concurrency) => {
  console.log(
    `${concurrency} in flight: ${requests} requests in ${Math.round(took)} ms, ${ratio.toFixed(2)} times the least`,
  );
  console.log(`${"scenario".padEnd(38)}requests  answered  in turn  else (ms)`);
  for (const part of partsOf(pathOf(sent), from)) {
    const times = [part.took, part.queued, part.other].map((ms) => String(Math.round(ms)).padStart(9));
    console.log(`${part.scenario.padEnd(38)}${String(part.requests).padStart(8)}${times.join("")}`);
  }
  console.log();
};

/** From the last response back: a request waited for the latest response before it, in its scenario or else in the run. */
const pathOf = (sent) => {
  const path = [];
  let current = sent.reduce((a, b) => (b.to > a.to ? b : a));
  while (current !== undefined) {
    path.unshift(current);
    const { from, scenario } = current;
    const before = sent.filter((span) => span.to <= from + 1 && span !== current && !path.includes(span));
    const own = before.filter((span) => span.scenario === scenario && from - span.to < responseTime / 2);
    current = latest(own) ?? latest(before);
  }
  return path;
};

const latest = (spans) => (spans.length === 0 ? undefined : spans.reduce((a, b) => (b.to > a.to ? b : a)));

/** Groups neighbours of one scenario. Milliseconds: `took` by responses, `queued` until sent, `other` between requests. */
const partsOf = (path, start) => {
  const parts = [];
  let end = start;
  for (const { scenario, from, to, took } of path) {
    if (parts.at(-1)?.scenario !== scenario) parts.push({ scenario, requests: 0, took: 0, queued: 0, other: 0 });
    const part = parts.at(-1);
    part.requests += 1;
    part.took += took;
    part.queued += to - from - took;
    part.other += Math.max(0, from - end);
    end = to;
  }
  return parts;
};
