import { built } from "./built.mjs";

/** `docs/interpretations.md`: how the contested points are read, and the requirements they concern, from the build. */
export async function interpretationsDocument() {
  const { interpretations } = await built("spec/interpretations.js");
  const { requirementsOf } = await built("spec/catalogue.js");
  return [
    "# Interpretations",
    "Made from `spec/` by `npm run docs`; do not edit by hand.",
    [
      "The specification leaves room in some places. This page says how fxconform reads them and why: read it first if",
      "you doubt a verdict. An id is permanent; [requirements](requirements.md) and comments in the code cite it.",
    ].join(" "),
    [
      "*Level* is the strictest one that a reading leads to. MUST fails the run, SHOULD warns, open is observed and never",
      "judged, and suite binds what fxconform itself sends and reports.",
    ].join(" "),
    ...Object.entries(interpretations).flatMap(([id, row]) => entry(id, row, requirementsOf(id))),
  ].join("\n\n");
}

function entry(id, { source, title, level, reading, neverBlamed, why, questions = [] }, requirements) {
  return [
    `## ${id}`,
    `**${title}** (${level}; ${source})`,
    linked(reading),
    `*Never blamed:* ${linked(neverBlamed)}`,
    `*Why:* ${linked(why)}`,
    ...(requirements.length === 0 ? [] : [`*Requirements:* ${requirements.join(", ")}`]),
    ...(questions.length === 0 ? [] : [`*Open questions:* ${questions.join(", ")}`]),
  ];
}

const linked = (text) => text.replaceAll(/INT-\d+/g, (id) => `[${id}](#${id.toLowerCase()})`);
