import type { Explanation } from "./explanation.ts";

/** An explanation as a section of a page, under a heading that is its id. */
export const explanationMarkdown = ({ id, title, parts }: Explanation): string =>
  [
    `## ${id}`,
    `**${escaped(title)}**`,
    ...parts.flatMap((part) => [
      `### ${escaped(part.title)}`,
      ...part.paragraphs.map(escaped),
      ...(part.listing === undefined ? [] : [fenced(part.listing)]),
    ]),
  ].join("\n\n");

/** Text in which nothing is markup. */
const escaped = (text: string): string => text.replaceAll(/[\\`*_{}[\]<>#|]/g, (char) => `\\${char}`);

/** A fence longer than any run of backticks in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
