import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command, InvalidArgumentError } from "commander";
import { format, resolveConfig } from "prettier";
import { faults } from "../dist/reference/deviations/index.js";
import { requirementIds } from "../dist/spec/catalogue.js";
import { scenarios } from "../dist/suites/index.js";
import { exchangeOf, violationOf } from "./example.mjs";
import { createRunner } from "./reference-run.mjs";

const titles = new Set(scenarios.map(({ title }) => title));

const { only = requirementIds } = new Command("npm run examples --")
  .description(
    "Records cli/examples.json, which fxconform explain shows: for each requirement an exchange that obeys it and one that breaks it, and for each open question the answers of the reference server. npm run docs records only what is missing.",
  )
  .option(
    "--only <ids>",
    "records the examples of these requirements, such as OPER-14,BATCH-03 (default: all)",
    idsIn,
  )
  .parse()
  .opts();

function idsIn(text) {
  const ids = text.split(",");
  const unknown = ids.filter((id) => !requirementIds.includes(id));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`There is no requirement ${unknown.join(", ")}.`);
  return ids;
}

const file = fileURLToPath(new URL("../cli/examples.json", import.meta.url));
const { run, close } = await createRunner();
function resultOf(changed, selection) {
  return run({ faults: changed }, { selection, fewest: selection.length === 1 });
}

const before = JSON.parse(readFileSync(file, "utf8"));
const whole = await resultOf([], requirementIds);
const requirements = {};
for (const id of requirementIds) {
  if (!only.includes(id)) {
    requirements[id] = before.requirements[id];
    continue;
  }
  const row = whole.requirements.find((result) => result.id === id);
  const broken = await violationOf(id, { faults, all: requirementIds, resultOf });
  requirements[id] = {
    // Requests of the session and of the preflight belong to no scenario.
    scenarios: (row.judgedIn ?? []).filter((name) => titles.has(name)).slice(0, 3),
    obeys: exchangeOf(whole, row.sample),
    ...broken,
  };
  console.error(`${id} ${broken?.fault ?? "no fault shows it"}`);
}
const questions = Object.fromEntries(
  whole.observations.map(({ id, answers }) => [
    id,
    answers.slice(0, 5).map((answer) => ({ case: answer.case, answer: answer.answer })),
  ]),
);
const text = JSON.stringify({ requirements, questions }, null, 2);
writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
await close();
