import { built } from "./built.mjs";

/** The pages of `docs/explain/`: what `fxconform explain` prints, a page for each area and one for the open questions. */
export async function explanationDocuments() {
  const { areas, requirementsIn } = await built("spec/catalogue.js");
  const { questionIds } = await built("spec/questions.js");
  const { explanationOf } = await built("cli/explanation/explanation.js");
  const { readExamples } = await built("cli/explanation/examples.js");
  const examples = readExamples();
  const page = (title, ids) =>
    [
      `# ${title}`,
      "Made by `npm run docs` from `spec/` and from exchanges with the reference server; do not edit by hand.",
      "`npx fxconform explain <id>` prints the same in the terminal.",
      ...ids.map((id) => explanationMarkdown(explanationOf(id, examples, "npx fxconform"))),
    ].join("\n\n");
  return Object.fromEntries([
    ...areas.map((area) => [`docs/explain/${area}.md`, page(`Requirements: ${area}`, requirementsIn(area))]),
    ["docs/explain/questions.md", page("Open questions", questionIds)],
  ]);
}

/** An explanation as a section of a page, under a heading that is its id. */
const explanationMarkdown = ({ id, title, parts }) =>
  [
    `## ${id}`,
    `**${escaped(title)}**`,
    ...parts.flatMap((part) => [
      `### ${escaped(part.title)}`,
      ...part.paragraphs.map(escaped),
      ...(part.listing === undefined ? [] : [fenced(part.listing)]),
    ]),
  ].join("\n\n");

/** Escapes the special characters of Markdown. */
const escaped = (text) => text.replaceAll(/[\\`*_{}[\]<>#|]/g, (char) => `\\${char}`);

/** A fence longer than any run of backticks in the text. */
function fenced(text) {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
