// How much is caught by watching alone: recordings of full runs against faults and variants, judged by `fxconform judge`.
//   npm run watching -- --write               every server, written to docs/sensitivity.md
//   npm run watching -- --every 8 --write     every eighth fault and variant
//   npm run watching -- --only id,id --verbose
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { faults } from "../dist/reference/faults/index.js";
import { variants } from "../dist/reference/variants/index.js";
import { requirementOf } from "../dist/spec/catalogue.js";
import { measureAll } from "./sensitivity/pool.mjs";
import { blamedIn, caughtIn, withWatching } from "./sensitivity/watching.mjs";

const { values } = parseArgs({
  options: {
    every: { type: "string", default: "1" },
    only: { type: "string" },
    kind: { type: "string" },
    write: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    processes: { type: "string", default: String(availableParallelism()) },
  },
});
const only = values.only?.split(",");
const every = Number(values.every);
const settingsOf = ({ slow }) => (slow ? { timeout: 1500 } : {});
const jobs = [
  ...[{ id: "reference" }, ...variants].map(({ id, needs = {} }) => ({
    id,
    kind: "variant",
    variants: id === "reference" ? [] : [id],
    needs,
    settings: {},
  })),
  ...faults.map((fault) => ({
    id: fault.id,
    kind: "fault",
    faults: [fault.id],
    breaks: fault.breaks,
    area: requirementOf(fault.breaks).area,
    settings: settingsOf(fault),
  })),
]
  .filter(({ id, kind }) => (only === undefined || only.includes(id)) && (values.kind ?? kind) === kind)
  .filter((_, index) => only !== undefined || index % every === 0)
  .map((job) => ({ ...job, seed: 1, watch: true }));

const results = await measureAll(jobs, {
  processes: Number(values.processes),
  limit: 400_000,
  onResult: (result) => {
    const { job, watched, crashed } = result;
    const isWrong = crashed !== undefined || (job.kind === "fault" ? !caughtIn(result) : blamedIn(result));
    if (!isWrong && !values.verbose) return;
    const blamed = [...(watched?.failed ?? []), ...(watched?.warned ?? [])].join(" ") || "nothing";
    console.log(`${isWrong ? "MISS " : "right"} ${job.kind} ${job.id} ${job.breaks ?? ""}: ${crashed ?? blamed}`);
    if (values.verbose || job.kind === "variant")
      for (const { id, message, actual } of watched?.findings ?? []) console.log(`   ${id} ${message} ${actual}`);
  },
});
const caught = results.filter(({ job }) => job.kind === "fault").filter(caughtIn).length;
const blamed = results.filter(({ job }) => job.kind === "variant").filter(blamedIn).length;
const count = (kind) => results.filter(({ job }) => job.kind === kind).length;
console.log(
  `${caught} of ${count("fault")} faults caught by watching; ${blamed} of ${count("variant")} variants blamed`,
);
if (values.write) {
  const page = new URL("../docs/sensitivity.md", import.meta.url);
  const text = withWatching(readFileSync(page, "utf8"), results, {
    faults: faults.length,
    variants: variants.length + 1,
  });
  writeFileSync(page, await format(text, { parser: "markdown", printWidth: 120 }));
}
