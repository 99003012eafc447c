import type { Run } from "../../../model/run.ts";
import { clientFindingText, clientFindingsTitle } from "../../traffic/client-findings.ts";
import { plain } from "../../sanitize.ts";
import { h, type Markup } from "../markup.ts";

const shown = 200;

/** Mistakes of clients, which do not count against the server. */
export function client({ client: findings = [] }: Run): Markup | undefined {
  if (findings.length === 0) return undefined;
  const more = findings.length - shown;
  return h`<section id="client" aria-labelledby="client-title">
<h2 id="client-title">${clientFindingsTitle} <span class="of">${findings.length}</span></h2>
<p class="hint">Requests that break the specification. They do not count against the server.</p>
<ul class="cases">${findings.slice(0, shown).map((finding) => h`<li>${plain(clientFindingText(finding), 400)}</li>`)}${more > 0 && h`<li>and ${more} more, in report.json</li>`}</ul>
</section>
`;
}
