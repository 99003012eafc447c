import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";

/**
 * Returns the page with each part between the markers of its name, `<!-- name -->` and
 * `<!-- /name -->`. Throws if the page lacks these markers.
 */
export function withParts(page, parts) {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const open = `<!-- ${name} -->`;
    const close = `<!-- /${name} -->`;
    const from = text.indexOf(open);
    const to = text.indexOf(close);
    if (from < 0 || to < from) throw new Error(`The page lacks the markers ${open} and ${close}`);
    return `${text.slice(0, from)}${open}\n\n${part}\n\n${text.slice(to)}`;
  }, page);
}

/**
 * Writes a generated file, formatted, unless `onlyChecks`. `textOf` makes its content from its
 * present one. Resolves to whether the file was out of date.
 */
export async function rewrite(path, textOf, onlyChecks = false) {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const now = readFileSync(file, "utf8");
  const text = await format(textOf(now), { ...(await resolveConfig(file)), filepath: file });
  if (text !== now && !onlyChecks) writeFileSync(file, text);
  return text !== now;
}

/** Returns a table in Markdown. A cell is plain text, or code between backticks. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replace(/[|\\]/g, "\\$&")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
