// Prints what an addition still lacks, one line for each thing that lacks something, and exits with
// 1 if there is any. It needs `dist/`.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { faults } from "../dist/reference/deviations/index.js";
import { requirementIds } from "../dist/spec/catalogue.js";
import { scenarios } from "../dist/suites/index.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (path) => readFileSync(join(root, path), "utf8");

const lines = [...requirementLines(), ...scenarioLines(), ...reportLines()];
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
      isUnseen(examples[id]) && "the reference server never shows it",
      !page.includes(`| ${id} `) && "it is not in docs/requirements.md: run npm run docs",
    ]),
  );
}

function isUnseen(example) {
  return example && !example.obeys && !example.fault;
}

function scenarioLines() {
  return scenarios.flatMap(({ id }) => {
    const file = `suites/testing/sent/${id.replaceAll("/", ".")}.golden`;
    return lineOf(id, [
      !existsSync(join(root, file)) && `${file} is missing: run npx vitest run suites/sent.test.ts`,
    ]);
  });
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
