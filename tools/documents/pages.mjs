// Makes the generated documents from the build.
import {
  defaultText,
  flagOf,
  groupOf,
  optionNames,
  optionOf,
  variableOf,
} from "../../dist/settings/options.js";
import { idsText } from "../../dist/reports/wording.js";
import { areas, catalogue, coverageOf, neededOperations } from "../../dist/spec/catalogue.js";
import { needsCustomer, requirementsOf } from "../../dist/spec/catalogue.js";
import { takesToken } from "../../dist/spec/operations.js";
import { prose as texts } from "../../dist/spec/prose.js";
import { sectionNames } from "../../dist/spec/sections.js";
import { layers } from "../layers.mjs";
import { table } from "./markdown.mjs";

/** Joins a paragraph that stands on several lines of the source. */
const prose = (...text) => String.raw({ raw: text[0] }, ...text.slice(1)).replaceAll(/\s+/g, " ");

/** A comment in the source of a page, for whoever edits the page. Readers do not see it. */
const generated = "<!-- Made from spec/ by npm run docs; do not edit by hand. -->";

/** `docs/requirements.md`: the catalogue by area, and the open questions. */
export function requirementsDocument() {
  const rows = Object.entries(catalogue);
  const needsOf = (id) => {
    if (needsCustomer(id)) return "customer";
    return neededOperations(id).some(takesToken) ? "token" : "key";
  };
  const musts = rows.filter(([, { level }]) => level === "MUST").length;
  return [
    "# Requirements",
    generated,
    prose`This page lists what a server is judged by: ${rows.length} requirements (${musts} MUST,
      ${rows.length - musts} SHOULD). After them come ${Object.keys(texts.questions).length} open questions. \`--only\` and
      \`--exclude\` take an id or the name of an area, and \`npx fxconform explain <id>\` prints all about a
      requirement, with recorded exchanges.`,
    prose`*Basis* is a sentence of the specification (stated), a value in one of its samples (example), or a conclusion
      from either (inferred), and *source* is the heading there. *Needs* says what a run needs to judge the row: the API
      key, a token, or also a customer. *Read as* links to the interpretations.`,
    ...areas.flatMap((area) => areaSection(area, rows, needsOf)),
    "## Open questions",
    prose`The specification leaves these open. A run reports what the server does there, and judges it only against
      answers that a statement pins.`,
    table(
      ["id", "question", "answered by", "source"],
      Object.entries(texts.questions).map(([id, { question, observed, source }]) => [
        id,
        question,
        observed,
        source,
      ]),
    ),
    "## Coverage of the specification",
    "Each section with the requirements, interpretations and open questions that come from it, or why it has none.",
    table(
      ["section", "about", "leads to", "else"],
      sectionNames.map((name) => {
        const {
          about,
          requirements,
          interpretations: readings,
          questions: open,
          reason = "",
        } = coverageOf(name);
        const ids = requirements.length === 0 ? [] : [idsText(requirements)];
        return [name, about, [...ids, ...readings.map(link), ...open].join(", "), reason];
      }),
    ),
  ].join("\n\n");
}

/**
 * Returns a table of the faults that a run with the default options does not reach, with the
 * settings that reach them.
 */
export function patientFaultsTable(faults) {
  const rows = faults.filter(({ needs }) => needs?.runs !== undefined);
  return table(
    ["requirement", "fault", "what it does", "reached by"],
    rows.map(({ breaks, id, about, needs }) => [breaks, id, about, `\`--runs ${needs.runs}\``]),
  );
}

/** Returns a table of the faults that a default run is known to miss. */
export function missedTable(faults) {
  const rows = faults.filter(({ known }) => known === "missed");
  return table(
    ["requirement", "fault", "what it does"],
    rows.map(({ breaks, id, about }) => [breaks, id, about]),
  );
}

/** Says how many faults and variants there are. */
export function countsText(faults, variants) {
  return `The catalogue of today has ${faults.length} faults and ${variants.length} variants, which \`npm run sensitivity -- --check\` runs.`;
}

