// Records cli/examples.json, which fxconform explain shows: for each requirement an exchange that obeys
// it and one that breaks it, and for each open question the answers of the reference server. With ids
// of requirements, it records only theirs: npm run examples -- OPER-14 BATCH-03. npm run docs records
// what is missing.
import { readFileSync } from "node:fs";
import { faults } from "../dist/reference/deviations/index.js";
import { requirementIds } from "../dist/spec/catalogue.js";
import { scenarios } from "../dist/suites/index.js";
import { rewrite } from "./documents/markdown.mjs";
import { createRunner } from "./reference-run.mjs";

const titles = new Set(scenarios.map(({ title }) => title));

/** The requirements that are named, or all. */
const only = process.argv.length > 2 ? process.argv.slice(2) : requirementIds;
for (const id of only)
  if (!requirementIds.includes(id)) throw new Error(`There is no requirement ${id}.`);

const { run, close } = await createRunner();
function resultOf(changed, selection) {
  return run({ faults: changed }, { selection, fewest: selection.length === 1 });
}

const before = JSON.parse(readFileSync(new URL("../cli/examples.json", import.meta.url), "utf8"));
const whole = await resultOf([], requirementIds);
const requirements = {};
for (const id of requirementIds) {
  if (!only.includes(id)) {
    requirements[id] = before.requirements[id];
    continue;
  }
  const row = whole.requirements.find((result) => result.id === id);
  const broken = await violationOf(id);
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
await rewrite("cli/examples.json", () => JSON.stringify({ requirements, questions }, null, 2));
await close();

/**
 * Resolves to the first fault that fails the requirement, with the finding, or to undefined if no
 * fault does. A run of the requirement alone is tried before a full run.
 */
async function violationOf(id) {
  const candidates = faults
    .filter(({ breaks, needs }) => breaks === id && !needs?.slow)
    .slice(0, 4);
  for (const selection of [[id], requirementIds]) {
    for (const fault of candidates) {
      const result = await resultOf([fault.id], selection);
      const finding = result.requirements.find((row) => row.id === id).findings[0];
      const shown = finding && exchangeOf(result, finding.exchange);
      if (finding === undefined || (shown === undefined && fault !== candidates.at(-1))) continue;
      const { message, expected, actual } = finding;
      return { fault: fault.id, breaks: { message, expected, actual, exchange: shown } };
    }
  }
}

/**
 * Returns an exchange as `fxconform explain` shows it: without addresses, and with the headers that
 * matter. Returns undefined if the run did not keep the exchange.
 */
function exchangeOf({ exchanges, target }, id) {
  const found = exchanges.find((exchange) => exchange.id === id);
  if (found === undefined) return undefined;
  const { request, response, intent, error = "unknown" } = found;
  const { hostname, origin } = new URL(
    request.url.startsWith("http") ? request.url : target.baseUrl,
  );
  const clean = (text) => text.replaceAll(origin, "").replaceAll(hostname, "server.example");
  const received = response && { ...response, body: clean(response.body) };
  return [
    `# ${intent}`,
    ...messageLines(clean(`${request.method} ${request.url}`), request),
    "",
    ...(received
      ? messageLines(`${received.status} ${received.statusText}`.trim(), received)
      : [`# no response: ${error}`]),
  ].join("\n");
}

function messageLines(line, { headers, body }) {
  const kept = headers.filter(([name]) =>
    ["authorization", "content-type"].includes(name.toLowerCase()),
  );
  const cut = body?.length > 600 ? `${body.slice(0, 600)}… (${body.length} characters)` : body;
  return [
    line,
    ...kept.map(([name, value]) => `${name}: ${value}`),
    ...(cut === undefined ? [] : ["", cut]),
  ];
}
