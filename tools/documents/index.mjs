import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { format, resolveConfig } from "prettier";
import { faults, variants } from "../../dist/reference/deviations/index.js";
import { requirementIds } from "../../dist/spec/catalogue.js";
import { scenarios } from "../../dist/suites/index.js";
import { withPart } from "./markdown.mjs";
import { interpretationsDocument, lackingExamples } from "./pages.mjs";
import {
  countsText,
  layersTable,
  missedTable,
  optionTables,
  patientFaultsTable,
  requirementsDocument,
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

const lacking = lackingExamples(
  JSON.parse(readFileSync(join(root, "cli/examples.json"), "utf8")),
  requirementIds,
  {
    faults: faults.map(({ id }) => id),
    scenarios: scenarios.map(({ title }) => title),
  },
);
if (lacking.length > 0) {
  stale.push("cli/examples.json");
  if (!onlyChecks) recordExamples(lacking);
}

/** For each file, a function that returns its new content from its present content. */
const documents = {
  "docs/requirements.md": requirementsDocument,
  "docs/interpretations.md": interpretationsDocument,
  "docs/options.md": (now) => withPart(now, "options", optionTables()),
  "docs/sensitivity.md": sensitivityPage,
  "ARCHITECTURE.md": (now) => withPart(now, "layers", layersTable()),
  "settings/config.schema.json": () => JSON.stringify(configSchema()),
  "settings/statement.schema.json": () => JSON.stringify(statementSchema()),
  "settings/baseline.schema.json": () => JSON.stringify(baselineSchema()),
};

function sensitivityPage(now) {
  const parts = {
    patient: patientFaultsTable(faults),
    counts: countsText(faults, variants),
    missed: missedTable(faults),
  };
  return Object.entries(parts).reduce((page, [name, text]) => withPart(page, name, text), now);
}

for (const [path, wanted] of Object.entries(documents)) {
  const file = join(root, path);
  const now = readFileSync(file, "utf8");
  const text = await format(wanted(now), { ...(await resolveConfig(file)), filepath: file });
  if (text === now) continue;
  stale.push(path);
  if (onlyChecks) continue;
  writeFileSync(file, text);
}
if (onlyChecks && stale.length > 0) {
  console.error(`Out of date: ${stale.join(", ")}. Try: npm run docs`);
  process.exit(1);
}
for (const path of stale) console.log(`wrote ${path}`);

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
