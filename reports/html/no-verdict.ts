import { groups } from "../groups.ts";
import { plain } from "../sanitize.ts";
import type { Run, Verdict } from "../../model/run.ts";
import { signs } from "../verdict-symbols.ts";
import { h, type Markup } from "./markup.ts";

/** What was not asked or could not be told, by reason; then what the run warns of and what was left out. */
export function untold(run: Run): Markup | undefined {
  const notes = [...run.warnings, ...run.withheld];
  const parts = [...reasons(run, "inconclusive", "could not be told"), ...reasons(run, "skip", "not asked")];
  if (parts.length === 0 && notes.length === 0) return undefined;
  return h`<section id="untold" aria-labelledby="untold-title">
<h2 id="untold-title">Not asked, or not told</h2>
<ul class="untold">
${parts}${notes.slice(0, 40).map((note) => h`<li class="note"><span class="sign" aria-hidden="true">i</span><p>${plain(note, 500)}</p></li>\n`)}</ul>
</section>
`;
}

const shown = 40;

function reasons(run: Run, verdict: Verdict, words: string): readonly Markup[] {
  const rows = run.requirements.filter((row) => row.verdict === verdict);
  const all = [...groups(rows, (row) => row.reason ?? "No reason was recorded.")];
  const more = all.length - shown;
  return [
    ...all.slice(0, shown).map(
      ([reason, group]) => h`<li class="${verdict}"><span class="sign" aria-hidden="true">${signs[verdict]}</span>
<p><b>${group.length} ${words}</b> ${plain(reason, 500)}</p>
<p class="ids">${group.map(({ id }) => h`<a href="#${id}">${id}</a> `)}</p></li>
`,
    ),
    ...(more > 0 ? [h`<li class="${verdict}"><p>and ${more} more reasons</p></li>`] : []),
  ];
}
