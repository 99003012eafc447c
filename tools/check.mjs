// Runs the checks that are quick enough for every commit, all at once. That of the documents says what an
// addition still lacks, too.
import { exec } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Command } from "commander";
import { layers } from "./layers.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = [...layers.map(({ folder }) => folder), "tests"];
// The caches of the checks depend on content and not on time, so that a cached pass is still a
// pass.
const formatCache = "node_modules/.cache/format/prettier.json";

const checks = {
  // prettier without --cache deletes the cache at its default location.
  format: `prettier --check --log-level warn --cache --cache-location ${formatCache} . || (echo Try: npm run format && exit 1)`,
  // Checks types as well, several times faster than tsc, which runs when the package is built.
  lint: "oxlint --deny-warnings --type-check",
  layers: `depcruise --config .dependency-cruiser.mjs --cache --cache-strategy content ${folders.join(" ")}`,
  unused: "knip --no-progress --cache",
  weight: "node tools/weight.mjs",
  contract: "redocly lint --max-problems 50 spec/openapi.yaml",
  documents:
    "node tools/build.mjs --no-check && node tools/documents/index.mjs --check && node tools/missing.mjs",
};

const { only, except } = new Command("npm run check --")
  .description(`The checks: ${Object.keys(checks).join(", ")}.`)
  .option("--only <checks>", "these alone, as in lint,format")
  .option("--except <checks>", "all but these")
  .parse()
  .opts();
const other = [only, except].flatMap(namesIn).find((name) => !Object.hasOwn(checks, name));
if (other !== undefined) {
  console.error(`No check is named ${other}. The checks: ${Object.keys(checks).join(", ")}.`);
  process.exit(1);
}
const chosen = Object.entries(checks).filter(
  ([name]) =>
    (only === undefined || namesIn(only).includes(name)) && !namesIn(except).includes(name),
);

const env = {
  ...process.env,
  PATH: [
    ...["tools", "."].map((folder) => join(root, folder, "node_modules", ".bin")),
    process.env.PATH,
  ].join(delimiter),
  // Without these variables, redocly looks for a newer version of itself on the network.
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
};
const own = ["format", "weight", "documents"];
if (chosen.some(([name]) => !own.includes(name))) await import("./toolset.mjs");
const started = performance.now();
const failures = (await Promise.all(chosen.map(failureOf))).filter(Boolean);
for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exitCode = 1;
else console.log(`all passed ${secondsSince(started)}`);

/** The names in an option: none if it was not given. */
function namesIn(option) {
  return option === undefined ? [] : option.split(",");
}

/** Resolves when a check has ended: to everything that it printed if it failed. */
async function failureOf([name, command]) {
  const begun = performance.now();
  try {
    await promisify(exec)(command, { cwd: root, env, maxBuffer: 2 ** 27 });
    console.log(`${name.padEnd(10)} passed ${secondsSince(begun)}`);
    return undefined;
  } catch ({ stdout = "", stderr = "" }) {
    return `${name.padEnd(10)} FAILED ${secondsSince(begun)}\n\n${(stdout + stderr).trimEnd()}\n`;
  }
}

function secondsSince(begun) {
  return `${((performance.now() - begun) / 1000).toFixed(1)} s`.padStart(7);
}
