import { durationText } from "../duration.ts";
import type { Outcome, Run } from "../../model/run.ts";
import { outcomeSigns } from "../verdict-symbols.ts";
import { h, type Markup } from "./markup.ts";
import { share } from "./share.ts";

/** The outcome as a sentence, the gate, and for whom, when and with what the run was made. */
export const top = (run: Run): Markup => h`<section class="top ${run.outcome}" aria-labelledby="outcome">
<p class="seal" aria-hidden="true">${outcomeSigns[run.outcome]}</p>
<div class="telling">
<h1 id="outcome">${sentences[run.outcome]}</h1>
<p class="summary">${run.summary}</p>
${gate(run)}
</div>
${share(run)}
<dl class="facts">
${fact("Target", h`<span class="mono">${run.target.baseUrl}</span>`)}
${fact("Profile", run.profile)}
${fact("Started", h`<time datetime="${run.startedAt}">${run.startedAt.slice(0, 19).replace("T", " ")} UTC</time>`)}
${fact("Took", durationText(run.durationMs))}
${fact("Requests", `${run.requests}, at most ${run.peakInFlight} in flight`)}
${fact("Seed", h`<span class="mono">${run.seed}</span>, ${run.runs} samples a property`)}
${fact("Versions", `${run.tool.name} ${run.tool.version}, specification ${run.specification.version}`)}
${fact("Run", h`<span class="mono">${run.runId}</span>`)}
</dl>
</section>
`;

const sentences = {
  conformant: "The server conforms",
  nonconformant: "The server does not conform",
  partial: "No violation found",
  inconclusive: "No verdict",
  interrupted: "The run was interrupted",
  error: "fxconform itself failed",
} as const satisfies Record<Outcome, string>;

const shownReasons = 8;

function gate(run: Run): Markup {
  const { pass, reasons } = run.gate;
  if (pass) return h`<p class="gate pass"><b>The gate passes.</b></p>`;
  const more = reasons.length - shownReasons;
  return h`<p class="gate fail"><b>The gate does not pass:</b> ${reasons
    .slice(0, shownReasons)
    .map(({ text }) => text)
    .join("; ")}${more > 0 && `; and ${more} more`}</p>`;
}

const fact = (name: string, value: string | Markup): Markup => h`<div><dt>${name}</dt><dd>${value}</dd></div>`;
