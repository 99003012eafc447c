// fxconform beside other tools, on a fixed sample of the catalogue of faults and variants. Writes docs/comparison.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { faults } from "../../dist/reference/faults/index.js";
import { variants } from "../../dist/reference/variants/index.js";
import { install } from "./install.mjs";
import { measureTool } from "./measure.mjs";
import { commandLine } from "../../scripts/command-line.mjs";
import { optionsOf, usageFor } from "./options.mjs";
import { outcomeOf, pageWith } from "./page.mjs";
import { sampleOf } from "./sample.mjs";
import { tools } from "./tools.mjs";

const ids = tools.map(({ id }) => id);
const { only, counts, seed, processes, isWhole, ...rest } = commandLine(usageFor(ids), (words) =>
  optionsOf(words, ids),
);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = resolve(rest.cache ?? join(root, "node_modules/.cache/fxconform-peers"));
const sample = sampleOf({ faults, variants }, counts, seed);
const servers = sample.faults.length + sample.variants.length;

// Results on the sample of the page are kept, so that a single tool can be measured again.
const store = join(cache, "results.json");
let stored = {};
const load = () => {
  if (isWhole && existsSync(store)) stored = JSON.parse(readFileSync(store, "utf8"));
};
load();
for (const tool of tools.filter(({ id }) => only.includes(id))) {
  const result = { date: new Date().toISOString().slice(0, 10), version: tool.version, ...(await resultOf(tool)) };
  console.error(lineOf(tool, result));
  load();
  stored[tool.id] = result;
  if (isWhole) writeFileSync(store, JSON.stringify(stored));
}

const results = tools.flatMap((tool) => {
  const result = stored[tool.id];
  if (result?.version === tool.version && isOfSample(result)) return [{ tool, ...result }];
  return isWhole ? [{ tool, skipped: "not measured yet on this sample" }] : [];
});
const page = join(root, "docs/comparison.md");
const text = pageWith(readFileSync(page, "utf8"), { results, sample, seed });
if (isWhole) writeFileSync(page, await format(text, { parser: "markdown", printWidth: 120 }));
else console.log(text.slice(text.indexOf("<!-- table -->"), text.indexOf("<!-- /table -->")));

/** False if new faults or variants have changed the sample since. */
function isOfSample({ skipped, rows }) {
  const wanted = [...sample.faults, ...sample.variants].map(({ id }) => id);
  return skipped !== undefined || wanted.join() === rows.map(({ id }) => id).join();
}

/** A tool that cannot be installed or fails is skipped with the reason. */
async function resultOf(tool) {
  try {
    mkdirSync(cache, { recursive: true });
    console.error(`${tool.name}: installing`);
    const reason = await install(tool, join(cache, tool.id));
    if (reason !== undefined) return { skipped: reason };
    let count = 0;
    const onRow = (row) => {
      count += 1;
      const what = `${row.kind} ${row.id}: ${outcomeOf(row)}, ${row.ms} ms, ${row.requests} requests`;
      console.error(`${tool.name}: ${count} of ${servers}, ${what}`);
    };
    return await measureTool(tool, { sample, seed, processes, cache, onRow });
  } catch (error) {
    return { skipped: error instanceof Error ? error.message.split("\n")[0] : String(error) };
  }
}

function lineOf(tool, { skipped, rows }) {
  if (skipped !== undefined) return `${tool.name}: skipped, ${skipped}`;
  const count = (outcome) => rows.filter((row) => outcomeOf(row) === outcome).length;
  return `${tool.name}: ${count("caught")} faults caught, ${count("clean")} variants clean`;
}
