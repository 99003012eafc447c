import { plural } from "../../model/plural.ts";
import type { RecordedExchange, RequirementResult, Run } from "../../model/run.ts";
import { firstOfEach } from "../../model/causes.ts";
import { failuresOf, type Failure } from "../failures.ts";
import { plain } from "../sanitize.ts";
import { signs } from "../verdict-symbols.ts";
import { explanation, h, type Markup } from "./markup.ts";
import { briefFinding, finding } from "./finding.ts";

/** How much evidence a page contains, so that it opens quickly. report.json contains the rest. */
const bounds = {
  /** Findings with all their evidence: for each failure, one for each of its requirements at least, and on the whole page. */
  full: 3,
  fullInAll: 300,
  /** Findings in one line: for each failure, and on the whole page. */
  brief: 12,
  briefInAll: 1500,
  /** Findings whose request and response are unfolded at first. */
  open: 3,
} as const;

/** The largest numbers of findings on the whole page: with all their evidence, and in one line. */
export interface EvidenceBounds {
  readonly fullInAll: number;
  readonly briefInAll: number;
}

/** How much the page may still show. */
interface Left {
  full: number;
  brief: number;
  open: number;
  /** Requirements whose id is already an anchor on the page. */
  readonly shown: Set<RequirementResult>;
}

/**
 * The failures or warnings of a run, each with one finding in full and the rest folded. Adds the requirements to
 * `shown`: they have their anchor in this section.
 */
export function failures(
  run: Run,
  verdict: "fail" | "warn",
  title: string,
  shown: Set<RequirementResult>,
  { fullInAll, briefInAll }: EvidenceBounds = bounds,
): Markup | undefined {
  const all = failuresOf(run.requirements, verdict);
  if (all.length === 0) return undefined;
  const left: Left = { full: fullInAll, brief: briefInAll, open: bounds.open, shown };
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.id, exchange]));
  const rows = run.requirements.filter((row) => row.verdict === verdict).length;
  const withCurl = verdict === "fail" && run.tokenCommand !== undefined;
  return h`<section id="${verdict}" aria-labelledby="${verdict}-title">
<h2 id="${verdict}-title">${title} <span class="of">${rows === all.length ? rows : `${plural(rows, "requirement")}, ${plural(all.length, "cause")}`}</span></h2>
${all.map((each) => card(each, verdict, exchanges, left))}
${withCurl && h`<details class="token"><summary>The token that the curl commands use</summary><div class="command"><pre class="copy">${plain(run.tokenCommand ?? "", 2000)}</pre></div></details>\n`}<p class="nothing" hidden>Nothing here matches the filter.</p>
</section>
`;
}

function card(
  { cause, rows, members: all }: Failure,
  verdict: "fail" | "warn",
  exchanges: ReadonlyMap<number, RecordedExchange>,
  left: Left,
): Markup {
  // For each requirement of a cause, what was sent and what came.
  const first = firstOfEach(all);
  const members = [...first, ...all.filter((member) => !first.includes(member))];
  const full = members.slice(0, Math.min(Math.max(bounds.full, first.length), left.full));
  const brief = members.slice(full.length, full.length + Math.min(bounds.brief, left.brief));
  const more = members.length - full.length - brief.length;
  left.full -= full.length;
  left.brief -= brief.length;
  const shown = full.map(({ finding: found, row }, index) =>
    finding(found, exchanges.get(found.exchange ?? -1), index === 0 && left.open-- > 0, cause && row.id),
  );
  const [example, ...others] = shown;
  const rest = h`${others}${brief.length > 0 && h`<ul class="brief">${brief.map(({ finding: found, row }) => briefFinding(found, cause && row.id))}</ul>`}${more > 0 && h`<p class="more">and ${plural(more, "more finding")}, in report.json</p>`}`;
  const folded = members.length - 1;
  const [main] = rows;
  // The first requirement of a cause leads to the card, the others to their place below the example.
  const anchor = cause && main !== undefined ? anchorOf(main, left) : h``;
  const broken = rows.map((row) => requirement(row, cause !== undefined, left));
  const ids = h`${rows.map(({ id }) => h` <a href="#${id}">${id}</a>`)}`;
  const head = cause
    ? h`<h3><span class="sign" aria-hidden="true">${signs[verdict]}</span> ${plain(cause.text, 400)}</h3><p class="source">${plural(rows.length, "requirement")}, one cause:${ids}</p>`
    : broken;
  return h`<article class="card cause ${verdict}"${anchor}>
<header>${head}</header>
${example}${cause && h`<div class="breaks">${broken}</div>`}${folded > 0 && (cause ? h`<details class="rest"><summary>${plural(folded, "more finding")} with this cause</summary>${rest}</details>` : rest)}
</article>
`;
}

/** The anchor of a requirement, only where the page shows it first. */
function anchorOf(row: RequirementResult, { shown }: Left): Markup {
  const anchor = shown.has(row) ? h`` : h` id="${row.id}" tabindex="-1"`;
  shown.add(row);
  return anchor;
}

/** A requirement that is not met, and how it is read. */
function requirement(row: RequirementResult, grouped: boolean, left: Left): Markup {
  const anchor = anchorOf(row, left);
  const title = h`<a href="#${row.id}">${row.id}</a> <span class="level">${row.level}</span> ${row.statement}`;
  return h`<div class="broken ${row.verdict}"${anchor} data-id="${row.id}">${grouped ? h`<p>${title}</p>` : h`<h3><span class="sign" aria-hidden="true">${signs[row.verdict]}</span> ${title}</h3>`}
<p class="source">${row.source} · judged ${row.asked === 1 ? "once" : `${row.asked} times`} · ${plural(row.findings.length, "finding")}</p>${explanation(row)}</div>`;
}
