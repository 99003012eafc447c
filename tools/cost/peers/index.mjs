// fxconform beside other tools, on a fixed sample of faults and variants: installs the tools into
// node_modules/.cache/fxconform-peers, runs each against the servers, and writes the tables of docs/comparison.md.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { faults } from "../../../dist/reference/faults/index.js";
import { variants } from "../../../dist/reference/variants/index.js";
import { areaOf, outcomeOf, writePage } from "./page.mjs";
import { startServer } from "./server.mjs";
import { finished, tools } from "./tools.mjs";

const seed = 1;
/** Seconds that a run may take. */
const limit = 90;
const sample = sampleOf(60, 40);
const servers = [
  ...sample.faults.map(({ id }) => ({ kind: "fault", id, faults: [id] })),
  ...sample.variants.map(({ id }) => ({ kind: "variant", id, variants: [id] })),
];

const cache = fileURLToPath(new URL("../../../node_modules/.cache/fxconform-peers", import.meta.url));
const results = [];
for (const tool of tools) {
  const measured = await measuredBy(tool).catch((error) => ({ skipped: error.message.split("\n")[0] }));
  results.push({ tool, ...measured });
}
await writePage(results, sample, seed);

/** Faults of each area, and variants, that need no settings of their own. */
function sampleOf(faultCount, variantCount) {
  // The middle row of each of equal parts: similar neighbours are rarely both drawn.
  const drawn = (list, count) =>
    Array.from({ length: count }, (_, part) => list[Math.floor(((part + 0.5) * list.length) / count)]);
  const eligible = (list) => list.filter(({ needs }) => needs === undefined);
  const areas = [...new Set(faults.map(areaOf))];
  return {
    faults: areas.flatMap((area) =>
      drawn(
        eligible(faults).filter((one) => areaOf(one) === area),
        faultCount / areas.length,
      ),
    ),
    variants: drawn(eligible(variants), variantCount),
  };
}

/** What a tool reports on the plain server, and what it reports on every other server and not on that one. */
async function measuredBy(tool) {
  const folder = join(cache, tool.id);
  await install(tool, folder);
  const installed = (path) => join(folder, path);
  await tool.prepare?.({ installed, folder });
  const plain = [await runOnce(tool, { id: "plain" }, installed), await runOnce(tool, { id: "plain" }, installed)];
  const bad = plain.find(({ problem }) => problem !== undefined);
  if (bad !== undefined) throw new Error(`gives no report on the plain server: ${bad.problem}`);
  const usual = new Set(plain.flatMap(({ failures, warnings }) => [...failures, ...warnings]));
  const isNew = (one) => !usual.has(one);
  const rows = [];
  const waiting = [...servers.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, server] = next;
      const row = await runOnce(tool, server, installed);
      rows[index] = { ...row, failures: row.failures.filter(isNew), warnings: row.warnings.filter(isNew) };
      console.error(`${tool.name}: ${server.kind} ${server.id}: ${outcomeOf(rows[index])}, ${row.ms} ms`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return { plain, rows };
}

/** Installs a tool into its folder, unless it is there. Throws the reason why it cannot be used. */
async function install(tool, folder) {
  const mark = join(folder, "installed.json");
  const steps = JSON.stringify(tool.install);
  if (existsSync(mark) && readFileSync(mark, "utf8") === steps) return;
  console.error(`${tool.name}: installing`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [command, ...args] of tool.install) {
    const { code, output } = await finished(command, args, { cwd: folder, limit: 300 });
    if (code !== 0) throw new Error(`cannot be installed: ${command} ${output.trim().split("\n").at(-1)}`);
  }
  writeFileSync(mark, steps);
}

/** Runs a tool against a new server. Without a report, a time-out counts as no failure, and any other end as one. */
async function runOnce(tool, { kind, id, faults: broken, variants: other }, installed) {
  const server = await startServer({ faults: broken, variants: other });
  const cwd = mkdtempSync(join(tmpdir(), "fxconform-peers-"));
  try {
    const { files = {}, command, args, env } = await tool.command({ known: server.known, seed, installed });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    const { code, timedOut, ms, output } = await finished(command, args, { cwd, env, limit });
    const row = { kind, id, ms, timedOut, requests: server.count(), failures: [], warnings: [] };
    if (timedOut) return { ...row, problem: `it did not end within ${limit} s` };
    try {
      const { failures, warnings = [] } = tool.read((name) => readFileSync(join(cwd, name), "utf8"));
      return { ...row, failures: [...new Set(failures)], warnings: [...new Set(warnings)] };
    } catch {
      const problem = `exit code ${code}: ${output.trim().split("\n").at(-1)}`.slice(0, 200);
      return { ...row, failures: ["no report"], problem };
    }
  } finally {
    await server.close();
    rmSync(cwd, { recursive: true, force: true });
  }
}
