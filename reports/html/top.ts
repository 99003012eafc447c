import { plain } from "../sanitize.ts";
import { durationText } from "../duration.ts";
import { badCredentialsText, seedsOf } from "../headline.ts";
import { gateLine, reasonLines, toleratedLines } from "../gate.ts";
import { wayText } from "../../model/network.ts";
import type { Outcome, Run } from "../../model/run.ts";
import { outcomeSigns } from "../verdict-symbols.ts";
import { h, type Markup } from "./markup.ts";
import { share } from "./share.ts";

/** The top of the page: outcome, summary, gate, counts, and facts about the run. */
export const top = (run: Run): Markup => h`<section class="top ${run.outcome}" aria-labelledby="outcome">
<p class="seal" aria-hidden="true">${outcomeSigns[run.outcome]}</p>
<div>
<h1 id="outcome">${titles[run.outcome] ?? plain(run.summary, 300).replace(/\.$/, "")}</h1>
${titles[run.outcome] !== undefined && h`<p class="summary">${plain(run.summary, 1000)}</p>`}
${gate(run)}
</div>
${share(run)}
${facts(run)}
</section>
`;

/** Target, settings, time and versions of the run. */
export const facts = (run: Run): Markup => h`<dl class="facts">
${fact("Target", h`<span class="mono">${run.target.baseUrl}</span>`)}
${run.target.network && fact("Requests went", plain(wayText(run.target.network), 300))}
${fact("Profile", run.profile)}
${fact("Started", h`<time datetime="${run.startedAt}">${run.startedAt.slice(0, 19).replace("T", " ")} UTC</time>`)}
${fact("Took", durationText(run.durationMs))}
${fact("Requests", `${run.requests}${badCredentialsText(run)}, at most ${run.peakInFlight} in flight`)}
${fact("Seed", h`<span class="mono">${seedsOf(run)}</span>, ${run.runs} samples per property`)}
${run.notSent !== undefined && fact("Values", plain(run.notSent, 300))}
${fact("Versions", `${run.tool.name} ${run.tool.version}, specification ${run.specification.version}`)}
${fact("Run", h`<span class="mono">${run.runId}</span>`)}
</dl>`;

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
  return h`${title !== "" && h`<p class="gate">${title}</p>`}<ul class="reasons">${texts.slice(0, shown).map((text) => h`<li>${plain(text, 400)}</li>`)}${more > 0 && h`<li>and ${more} more</li>`}</ul>
`;
}

const fact = (name: string, value: string | Markup): Markup => h`<div><dt>${name}</dt><dd>${value}</dd></div>`;