function areaSection(area, rows, needsOf) {
  const cells = (id, row) => [
    id,
    row.level,
    row.statement,
    row.basis,
    row.source,
    needsOf(id),
    row.interpretations.map(link).join(" "),
  ];
  return [
    `## ${area}`,
    table(
      ["id", "level", "statement", "basis", "source", "needs", "read as"],
      rows.filter(([, row]) => row.area === area).map(([id, row]) => cells(id, row)),
    ),
  ];
}

const link = (id) => `[${id}](interpretations.md#${id.toLowerCase()})`;

/**
 * `docs/interpretations.md`: how contested points are read, and which requirements rest on each
 * reading.
 */
export function interpretationsDocument() {
  return [
    "# Interpretations",
    generated,
    prose`This page says how fxconform reads the places of the specification that leave room, and why: read it first if
      you doubt a verdict. [Requirements](requirements.md) and comments in the code cite the ids.`,
    prose`After each title stand the section of the specification and the strictest level that the reading leads to:
      MUST fails the run, SHOULD warns, open is observed and never judged, and suite binds what fxconform itself sends
      and reports.`,
    ...Object.entries(texts.interpretations).flatMap(([id, row]) =>
      entry(id, row, requirementsOf(id)),
    ),
  ].join("\n\n");
}

function entry(
  id,
  { source, title, level, reading, neverBlamed, why, questions: open = [] },
  requirements,
) {
  const text = [
    `**${title}** (${source}; ${level}). ${reading}`,
    `**Never blamed:** ${neverBlamed}`,
    `**Why:** ${why}`,
    ...(requirements.length === 0 ? [] : [`**Requirements:** ${idsText(requirements)}.`]),
    ...(open.length === 0 ? [] : [`**Open questions:** ${open.join(", ")}.`]),
  ];
  return [`## ${id}`, linked(text.join(" "))];
}

const linked = (text) => text.replaceAll(/INT-\d+/g, (id) => `[${id}](#${id.toLowerCase()})`);

export function optionTables() {
  const groups = [...new Set(optionNames.map(groupOf))];
  return groups.flatMap((group) => [`### ${group}`, groupTable(group)]).join("\n\n");
}

function groupTable(group) {
  return table(
    ["flag", "variable", "file", "default", "meaning"],
    optionNames
      .filter((name) => groupOf(name) === group)
      .map((name) => {
        const { value, about } = optionOf(name);
        const flag = value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`;
        return [code(flag), code(variableOf(name)), code(name), standardOf(optionOf(name)), about];
      }),
  );
}

function standardOf(option) {
  const text = defaultText(option);
  if (text === undefined) return option.fallback === false ? "off" : "none";
  return option.fallbackText === undefined ? code(text) : text;
}

const code = (text) => `\`${text}\``;

/** The tables of ARCHITECTURE.md in Markdown: the layers, and the folders inside them. */
export function layersTable() {
  const cell = ({ imports, types = [] }) =>
    [...imports, ...types.map((folder) => `types of ${folder}`)].join(", ") || "nothing of ours";
  const inner = layers.flatMap(({ folder, inside = {} }) =>
    Object.entries(inside).map(([name, imports]) => [
      `\`${folder}/${name}/\``,
      imports.join(", ") || "none",
    ]),
  );
  const nameOf = ({ folder }) => code(folder.endsWith(".ts") ? folder : `${folder}/`);
  const outer = layers.map((one) => [nameOf(one), one.purpose, cell(one)]);
  return [
    table(["folder", "holds", "imports"], outer),
    table(["folder inside a layer", "imports of its siblings"], inner),
  ].join("\n\n");
}

/**
 * Returns the requirements that need a new example: they have none, or their example names a fault
 * or a scenario that no longer exists.
 */
export function lackingExamples(examples, requirementIds, { faults, scenarios }) {
  return requirementIds.filter((id) => {
    const example = examples.requirements[id];
    if (example === undefined || !example.scenarios.every((title) => scenarios.includes(title)))
      return true;
    return example.fault !== undefined && !faults.includes(example.fault);
  });
}
