// Runs one tool against the plain server and against every server of the sample, and compares what it reports.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runLimited } from "./process.mjs";
import { startServer } from "./server.mjs";

const plainRuns = 2;

/** Resolves to `{ rows }`, or to `{ skipped }` with the reason if the tool gives no report on the plain server. */
export const measureTool = async (tool, { sample, seed, processes, cache, onRow }) => {
  await tool.prepare?.({ installed: (path) => join(cache, tool.id, path), folder: join(cache, tool.id) });
  const one = (server) => runOnce(tool, server, { seed, folder: join(cache, tool.id) });
  const plain = await inTurns(
    Array.from({ length: plainRuns }, () => ({ kind: "plain", id: "plain" })),
    processes,
    one,
  );
  const bad = plain.find(({ problem }) => problem !== undefined);
  if (bad !== undefined) return { skipped: `gives no report on the plain server: ${bad.problem}` };
  const known = new Set(plain.flatMap(({ failures, warnings }) => [...failures, ...warnings]));
  const servers = [
    ...sample.faults.map(({ id }) => ({ kind: "fault", id, faults: [id] })),
    ...sample.variants.map(({ id }) => ({ kind: "variant", id, variants: [id] })),
  ];
  const rows = await inTurns(servers, processes, async (server) => {
    const row = compared(await one(server), known);
    onRow(row);
    return row;
  });
  return { plain, rows };
};

/** What the tool reports here and not on the plain server. */
export const compared = (row, known) => ({
  ...row,
  failures: row.failures.filter((one) => !known.has(one)),
  warnings: row.warnings.filter((one) => !known.has(one)),
});

async function runOnce(tool, { kind, id, faults, variants }, { seed, folder }) {
  const server = await startServer({ faults, variants });
  const work = mkdtempSync(join(tmpdir(), "fxconform-peers-"));
  try {
    const installed = (path) => join(folder, path);
    const { files = {}, command, args, env } = await tool.command({ known: server.known, seed, installed, work });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(work, name, ".."), { recursive: true });
      writeFileSync(join(work, name), text);
    }
    const ended = await runLimited(command, args, { cwd: work, env, limit: tool.limit * 1000 });
    const { ms, timedOut } = ended;
    return { kind, id, ms, timedOut, requests: server.count(), ...reported(tool, work, ended) };
  } finally {
    await server.close();
    rmSync(work, { recursive: true, force: true });
  }
}

/** The failures and warnings in the report. Without a report, a time-out counts as none, and any other end as one failure. */
function reported(tool, work, { code, timedOut, output }) {
  const nothing = { failures: [], warnings: [] };
  if (timedOut) return { ...nothing, problem: `it did not end within ${tool.limit} s` };
  try {
    const { failures, warnings = [] } = tool.read(work, { code, output });
    return { failures: [...new Set(failures)], warnings: [...new Set(warnings)] };
  } catch {
    const problem = `exit code ${code}: ${output.trim().split("\n").at(-1) ?? ""}`.slice(0, 200);
    return { ...nothing, failures: ["no report"], problem };
  }
}

/** Runs `work` on at most `processes` items at once. Resolves to the results in the order of the list. */
async function inTurns(list, processes, work) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < list.length) {
      const index = next++;
      results[index] = await work(list[index]);
    }
  };
  await Promise.all(Array.from({ length: processes }, worker));
  return results;
}
