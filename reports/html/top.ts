import { plain } from "../sanitize.ts";
import { durationText } from "../headline.ts";
import { gateLine, reasonLines, toleratedLines } from "../gate.ts";
import type { Outcome, Run } from "../../model/run.ts";
import { outcomeSigns, counted, signs, tally, verdicts } from "../verdict-symbols.ts";
import { isRequirementId } from "../../spec/catalogue.ts";
import { h, type Markup } from "./markup.ts";
import type { Pending } from "./requirements.ts";

/** The top of the page: outcome, summary, gate, target and counts. */
export const top = (run: Run): Markup => h`<section class="top ${run.outcome}" aria-labelledby="outcome">
<p class="seal" aria-hidden="true">${outcomeSigns[run.outcome]}</p>
<div>
<h1 id="outcome">${titles[run.outcome] ?? plain(run.summary, 300).replace(/\.$/, "")}</h1>
${titles[run.outcome] !== undefined && h`<p class="summary">${plain(run.summary, 1000)}</p>`}
${gate(run)}
<p class="where"><span class="mono">${run.target.baseUrl}</span> · ${run.profile} · ${durationText(run.durationMs)} · <a href="#run">about this run</a></p>
</div>
${share(run)}
</section>
`;

/** Titles for some outcomes. For the others, the summary is the title. */
const titles: Partial<Record<Outcome, string>> = {
  inconclusive: "No verdict on the server",
  error: "fxconform itself failed",
};

const shown = 12;

function gate(run: Run): Markup {
  // Not the summary again, which is the reason of a run without a verdict.
  const reasons = reasonLines(run).filter((text) => text !== run.summary);
  return h`<p class="gate ${run.gate.pass ? "pass" : "fail"}"><b>${gateLine(run)}</b></p>
${list("", reasons)}${list("Tolerated", toleratedLines(run))}`;
}

function list(title: string, texts: readonly string[]): Markup | undefined {
  if (texts.length === 0) return undefined;
  const more = texts.length - shown;
  return h`${title !== "" && h`<p class="gate">${title}</p>`}<ul class="reasons">${texts.slice(0, shown).map((text) => h`<li>${withLinks(plain(text, 400))}</li>`)}${more > 0 && h`<li>and ${more} more</li>`}</ul>
`;
}

/** A text, in which the ids of requirements are links to their place on the page. */
const withLinks = (text: string): readonly (Markup | string)[] =>
  text.split(/\b([A-Z]+-\d\d)\b/).map((part) => (isRequirementId(part) ? h`<a href="#${part}">${part}</a>` : part));

/** The requirements by verdict: a bar with a part for each verdict, and the counts with their signs. */
export function share(run: Run, pending: Pending = new Set()): Markup {
  const counts = tally(run.requirements.filter(({ id }) => !pending.has(id)));
  const all = Math.max(1, run.requirements.length);
  let x = 0;
  const bars = verdicts.map((verdict) => {
    const width = (counts[verdict] / all) * 1000;
    const bar = h`<rect class="${verdict}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="10"/>`;
    x += width;
    return counts[verdict] > 0 && bar;
  });
  return h`<svg class="share" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
<ul class="counts">${verdicts.map(
    (verdict) =>
      h`<li class="${verdict}${counts[verdict] === 0 && " none"}"><span class="sign" aria-hidden="true">${signs[verdict]}</span> <b>${counts[verdict]}</b> ${counted[verdict]}</li>`,
  )}${pending.size > 0 && h`<li class="skip"><span class="sign" aria-hidden="true">…</span> <b>${pending.size}</b> not checked yet</li>`}</ul>
`;
}
