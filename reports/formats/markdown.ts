import { idsText } from "../wording.ts";
import {
  areasOf,
  clientFindingsTitle,
  namedTexts,
  pageOf,
  type Block,
  type Page,
} from "../page.ts";
import { asEntities } from "../sanitize.ts";
import type { Renderer } from "../saving.ts";
import { counted, signs, tally, verdicts } from "../verdict-symbols.ts";

/**
 * A summary for a pull request or the page of a job: at most 60 KB, with a blank line at the end so
 * that another summary can follow.
 */
export const markdown: Renderer = {
  file: "summary.md",
  render: (run) => {
    const page = pageOf(run);
    return (
      joined([
        `## ${page.sign} fxconform: ${page.outcome}`,
        words(page.summary),
        [
          code(page.target),
          page.way && words(page.way),
          `profile ${page.profile}`,
          words(page.headline),
        ]
          .filter(Boolean)
          .join(" · "),
        gate(page),
        words(page.since),
        areaTable(page),
        page.token &&
          details("The token that the requests below use", [`<pre>${html(page.token)}</pre>`]),
        ...bounded(page.mistakes.map(mistake), 30_000, "mistakes"),
        folded(
          `${signs.warn} Warnings`,
          page.warnings.flatMap(({ breaks }) => breaks),
          page.warnings.map(
            ({ title, breaks }) => `- ${code(title)} (${breaks.map(({ id }) => id).join(", ")})`,
          ),
          "warnings",
        ),
        page.client.length > 0 &&
          [`**${clientFindingsTitle}**`, ...listed(page.client, "mistakes")].join("\n"),
        open(page),
        page.notes
          .slice(0, 10)
          .map((text) => `- ${code(text)}`)
          .join("\n"),
        "",
      ]) + "\n"
    );
  },
};

function joined(blocks: readonly (string | false)[]): string {
  return `${blocks.filter((block) => block !== "" && block !== false).join("\n\n")}\n`;
}

function gate({ gate: { line, reasons, tolerated, narrowed } }: Page): string {
  return [
    `**${words(line)}**`,
    ...listed(reasons, "reasons"),
    ...listed(tolerated, "tolerated failures"),
    ...listed(narrowed, "options that narrow the gate"),
  ].join("\n");
}

function listed(texts: readonly string[], name: string): readonly string[] {
  const items = texts.map((text) => `- ${words(text)}`);
  return items.length === 0 ? [] : ["", ...bounded(items, 5000, name)];
}

function areaTable(page: Page): string {
  const all = tally(page.rows);
  const shown = verdicts.filter((verdict) => all[verdict] > 0);
  if (shown.length === 0) return "";
  return [
    `| area | ${shown.map((verdict) => `${signs[verdict]} ${counted[verdict]}`).join(" | ")} |`,
    `| --- | ${shown.map(() => "---:").join(" | ")} |`,
    ...areasOf(page).map(([area, rows]) => {
      const counts = tally(rows);
      return `| ${area} | ${shown.map((verdict) => counts[verdict]).join(" | ")} |`;
    }),
  ].join("\n");
}

function mistake({ verdict, title, breaks, shows, kinds, remarks }: Block): string {
  if (shows === undefined)
    return joined([`${signs[verdict]} ${words(title)}`, words(remarks)]).trimEnd();
  const ids = breaks.map(({ id }) => id).join(" ");
  return joined([
    `<details><summary>${signs[verdict]} <b>${ids}</b> ${words(title)}</summary>`,
    breaks.map((one) => `- **${one.id}** ${one.level} ${words(one.statement)}`).join("\n"),
    words(remarks),
    `<pre>${html(
      namedTexts(shows, kinds)
        .map(([name, text]) => `${name.padEnd(9)} ${text}`)
        .join("\n"),
    )}</pre>`,
    `</details>`,
  ]).trimEnd();
}

/** A folded list of the requirements without a verdict, by reason, with all their ids. */
function open(page: Page): string {
  const all = page.open.filter(({ verdict }) => verdict === "inconclusive");
  const lines = all.map(({ ids, reason, isWaiting }) => {
    const why = isWaiting ? "until a mistake above is mended" : reason;
    return why === "" ? `- ${idsText(ids)}` : `- ${code(why)} (${idsText(ids)})`;
  });
  return folded(
    `${signs.inconclusive} No verdict`,
    all.flatMap(({ ids }) => ids),
    lines,
    "reasons",
  );
}

/** A folded list, under a title that ends with the number of `items`. Empty without items. */
function folded(
  title: string,
  items: readonly unknown[],
  lines: readonly string[],
  name: string,
): string {
  return items.length === 0
    ? ""
    : details(`${title} (${items.length})`, bounded(lines, 6000, name));
}

function details(title: string, lines: readonly string[]): string {
  return [`<details><summary>${title}</summary>`, ``, ...lines, ``, `</details>`].join("\n");
}

/**
 * As many blocks as fit into `limit` bytes, then a line with the number of blocks that were left
 * out.
 */
function bounded(blocks: readonly string[], limit: number, name: string): readonly string[] {
  let bytes = 0;
  const end = blocks.findIndex((block) => {
    bytes += Buffer.byteLength(block) + 2;
    return bytes > limit;
  });
  if (end === -1) return blocks;
  return [
    ...blocks.slice(0, end),
    `- and ${blocks.length - end} more ${name} in the other reports`,
  ];
}

/**
 * A text as code. GitHub makes no mentions and links in a code element, and characters that are
 * written as entities have no meaning in Markdown.
 */
const code = (text: string): string => `<code>${entities(text)}</code>`;

/**
 * A text as prose. The zero-width space after @ keeps GitHub from notifying a person of that name.
 */
function words(text: string): string {
  return entities(text).replaceAll("&#64;", "&#64;&#8203;");
}

/**
 * A text in which every character that has a meaning in Markdown or HTML is an entity, so that it
 * is shown as it is.
 */
function entities(text: string): string {
  return asEntities(
    text.trim(),
    /[&<>"'`*_{}[\]()#+!|~@:\\$=^]|(?<=^\d{1,9})[.)]|(?<=www)\.|^[-.]/gi,
  );
}

function html(text: string): string {
  return asEntities(text, /[&<>]/g);
}
