import { plain } from "../sanitize.ts";
import { durationText } from "../duration.ts";
import { gateLine, reasonLines, toleratedLines } from "../gate.ts";
import type { Outcome, Run } from "../../model/run.ts";
import { outcomeSigns } from "../verdict-symbols.ts";
import { isRequirementId } from "../../spec/catalogue.ts";
import { h, type Markup } from "./markup.ts";
import { share } from "./share.ts";

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
