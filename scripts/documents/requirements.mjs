import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { table } from "./table.mjs";

/** `docs/requirements.md`: the catalogue by area and the open questions, read from the build. */
export async function requirementsDocument(root) {
  const built = (name) => import(pathToFileURL(join(root, "dist", "spec", name)).href);
  const { areas, catalogue } = await built("catalogue.js");
  const { questions } = await built("questions.js");
  const { rulings, sections } = await built("coverage.js");
  const rows = Object.entries(catalogue);
  const musts = rows.filter(([, { level }]) => level === "MUST").length;
  return [
    "# Requirements",
    "Made from `spec/` by `npm run docs`; do not edit by hand.",
    [
      `${rows.length} requirements (${musts} MUST, ${rows.length - musts} SHOULD) and`,
      `${Object.keys(questions).length} open questions.`,
      "An id is permanent and is what `--only` and `--exclude` take, as is the name of an area.",
    ].join(" "),
    [
      "*Basis* says where a row comes from: a sentence of the specification (stated), a value in one of its samples",
      "(example), or a conclusion from either (inferred). *Source* is the heading there.",
    ].join(" "),
    ...areas.flatMap((area) => areaSection(area, rows)),
    "## Open questions",
    [
      "The specification leaves these open. A server is never judged by them; the run reports what it does,",
      "and the answers bind only who pins them in a statement.",
    ].join(" "),
    table(
      ["id", "question", "answered by", "source"],
      Object.entries(questions).map(([id, { question, observed, source }]) => [id, question, observed, source]),
    ),
    "## Where each text leads",
    [
      "Every section of the specification and every ruling on it, with the requirements and questions that it led to,",
      "or why it led to none.",
    ].join(" "),
    coverageTable("section", sections),
    coverageTable("ruling", rulings),
  ].join("\n\n");
}

const coverageTable = (title, rows) =>
  table(
    [title, "about", "requirements and questions", "else"],
    Object.entries(rows).map(([name, { about, requirements, questions, reason = "" }]) => [
      name,
      about,
      [...requirements, ...questions].join(" "),
      reason,
    ]),
  );

function areaSection(area, rows) {
  const own = rows.filter(([, requirement]) => requirement.area === area);
  return [
    `## ${area}`,
    table(
      ["id", "level", "statement", "basis", "source"],
      own.map(([id, { level, statement, basis, source }]) => [id, level, statement, basis, source]),
    ),
  ];
}
