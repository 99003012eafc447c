import { groups } from "../groups.ts";
import { operationTitle } from "../../spec/operations.ts";
import { plain } from "../sanitize.ts";
import type { RequirementResult, Run, Verdict } from "../../model/run.ts";
import { signs } from "../verdict-symbols.ts";
import { briefFinding, finding } from "./finding.ts";
import { h, type Markup } from "./markup.ts";

/** How much evidence a page holds, so that it opens quickly; what is beyond is in report.json. */
const bounds = {
  /** Findings with all their evidence, for each requirement and in all. */
  full: 3,
  fullInAll: 300,
  /** Findings in one line, likewise. */
  brief: 12,
  briefInAll: 1500,
  /** Findings whose request and answer are unfolded. */
  open: 3,
} as const;

/** The requirements of a verdict with their evidence; those that share operation and message stand together. */
export function failures(run: Run, verdict: Extract<Verdict, "fail" | "warn">, title: string): Markup | undefined {
  const rows = run.requirements.filter((row) => row.verdict === verdict);
  if (rows.length === 0) return undefined;
  const left = { full: bounds.fullInAll as number, brief: bounds.briefInAll as number, open: bounds.open as number };
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.id, exchange]));
  const card = (row: RequirementResult, heading: "h3" | "h4"): Markup => {
    const full = row.findings.slice(0, Math.min(bounds.full, left.full));
    const brief = row.findings.slice(full.length, full.length + Math.min(bounds.brief, left.brief));
    const more = row.findings.length - full.length - brief.length;
    left.full -= full.length;
    left.brief -= brief.length;
    return h`<article class="card ${row.verdict}" id="${row.id}" data-id="${row.id}" tabindex="-1">
<header><${tag(heading)}><span class="sign" aria-hidden="true">${signs[row.verdict]}</span> <a href="#${row.id}">${row.id}</a> <span class="level">${row.level}</span> ${row.statement}</${tag(heading)}>
<p class="source">${row.source} · judged ${times(row.asked)} · ${row.findings.length} ${row.findings.length === 1 ? "finding" : "findings"}</p></header>
${full.map((found, index) => finding(found, exchanges.get(found.exchange ?? -1), index === 0 && left.open-- > 0))}${brief.length > 0 && h`<ul class="brief">${brief.map(briefFinding)}</ul>`}${more > 0 && h`<p class="more">and ${more} more findings, in report.json</p>`}
</article>
`;
  };
  return h`<section id="${verdict}" aria-labelledby="${verdict}-title">
<h2 id="${verdict}-title">${title} <span class="of">${rows.length}</span></h2>
${[...groups(rows, causeOf)].map(([, group], index) => cause(group, `${verdict}-${index + 1}`, card))}
<p class="nothing" hidden>Nothing here matches the filter.</p>
</section>
`;
}

function cause(
  group: readonly RequirementResult[],
  id: string,
  card: (row: RequirementResult, heading: "h3" | "h4") => Markup,
): Markup | readonly Markup[] {
  const first = group[0]?.findings[0];
  if (group.length < 2 || !first) return group.map((row) => card(row, "h3"));
  return h`<section class="cause" aria-labelledby="${id}">
<h3 id="${id}">${group.length} requirements, one cause: ${plain(first.message, 300)}${first.operation && h` <span class="of">${operationTitle(first.operation)}</span>`}</h3>
${group.map((row) => card(row, "h4"))}</section>
`;
}

/** Without a finding there is nothing to group by but the requirement itself. */
const causeOf = (row: RequirementResult): string => {
  const [first] = row.findings;
  return first ? `${first.operation ?? ""} ${first.message}` : row.id;
};

const tag = (heading: "h3" | "h4"): Markup => (heading === "h3" ? h`h3` : h`h4`);

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);
