import { waitingText } from "../../model/conclusion/mistake-words.ts";
import { wayText } from "../../model/network.ts";
import { plural } from "../../model/plural.ts";
import type { Finding, Run } from "../../model/run.ts";
import { groups } from "../../model/groups.ts";
import { answerGroups, byReason, idsText } from "../groups.ts";
import {
  actualText,
  expectedText,
  frequencyText,
  failuresOf,
  clientFindingText,
} from "../failures.ts";
import { clientFindingsTitle, ownReasons } from "../failures.ts";
import type { Failure } from "../failures.ts";
import { gateLine, reasonLines, toleratedLines, headline } from "../gate.ts";
import type { Renderer } from "../saving.ts";
import { documentPlaceText, frameLines } from "../document-place.ts";
import { commandLine, plain } from "../sanitize.ts";
import { sinceLastText } from "../since-last.ts";
import { counted, outcomeSigns, signs, tally, verdicts } from "../verdict-symbols.ts";
import { isInSummary } from "../../model/conclusion/outcome.ts";

/**
 * A summary for a pull request or the page of a job: at most 60 KB, with a blank line at the end so
 * that another summary can follow.
 */
export const markdown: Renderer = {
  file: "summary.md",
  render: (run) =>
    joined([
      `## ${outcomeSigns[run.outcome]} fxconform: ${run.outcome}`,
      words(run.summary),
      `${code(run.target.baseUrl, 300)}${way(run)} · profile ${run.profile} · ${words(headline(run))}`,
      gate(run),
      words(sinceLastText(run) ?? ""),
      areaTable(run),
      token(run),
      ...bounded(failuresOf(run, "fail").map(failure), 30_000, "failures"),
      warnings(run),
      clientFindings(run),
      withoutVerdict(run),
      observations(run),
      notes(run),
      "",
    ]) + "\n",
};

function clientFindings({ client = [] }: Run): string {
  return client.length === 0
    ? ""
    : [`**${clientFindingsTitle}**`, ...listed(client.map(clientFindingText), "mistakes")].join(
        "\n",
      );
}

function way({ target: { network } }: Run): string {
  return network === undefined ? "" : ` · ${words(`sent ${wayText(network)}`)}`;
}

