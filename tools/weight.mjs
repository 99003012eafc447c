// What each folder weighs: characters of code without white space and without comment lines.
// Without options, it fails if a folder is heavier than its ceiling in weights.json. With --write, the ceilings become what the folders weigh now.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { write } = parseArgs({ options: { write: { type: "boolean" } } }).values;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ceilingsFile = join(root, "tools", "weights.json");
const isTest = (path) => /\.test\.|\/testing\/|^tests\//.test(path);

const weights = weightsNow();
if (write) {
  const above = ([folder, weight]) => [folder, Math.ceil(weight / 100) * 100];
  const ceilings = Object.fromEntries(Object.entries(weights).map(above));
  writeFileSync(ceilingsFile, `${JSON.stringify(ceilings, undefined, 2)}\n`);
} else compare(JSON.parse(readFileSync(ceilingsFile, "utf8")));

function weightsNow() {
  const words = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", words, { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((path) => /\.(ts|mjs|cjs|js)$/.test(path) && existsSync(join(root, path)));
  const sums = {};
  for (const path of files.toSorted()) {
    const folder = folderOf(path);
    if (folder === undefined) continue;
    const text = readFileSync(join(root, path), "utf8");
    const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "").replaceAll(/\s/g, "");
    sums[folder] = (sums[folder] ?? 0) + Buffer.byteLength(code);
  }
  return sums;
}

/** The folder to which a file counts: `tests` for all tests, and the files at the top for `.`. */
function folderOf(path) {
  if (isTest(path)) return "tests";
  const [first, second] = path.split("/");
  if (second === undefined) return /\.config\.[a-z]+$/.test(first) ? undefined : ".";
  if (first === "templates") return undefined;
  return ["engine", "harness", "model"].includes(first) && !/\./.test(second)
    ? `${first}/${second}`
    : first;
}

function compare(ceilings) {
  for (const [folder, weight] of Object.entries(weights)) {
    const ceiling = ceilings[folder] ?? 0;
    if (weight <= ceiling) continue;
    console.error(
      `${folder} weighs ${weight}, and its ceiling is ${ceiling}: what does this take the place of? If of nothing, --write raises it.`,
    );
    process.exitCode = 1;
  }
}
