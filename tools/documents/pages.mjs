// Makes the generated documents from the build.
import {
  defaultText,
  flagOf,
  groupOf,
  optionNames,
  optionOf,
  variableOf,
} from "../../dist/settings/options.js";
import { faults, variants } from "../../dist/reference/deviations/index.js";
import { idsText } from "../../dist/reports/wording.js";
import { areas, catalogue, coverageOf, neededOperations } from "../../dist/spec/catalogue.js";
import { needsCustomer, requirementsOf } from "../../dist/spec/catalogue.js";
import { takesToken } from "../../dist/spec/operations.js";
import { prose } from "../../dist/spec/prose.js";
import { sectionNames } from "../../dist/spec/sections.js";
import { layers } from "../layers.mjs";
import { table } from "./markdown.mjs";

/** The parts of docs/requirements.md: the catalogue by area, the open questions, and the coverage. */
export function catalogueParts() {
  const rows = Object.entries(catalogue);
  const musts = rows.filter(([, { level }]) => level === "MUST").length;
  const questions = Object.entries(prose.questions);
  return {
    requirements: [
      `${rows.length} requirements, ${musts} MUST and ${rows.length - musts} SHOULD:`,
      ...areas.flatMap((area) => areaSection(area, rows)),
    ].join("\n\n"),
    questions: table(
      ["id", "question", "answered by", "source"],
      questions.map(([id, { question, observed, source }]) => [id, question, observed, source]),
    ),
    coverage: table(
      ["section", "about", "leads to", "else"],
      sectionNames.map((name) => {
        const {
          about,
          requirements,
          interpretations,
          questions: open,
          reason = "",
        } = coverageOf(name);
        const ids = requirements.length === 0 ? [] : [idsText(requirements)];
        return [name, about, [...ids, ...interpretations.map(link), ...open].join(", "), reason];
      }),
    ),
  };
}

/**
 * The parts of docs/sensitivity.md on the catalogue of deviations: the faults that a run with the
 * default options does not reach, with the settings that reach them; how many there are; and the
 * faults that a default run is known to miss.
 */
export function deviationParts() {
  const head = ["requirement", "fault", "what it does"];
  const patient = faults.filter(({ needs }) => needs?.runs !== undefined);
  const missed = faults.filter(({ known }) => known === "missed");
  const cells = ({ breaks, id, about }) => [breaks, id, about];
  return {
    patient: table(
      [...head, "reached by"],
      patient.map((one) => [...cells(one), `\`--runs ${one.needs.runs}\``]),
    ),
    counts: `The catalogue of today has ${faults.length} faults and ${variants.length} variants, which \`npm run sensitivity -- --check\` runs.`,
    missed: table(head, missed.map(cells)),
  };
}

function needsOf(id) {
  if (needsCustomer(id)) return "customer";
  return neededOperations(id).some(takesToken) ? "token" : "key";
}

function areaSection(area, rows) {
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

/** The part of docs/interpretations.md: each reading, and which requirements rest on it. */
export function interpretationParts() {
  const all = Object.entries(prose.interpretations);
  return { interpretations: all.flatMap(([id, row]) => entry(id, row)).join("\n\n") };
}

function entry(id, { source, title, level, reading, neverBlamed, why, questions: open = [] }) {
  const requirements = requirementsOf(id);
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
