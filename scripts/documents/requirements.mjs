import { built } from "./built.mjs";
import { table } from "./table.mjs";

/** `docs/requirements.md`: the catalogue by area and the open questions, read from the build. */
export async function requirementsDocument() {
  const { areas, catalogue, neededOperations, needsCustomer } = await built("spec/catalogue.js");
  const { questions } = await built("spec/questions.js");
  const { sectionNames } = await built("spec/sections.js");
  const { coverageOf } = await built("spec/catalogue.js");
  const rows = Object.entries(catalogue);
  const needsOf = (id) => {
    if (needsCustomer(id)) return "customer";
    return neededOperations(id).some((name) => name !== "createToken") ? "token" : "key";
  };
  const musts = rows.filter(([, { level }]) => level === "MUST").length;
  return [
    "# Requirements",
    "Made from `spec/` by `npm run docs`; do not edit by hand.",
    [
      `${rows.length} requirements (${musts} MUST, ${rows.length - musts} SHOULD) and`,
      `${Object.keys(questions).length} open questions.`,
      "An id is permanent and is what `--only` and `--exclude` take, as is the name of an area.",
      "`npx fxconform explain <id>` prints all about one of them, with recorded exchanges.",
    ].join(" "),
    [
      "*Basis* says where a row comes from: a sentence of the specification (stated), a value in one of its samples",
      "(example), or a conclusion from either (inferred). *Source* is the heading there. *Needs* says what a run needs to",
      "judge the row: the API key, a token, or also a customer. *Shows* says where a violation shows: in every exchange",
      "of the operation, or in a sequence of requests that a scenario sends. *Read as* links to the interpretations.",
    ].join(" "),
    ...areas.flatMap((area) => areaSection(area, rows, needsOf)),
    "## Open questions",
    [
      "The specification leaves these open. A server is never judged by them; the run reports what it does,",
      "and the answers bind only who pins them in a statement.",
    ].join(" "),
    table(
      ["id", "question", "answered by", "source"],
      Object.entries(questions).map(([id, { question, observed, source }]) => [id, question, observed, source]),
    ),
    "## Coverage of the specification",
    "Each section with the requirements, interpretations and open questions that come from it, or why it has none.",
    table(
      ["section", "about", "leads to", "else"],
      sectionNames.map((name) => {
        const { about, requirements, interpretations, questions: open, reason = "" } = coverageOf(name);
        return [name, about, [...requirements, ...interpretations.map(link), ...open].join(" "), reason];
      }),
    ),
  ].join("\n\n");
}

function areaSection(area, rows, needsOf) {
  const cells = (id, row) => [
    id,
    row.level,
    row.statement,
    row.basis,
    row.source,
    needsOf(id),
    row.shows,
    row.interpretations.map(link).join(" "),
    row.since,
  ];
  return [
    `## ${area}`,
    table(
      ["id", "level", "statement", "basis", "source", "needs", "shows", "read as", "since"],
      rows.filter(([, row]) => row.area === area).map(([id, row]) => cells(id, row)),
    ),
  ];
}

const link = (id) => `[${id}](interpretations.md#${id.toLowerCase()})`;
