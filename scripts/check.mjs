// What is quick enough to run before each commit: all checks at once, a line each, and the first failure ends it.
// Their caches are in node_modules/.cache and go by content, so that a check that passes from its cache would pass again.
//   node scripts/check.mjs [name …]
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { layers } from "./layers.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = [...layers.map(({ folder }) => folder), "tests"];
const cruise = ["depcruise", "--config", ".dependency-cruiser.mjs", "--cache", "--cache-strategy", "content"];
const formatCache = "node_modules/.cache/format/prettier.json";

/** The commands of each check, one after the other. */
const checks = {
  // prettier without --cache deletes the cache at its default location.
  format: [["prettier", "--check", "--log-level", "warn", "--cache", "--cache-location", formatCache, "."]],
  // Checks the types as well, several times faster than a second run of tsc; every build of what is shipped runs tsc.
  lint: [["oxlint", "--deny-warnings", "--type-check"]],
  layers: [[...cruise, ...folders]],
  folders: [["node", "scripts/folders.mjs"]],
  unused: [["knip", "--no-progress", "--cache"]],
  contract: [["redocly", "lint", "--max-problems", "50", "spec/openapi.yaml"]],
  documents: [
    ["node", "scripts/build.mjs", "--no-check"],
    ["node", "scripts/documents.mjs", "--check"],
  ],
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(checks, name));
if (unknown.length > 0) {
  console.error(`No check is named ${unknown.join(", ")}. There are: ${Object.keys(checks).join(", ")}.`);
  process.exit(2);
}

const running = new Set();
const started = performance.now();
const names = wanted.length > 0 ? wanted : Object.keys(checks);
try {
  await Promise.all(names.map(passed));
  console.log(`all ${names.length} passed ${secondsSince(started)}`);
} catch (failure) {
  for (const child of running) child.kill();
  console.error(failure.message);
  process.exitCode = 1;
}

/** Resolves when the check has passed; rejects with its name and everything it printed. */
async function passed(name) {
  const begun = performance.now();
  for (const command of checks[name]) {
    const { code, output } = await finished(command);
    if (code !== 0) throw new Error(`${name.padEnd(10)} FAILED ${secondsSince(begun)}\n\n${output.trimEnd()}`);
  }
  console.log(`${name.padEnd(10)} passed ${secondsSince(begun)}`);
}

function finished([tool, ...words]) {
  const command = tool === "node" ? process.execPath : join(root, "node_modules", ".bin", tool);
  // Without these, redocly looks for a newer version of itself on the network.
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return new Promise((resolve) => {
    const child = spawn(command, words, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    let output = "";
    child.stdout.on("data", (text) => (output += text));
    child.stderr.on("data", (text) => (output += text));
    child.on("error", (error) => resolve({ code: 1, output: `${error.message}. Try: npm ci` }));
    child.on("close", (code) => {
      running.delete(child);
      resolve({ code, output });
    });
  });
}

function secondsSince(begun) {
  return `${((performance.now() - begun) / 1000).toFixed(1)} s`.padStart(7);
}
