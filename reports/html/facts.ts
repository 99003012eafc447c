import { wayText } from "../../model/network.ts";
import type { Run } from "../../model/run.ts";
import { durationText } from "../duration.ts";
import { badCredentialsText, seedsOf } from "../headline.ts";
import { plain } from "../sanitize.ts";
import { h, type Markup } from "./markup.ts";

/** Target, settings, time and versions of the run. */
export const facts = (run: Run): Markup => h`<section id="run" aria-labelledby="run-title">
<h2 id="run-title">About this run</h2>
<dl class="facts">
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
</dl>
</section>
`;

const fact = (name: string, value: string | Markup): Markup => h`<div><dt>${name}</dt><dd>${value}</dd></div>`;
