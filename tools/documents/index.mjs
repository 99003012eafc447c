import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { faults } from "../../dist/reference/deviations/index.js";
import { requirementIds } from "../../dist/spec/catalogue.js";
import { scenarios } from "../../dist/suites/index.js";
import { rewrite, withParts } from "./markdown.mjs";
import {
  catalogueParts,
  deviationParts,
  interpretationParts,
  layersTable,
  optionTables,
} from "./pages.mjs";
import { baselineSchema, configSchema, statementSchema } from "./schemas.mjs";

const { check: onlyChecks } = new Command("npm run docs --")
  .description(
    "Writes the generated documents and JSON Schemas from the build. Records the examples of requirements that are missing or out of date, which takes seconds.",
  )
  .option("--check", "writes nothing, lists what is out of date and exits with 1 if there is any")
  .parse()
  .opts();

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const stale = [];

const lacking = lackingExamples();
if (lacking.length > 0) {
  stale.push("cli/examples.json");
  if (!onlyChecks) recordExamples(lacking);
}

/** For each file, a function that returns its new content from its present content. */
const documents = {
  "docs/requirements.md": (now) => withParts(now, catalogueParts()),
  "docs/interpretations.md": (now) => withParts(now, interpretationParts()),
  "docs/options.md": (now) => withParts(now, { options: optionTables() }),
  "docs/sensitivity.md": (now) => withParts(now, deviationParts()),
  "ARCHITECTURE.md": (now) => withParts(now, { layers: layersTable() }),
  "settings/config.schema.json": () => JSON.stringify(configSchema()),
  "settings/statement.schema.json": () => JSON.stringify(statementSchema()),
  "settings/baseline.schema.json": () => JSON.stringify(baselineSchema()),
};

for (const [path, textOf] of Object.entries(documents))
  if (await rewrite(path, textOf, onlyChecks)) stale.push(path);
if (onlyChecks && stale.length > 0) {
  console.error(`Out of date: ${stale.join(", ")}. Try: npm run docs`);
  process.exit(1);
}
for (const path of stale) console.log(`wrote ${path}`);

/**
 * Returns the requirements that need a new example: they have none, or an empty one, or their
 * example names a fault or a scenario that no longer exists.
 */
function lackingExamples() {
  const { requirements } = JSON.parse(readFileSync(join(root, "cli/examples.json"), "utf8"));
  const known = new Set([...faults.map(({ id }) => id), ...scenarios.map(({ title }) => title)]);
  return requirementIds.filter((id) => {
    const { scenarios: titles = [""], fault, obeys } = requirements[id] ?? {};
    if (fault === undefined && obeys === undefined) return true;
    return ![...titles, ...(fault === undefined ? [] : [fault])].every((name) => known.has(name));
  });
}

/**
 * Records the examples of these requirements with the reference server, and copies them into the
 * build.
 */
function recordExamples(ids) {
  const run = (...words) =>
    execFileSync(process.execPath, words, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  run("tools/examples.mjs", ...ids);
  run("tools/build.mjs", "--no-check");
}
