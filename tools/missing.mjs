// Prints what an addition still lacks, one line for each thing that lacks something, and exits with
// 1 if there is any. It needs `dist/`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { faults } from "../dist/reference/deviations/index.js";
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
  ...reportLines(),
  ...lineOf("CHANGELOG.md", [!changes.includes("\n## Unreleased\n") && "it has no ## Unreleased"]),
];
for (const line of lines) console.error(line);
process.exitCode = lines.length === 0 ? 0 : 1;

function requirementLines() {
  const examples = JSON.parse(read("cli/examples.json")).requirements;
  const page = read("docs/requirements.md");
  const broken = new Set(faults.map(({ breaks }) => breaks));
  return requirementIds.flatMap((id) =>
    lineOf(id, [
      !broken.has(id) && "no deviation breaks it",
      !examples[id] && "cli/examples.json has no example of it: run npm run docs",
      examples[id]?.obeys === undefined &&
        examples[id]?.fault === undefined &&
        "the reference server never shows it",
      !page.includes(`| ${id} `) && "it is not in docs/requirements.md: run npm run docs",
      ...(released.includes(id) ? [] : lacksOfNew(id)),
    ]),
  );
}

/** What a requirement lacks that the last release did not have (`released.txt`). */
function lacksOfNew(id) {
  const { shows, refuses } = catalogue[id];
  const isBroken = ({ breaks, also, when }) => when !== undefined && [breaks, ...also].includes(id);
  return [
    !stricter.includes(id) && 'CHANGELOG.md has no line on it under "Stricter checks"',
    shows === "sequence" &&
      !scenarios.some(({ checks }) => checks.includes(id)) &&
      "no scenario has it in checks",
    !faults.some(isBroken) && "no deviation breaks it under a condition (when)",
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

/** The members of `Run`, and of all in it, that reports/report.schema.json lacks. */
function reportLines() {
  const schema = JSON.parse(read("reports/report.schema.json"));
  const file = join(root, "model/run.ts");
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const run = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .find(({ name }) => name === "Run");
  const lacking = new Set();

  function compare(type, rule, path) {
    const resolved = rule?.$ref ? schema.$defs[rule.$ref.slice("#/$defs/".length)] : rule;
    if (resolved === undefined) return;
    if (type.isUnion()) {
      for (const part of type.types) compare(part, resolved, path);
      return;
    }
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      for (const part of checker.getTypeArguments(type)) compare(part, resolved.items, `${path}[]`);
      return;
    }
    const own = checker
      .getPropertiesOfType(type)
      .filter(({ declarations = [] }) => declarations.some(isOurs));
    if (own.length === 0 || resolved.properties === undefined) return;
    for (const property of own) {
      const name = `${path}.${property.name}`;
      const inside = resolved.properties[property.name];
      if (inside === undefined) lacking.add(name);
      else compare(checker.getTypeOfSymbolAtLocation(property, source), inside, name);
    }
  }

  compare(checker.getDeclaredTypeOfSymbol(run), schema, "Run");
  return [...lacking].map((name) => `${name}: it is not in reports/report.schema.json`);
}

function isOurs(declaration) {
  return !declaration.getSourceFile().fileName.includes("node_modules");
}