function joined(blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function gate(run: Run): string {
  return [
    `**${words(gateLine(run))}**`,
    ...listed(
      reasonLines({ gate: { ...run.gate, reasons: ownReasons(run) } }).filter(
        (text) => text !== run.summary,
      ),
      "reasons",
    ),
    ...listed(toleratedLines(run), "tolerated failures"),
    ...listed(run.narrowed ?? [], "options that narrow the gate"),
  ].join("\n");
}

function listed(texts: readonly string[], name: string): readonly string[] {
  return [
    ...(texts.length === 0 ? [] : [""]),
    ...bounded(
      texts.map((text) => `- ${words(text, 200)}`),
      5000,
      name,
    ),
  ];
}

function token(run: Run): string {
  return run.tokenCommand === undefined ||
    run.requirements.every(({ findings }) => findings.length === 0)
    ? ""
    : details("The token that the requests below use", [
        `<pre>${html(plain(run.tokenCommand, 1000))}</pre>`,
      ]);
}

function areaTable(run: Run): string {
  const shown = verdicts.filter((verdict) =>
    run.requirements.some((row) => row.verdict === verdict),
  );
  if (shown.length === 0) return "";
  return [
    `| area | ${shown.map((verdict) => `${signs[verdict]} ${counted[verdict]}`).join(" | ")} |`,
    `| --- | ${shown.map(() => "---:").join(" | ")} |`,
    ...[...groups(run.requirements, (row) => row.area)].map(([area, rows]) => {
      const counts = tally(rows);
      return `| ${area} | ${shown.map((verdict) => counts[verdict]).join(" | ")} |`;
    }),
  ].join("\n");
}

function failure({ cause, rows, members }: Failure): string {
  const [{ row, finding }] = members;
  const more = members.length - 1;
  const title = `<b>${rows.map(({ id }) => id).join(" ")}</b> ${html(plain(cause.text, 300))}`;
  const waiting = waitingText(cause.waiting);
  return joined([
    `<details><summary>${signs[row.verdict]} ${title}</summary>`,
    rows.map((each) => `- **${each.id}** ${each.level} ${words(each.statement, 300)}`).join("\n"),
    waiting,
    evidence(finding),
    more > 0 ? `and ${plural(more, "more finding")} in the other reports` : "",
    `</details>`,
  ]).trimEnd();
}

function evidence(finding: Finding): string {
  const often = frequencyText(finding);
  const lines = [
    `expected  ${plain(expectedText(finding), 500)}`,
    `actual    ${plain(actualText(finding), 500)}`,
    ...(often ? [`seen      ${plain(often, 100)}`] : []),
    ...(finding.document === undefined
      ? []
      : [`place     ${plain(documentPlaceText(finding.document), 400)}`]),
    ...(finding.document === undefined
      ? []
      : frameLines(finding.document).map((line) => plain(line, 200))),
    `replay    ${plain(finding.replay, 800)}`,
    ...commandLine("request   ", finding.curl, 1000),
  ];
  return `<pre>${html(lines.join("\n"))}</pre>`;
}

function warnings(run: Run): string {
  return folded(
    `${signs.warn} Warnings`,
    run.requirements.filter(({ verdict }) => verdict === "warn").length,
    failuresOf(run, "warn").map(
      ({ cause, rows }) => `- ${code(cause.text, 300)} (${rows.map(({ id }) => id).join(", ")})`,
    ),
    "warnings",
  );
}

/** A folded list of the requirements without a verdict, grouped by reason, with all their ids. */
function withoutVerdict(run: Run): string {
  return folded(
    `${signs.inconclusive} No verdict`,
    run.requirements.filter(({ verdict }) => verdict === "inconclusive").length,
    byReason(run, "inconclusive").map(([reason, group]) => {
      const ids = idsText(group.map(({ id }) => id));
      // The summary above may already contain this reason.
      return isInSummary(run, reason) ? `- ${ids}` : `- ${code(reason, 300)} (${ids})`;
    }),
    "reasons",
  );
}

/** A folded list, under a title that ends with `count`. Empty if `count` is 0. */
function folded(title: string, count: number, lines: readonly string[], name: string): string {
  return count === 0 ? "" : details(`${title} (${count})`, bounded(lines, 6000, name));
}

function details(title: string, lines: readonly string[]): string {
  return [`<details><summary>${title}</summary>`, ``, ...lines, ``, `</details>`].join("\n");
}

function observations(run: Run): string {
  const answered = run.observations.filter((observation) => observation.answers.length > 0);
  const rows = answered.map((observation) => {
    const answers = answerGroups(observation);
    const shown = answers.slice(0, 6).map(({ answer, count }) => `${code(answer, 60)} ×${count}`);
    return `| ${observation.id} | ${words(observation.question, 200)} | ${shown.join(", ")}${answers.length > 6 ? ", …" : ""} |`;
  });
  const title = `What this server does where the specification is silent (${answered.length})`;
  const table = [
    `| question | | observed |`,
    `| --- | --- | --- |`,
    ...bounded(rows, 14_000, "questions"),
  ];
  return rows.length === 0 ? "" : details(title, table);
}

function notes(run: Run): string {
  return [...run.warnings, ...run.withheld]
    .slice(0, 10)
    .map((text) => `- ${code(text, 200)}`)
    .join("\n");
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
const code = (text: string, limit: number): string => `<code>${entities(text, limit)}</code>`;

/**
 * A text as prose. The zero-width space after @ keeps GitHub from notifying a person of that name.
 */
function words(text: string, limit = 500): string {
  return entities(text, limit).replaceAll("&#64;", "&#64;&#8203;");
}

/**
 * A text in which every character that has a meaning in Markdown or HTML is an entity, so that it
 * is shown as it is.
 */
function entities(text: string, limit: number): string {
  return plain(text, limit)
    .trim()
    .replace(
      /[&<>"'`*_{}[\]()#+!|~@:\\$=^]|(?<=^\d+)[.)]|(?<=www)\.|^[-.]/gi,
      (character) => `&#${character.charCodeAt(0)};`,
    );
}

function html(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
