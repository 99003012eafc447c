import { answerGroups } from "./answers.ts";
import { actualText, expectedText, frequencyText } from "./evidence.ts";
import { groups } from "./groups.ts";
import { headline } from "./headline.ts";
import { plain } from "./sanitize.ts";
import type { Renderer } from "./renderer.ts";
import type { Finding, RequirementResult, Run } from "../model/run.ts";
import { counted, outcomeSigns, signs, verdicts } from "./verdict-symbols.ts";
import { tally } from "./tally.ts";

/** For a pull request or a job page: outcome, table by area, failures with folded evidence. Stays below 60 KB. */
export const markdown: Renderer = {
  file: "summary.md",
  render(run) {
    const failed = run.requirements.filter((row) => row.verdict === "fail");
    return joined([
      `## ${outcomeSigns[run.outcome]} fxconform: ${run.outcome}`,
      words(run.summary),
      `${code(run.target.baseUrl, 300)} · profile ${run.profile} · ${words(headline(run))}`,
      gate(run),
      areaTable(run),
      ...bounded(failed, failure, 36_000, "failed requirements"),
      folded("Warnings", run, "warn"),
      folded("Could not be told", run, "inconclusive"),
      observations(run),
      notes(run),
    ]);
  },
};

const joined = (blocks: readonly string[]): string => `${blocks.filter((block) => block !== "").join("\n\n")}\n`;

const gate = (run: Run): string =>
  run.gate.pass
    ? "The gate passes."
    : `**The gate does not pass:** ${words(run.gate.reasons.map(({ text }) => text).join("; "), 1000)}`;

function areaTable(run: Run): string {
  const shown = verdicts.filter((verdict) => run.requirements.some((row) => row.verdict === verdict));
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

const shownFindings = 3;

function failure(row: RequirementResult): string {
  const [first] = row.findings;
  const more = row.findings.length - shownFindings;
  return joined([
    `<details><summary>${signs.fail} <b>${row.id}</b> ${row.level} ${html(plain(row.statement, 300))}</summary>`,
    first ? code(first.message, 300) : "",
    ...row.findings.slice(0, shownFindings).map(evidence),
    more > 0 ? `and ${more} more findings in the other reports` : "",
    `</details>`,
  ]).trimEnd();
}

function evidence(finding: Finding): string {
  const often = frequencyText(finding);
  const lines = [
    `expected  ${plain(expectedText(finding), 500)}`,
    `actual    ${plain(actualText(finding), 500)}`,
    ...(often ? [`seen      ${plain(often, 100)}`] : []),
    `replay    ${plain(finding.replay, 800)}`,
    `request   ${plain(finding.curl, 1000)}`,
  ];
  return `<pre>${html(lines.join("\n"))}</pre>`;
}

/** Rows of a verdict by their reason, under a fold. */
function folded(title: string, run: Run, verdict: "warn" | "inconclusive"): string {
  const rows = run.requirements.filter((row) => row.verdict === verdict);
  if (rows.length === 0) return "";
  const reasons = [...groups(rows, (row) => row.reason ?? row.findings[0]?.message ?? row.statement)];
  const lines = reasons.map(([reason, group]) => `- ${code(reason, 300)} (${group.map((row) => row.id).join(", ")})`);
  return [
    `<details><summary>${signs[verdict]} ${title} (${rows.length})</summary>`,
    ``,
    ...bounded(lines, (line) => line, 6000, "reasons"),
    ``,
    `</details>`,
  ].join("\n");
}

function observations(run: Run): string {
  const answered = run.observations.filter((observation) => observation.answers.length > 0);
  if (answered.length === 0) return "";
  const rows = answered.map((observation) => {
    const answers = answerGroups(observation);
    const told = answers.slice(0, 6).map(({ answer, count }) => `${code(answer, 60)} ×${count}`);
    return `| ${observation.id} | ${words(observation.question, 200)} | ${told.join(", ")}${answers.length > 6 ? ", …" : ""} |`;
  });
  return [
    `<details><summary>What this server does where the specification is silent (${answered.length})</summary>`,
    ``,
    `| question | | observed |`,
    `| --- | --- | --- |`,
    ...fitting(rows, 14_000),
    ``,
    `</details>`,
  ].join("\n");
}

const notes = (run: Run): string =>
  [...run.warnings, ...run.withheld]
    .slice(0, 10)
    .map((text) => `- ${code(text, 200)}`)
    .join("\n");

/** The blocks of as many items as fit into `limit` bytes, and how many were left out. */
function bounded<T>(items: readonly T[], block: (item: T) => string, limit: number, name: string): readonly string[] {
  const blocks = fitting(items.map(block), limit);
  const left = items.length - blocks.length;
  return left > 0 ? [...blocks, `- and ${left} more ${name} in the other reports`] : blocks;
}

function fitting(blocks: readonly string[], limit: number): readonly string[] {
  let bytes = 0;
  const end = blocks.findIndex((block) => (bytes += Buffer.byteLength(block) + 2) > limit);
  return end === -1 ? blocks : blocks.slice(0, end);
}

/** In a code element neither mentions nor links come alive; the entities keep Markdown out. */
const code = (text: string, limit: number): string => `<code>${entities(text, limit)}</code>`;

/** Any text as prose. The zero-width space keeps GitHub from telling a person that they were mentioned. */
const words = (text: string, limit = 500): string => entities(text, limit).replaceAll("&#64;", "&#64;&#8203;");

/** Any text as itself: every character that Markdown or HTML reads stands as an entity. */
const entities = (text: string, limit: number): string =>
  plain(text, limit)
    .trim()
    .replace(
      /[&<>"'`*_{}[\]()#+!|~@:\\$=^]|(?<=^\d+)[.)]|(?<=www)\.|^[-.]/gi,
      (character) => `&#${character.charCodeAt(0)};`,
    );

const html = (text: string): string => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
