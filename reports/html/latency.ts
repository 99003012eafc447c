import { durationText } from "../duration.ts";
import type { Latency, Run } from "../../model/run.ts";
import { h, operationMarkup, type Markup } from "./markup.ts";

/** How long responses took, by operation. */
export function latency(run: Run): Markup | undefined {
  if (run.latency.length === 0) return undefined;
  const row = ({ operation, count, p50, p95, p99, max }: Latency): Markup =>
    h`<tr><th scope="row">${operationMarkup(operation)}</th><td class="number">${count}</td>${[p50, p95, p99, max].map((ms) => h`<td class="number">${durationText(ms)}</td>`)}</tr>
`;
  return h`<section id="latency" aria-labelledby="latency-title">
<h2 id="latency-title">Latency</h2>
<div class="scroll" tabindex="0" role="group" aria-label="Table of latencies"><table class="latency">
<thead><tr><th scope="col">Operation</th><th scope="col" class="number">responses</th><th scope="col" class="number">p50</th><th scope="col" class="number">p95</th><th scope="col" class="number">p99</th><th scope="col" class="number">max</th></tr></thead>
<tbody>
${run.latency.map(row)}</tbody></table></div>
</section>
`;
}
