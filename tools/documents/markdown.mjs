import { readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";

/**
 * Returns the page with `part` between the markers `<!-- name -->` and `<!-- /name -->`. Throws if
 * the page lacks these markers.
 */
export function withPart(page, name, part) {
  const open = `<!-- ${name} -->`;
  const close = `<!-- /${name} -->`;
  const from = page.indexOf(open);
  const to = page.indexOf(close);
  if (from < 0 || to < from) throw new Error(`The page lacks the markers ${open} and ${close}`);
  return `${page.slice(0, from)}${open}\n\n${part}\n\n${page.slice(to)}`;
}

/** Writes parts into the page `docs/<name>`, each between the markers of its own name. */
export async function writeParts(name, parts) {
  const file = new URL(`../../docs/${name}`, import.meta.url);
  const page = Object.entries(parts).reduce(
    (text, part) => withPart(text, ...part),
    readFileSync(file, "utf8"),
  );
  writeFileSync(file, await format(page, { parser: "markdown", printWidth: 120 }));
}

/** Returns a table in Markdown. A cell is plain text, or code between backticks. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replace(/[|\\]/g, "\\$&")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
