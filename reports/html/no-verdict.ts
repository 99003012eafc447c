import { byReason } from "../reasons.ts";
import { plain } from "../sanitize.ts";
import type { RequirementResult, Run, Verdict } from "../../model/run.ts";
import { signs } from "../verdict-symbols.ts";
import { h, type Markup } from "./markup.ts";
import { isInSummary } from "../../model/outcome.ts";

/** Requirements without a verdict and skipped ones, by reason; then warnings and notes on what was left out. */
export function noVerdict(run: Run): Markup | undefined {
  const notes = [...run.warnings, ...run.withheld];
  const parts = [...reasons(run, "inconclusive", "without a verdict"), ...reasons(run, "skip", "skipped")];
  if (parts.length === 0 && notes.length === 0) return undefined;
  return h`<section id="none" aria-labelledby="none-title">
<h2 id="none-title">No verdict, skipped, notes</h2>
<ul class="no-verdict">
${parts}${notes.slice(0, 40).map((note) => h`<li class="note"><span class="sign" aria-hidden="true">i</span><p>${plain(note, 500)}</p></li>\n`)}</ul>
</section>
`;
}

const shown = 40;

function reasons(run: Run, verdict: Verdict, words: string): readonly Markup[] {
  const all = byReason(run, verdict);
  const more = all.length - shown;
  return [
    ...all.slice(0, shown).map(
      ([reason, group]) => h`<li class="${verdict}"><span class="sign" aria-hidden="true">${signs[verdict]}</span>
<p><b>${group.length} ${words}</b>${!isInSummary(run, reason) && h`: ${plain(reason, 500)}`}</p>
${idList(group)}</li>
`,
    ),
    ...(more > 0 ? [h`<li class="${verdict}"><p>and ${more} more reasons</p></li>`] : []),
  ];
}

/** Up to twelve ids in a line; more are folded. */
const idList = (rows: readonly RequirementResult[]): Markup => {
  const ids = h`<p class="ids">${rows.map(({ id }) => h`<a href="#${id}">${id}</a> `)}</p>`;
  return rows.length <= 12 ? ids : h`<details><summary>all ${rows.length}</summary>${ids}</details>`;
};
