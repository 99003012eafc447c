// Prints what an addition still lacks, one line for each thing that lacks something, and exits with
// 1 if there is any. It needs `dist/`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { faults, variants } from "../dist/reference/deviations/index.js";
import { catalogue, requirementIds } from "../dist/spec/catalogue.js";
import { scenarios } from "../dist/suites/index.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (path) => readFileSync(join(root, path), "utf8");

const [version, ...released] = read("tools/released.txt").trim().split(/\s+/);
const [changes] = read("CHANGELOG.md").split(`\n## ${version}`);
const stricter = changes.match(/^### Stricter checks$[^]*?(?=^##)/gm)?.join("") ?? "";
const tested = idsInFiles("harness/*.test.ts", "tests/judgements.golden");

const lines = [
  ...requirementLines(),
  ...lineOf("CHANGELOG.md", [!changes.includes("\n## Unreleased\n") && "it has no ## Unreleased"]),
];
for (const line of lines) console.error(line);
process.exitCode = lines.length === 0 ? 0 : 1;

function requirementLines() {
  const examples = JSON.parse(read("cli/examples.json")).requirements;
  return requirementIds.flatMap((id) =>
    lineOf(id, [
      examples[id]?.obeys === undefined &&
        examples[id]?.fault === undefined &&
        "the reference server never shows it",
      ...(released.includes(id) ? [] : lacksOfNew(id)),
    ]),
  );
}

/** What a requirement lacks that the last release did not have (`released.txt`). */
function lacksOfNew(id) {
  const { shows, refuses, level } = catalogue[id];
  const breaking = faults.filter(({ breaks, also }) => [breaks, ...also].includes(id));
  return [
    !stricter.includes(id) && 'CHANGELOG.md has no line on it under "Stricter checks"',
    shows === "sequence" &&
      !scenarios.some(({ checks }) => checks.includes(id)) &&
      "no scenario has it in checks",
    level === "MUST" &&
      !breaking.some(({ when = "data" }) => when === "data") &&
      "no plain deviation breaks it (without when, or with data)",
    !breaking.some(({ when }) => when !== undefined) &&
      "no deviation breaks it under a condition (when)",
    !variants.some(({ near }) => near === id) && "no legal deviation comes close to it (near)",
    refuses === undefined &&
      !tested.has(id) &&
      "no test in harness/ and no line of tests/judgements.golden shows its rule",
  ];
}

/** The ids in files that Git knows or would add. */
function idsInFiles(...paths) {
  const words = ["grep", "--untracked", "-hoE", "[A-Z]+-[0-9]+", "--", ...paths];
  return new Set(execFileSync("git", words, { cwd: root, encoding: "utf8" }).split("\n"));
}

function lineOf(name, lacks) {
  const texts = lacks.filter(Boolean);
  return texts.length === 0 ? [] : [`${name}: ${texts.join("; ")}`];
}
