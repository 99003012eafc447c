import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The pages of `docs/explain/`: what `fxconform explain` prints, a page for each area and one for the open questions. */
export async function explanationDocuments(root) {
  const built = (name) => import(pathToFileURL(join(root, "dist", name)).href);
  const { areas, requirementsIn } = await built("spec/catalogue.js");
  const { questionIds } = await built("spec/questions.js");
  const { explanationOf } = await built("cli/explanation/explanation.js");
  const { explanationMarkdown } = await built("cli/explanation/markdown.js");
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
