// The matrix: every fault must be caught and blamed on what it breaks, every variant and the reference must be clean.
//   npm run sensitivity                      all faults and variants, one seed
//   npm run sensitivity -- --check           fails where docs/sensitivity.md says otherwise
//   npm run sensitivity -- --only id,id --verbose --seeds 20
import { parseArgs } from "node:util";
import { faults } from "../dist/reference/faults/index.js";
import { variants } from "../dist/reference/variants/index.js";
import { measureAll } from "./sensitivity/pool.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    kind: { type: "string" },
    seeds: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    processes: { type: "string", default: "2" },
    timeout: { type: "string" },
    verbose: { type: "boolean", default: false },
    json: { type: "string" },
    from: { type: "string", default: "0" },
  },
});

const only = values.only?.split(",");
const wanted = (id) => only === undefined || only.includes(id);
const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => Number(values.seed) + i * 7919);
const short = (slow) => (slow ? { timeout: 1500 } : values.timeout ? { timeout: Number(values.timeout) } : {});

const jobs = seeds.flatMap((seed) => [
  ...(values.kind === "faults"
    ? []
    : [
        { id: "reference", kind: "variant" },
        ...variants.map((v) => ({ id: v.id, kind: "variant", variants: [v.id], needs: v.needs })),
      ]
        .filter(({ id }) => wanted(id))
        .map((job) => ({ ...job, seed }))),
  ...(values.kind === "variants"
    ? []
    : faults
        .filter(({ id }) => wanted(id))
        .map((f) => ({
          id: f.id,
          kind: "fault",
          faults: [f.id],
          needs: f.needs,
          breaks: f.breaks,
          also: f.also ?? [],
          settings: short(f.slow),
          seed,
        }))),
]);

export const judged = (result) => {
  const { job } = result;
  if (result.crashed !== undefined) return { ok: false, why: result.crashed };
  if (job.kind === "variant") {
    return result.outcome === "conformant"
      ? { ok: true }
      : { ok: false, why: `${result.outcome}: ${result.summary} ${result.failed.join(" ")}` };
  }
  const blamed = [...result.failed, ...result.warned];
  if (!blamed.includes(job.breaks))
    return {
      ok: false,
      why: `missed ${job.breaks}; ${result.outcome}; blamed ${blamed.join(" ") || "nothing"}; ${result.reasons[job.breaks] ?? ""}`,
    };
  const wrong = result.failed.filter((id) => id !== job.breaks && !job.also.includes(id));
  return wrong.length === 0 ? { ok: true } : { ok: true, extra: wrong };
};

let count = 0;
const results = await measureAll(jobs.slice(Number(values.from)), {
  processes: Number(values.processes),
  limit: 180_000,
  onResult: (result) => {
    count += 1;
    const verdict = judged(result);
    if (!verdict.ok || verdict.extra || values.verbose) {
      console.log(
        `${verdict.ok ? (verdict.extra ? "EXTRA" : "ok   ") : "WRONG"} ${result.job.kind} ${result.job.id} seed ${result.job.seed} · ${result.requests} requests · ${result.durationMs} ms ${verdict.why ?? ""} ${verdict.extra?.join(" ") ?? ""}`,
      );
      if (values.verbose)
        console.log(
          JSON.stringify({ findings: result.findings, reasons: result.reasons, warned: result.warned }, null, 1),
        );
    }
    if (count % 25 === 0) console.error(`${count} of ${jobs.length}`);
  },
});
if (values.json) (await import("node:fs")).writeFileSync(values.json, JSON.stringify(results));
const wrong = results.filter((result) => !judged(result).ok);
console.log(`${results.length - wrong.length} right, ${wrong.length} wrong, of ${results.length}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
