// What is quick enough to run before each commit: all at once, a line each, and the first failure ends it.
//   node scripts/check.mjs [name …]
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { layers } from "./layers.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = [...layers.map(({ folder }) => folder), "tests"];

const checks = {
  format: ["prettier", "--check", "--log-level", "warn", "."],
  types: ["tsc", "--project", "."],
  lint: ["oxlint", "--deny-warnings"],
  layers: ["depcruise", "--config", ".dependency-cruiser.mjs", ...folders],
  unused: ["knip", "--no-progress"],
  contract: ["redocly", "lint", "--max-problems", "50", "spec/openapi.yaml"],
  documents: ["node", "scripts/documents.mjs", "--check"],
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
  const { code, output } = await finished(checks[name]);
  if (code !== 0) throw new Error(`${name.padEnd(10)} FAILED ${secondsSince(begun)}\n\n${output.trimEnd()}`);
  console.log(`${name.padEnd(10)} passed ${secondsSince(begun)}`);
}

function finished([tool, ...words]) {
  const command = tool === "node" ? process.execPath : join(root, "node_modules", ".bin", tool);
  // redocly would ask the network for news.
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
