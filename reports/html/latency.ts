import { durationText } from "../duration.ts";
import type { Latency, Run } from "../../model/run.ts";
import { h, operationMarkup, type Markup } from "./markup.ts";

const width = 600;
const height = 44;

/** How long responses took, by operation: a curve on a logarithmic axis that all share, and percentiles. */
export function latency(run: Run): Markup | undefined {
  const rows = run.latency;
  if (rows.length === 0) return undefined;
  const decades = decadesOf(rows.flatMap(({ histogram, max }) => [...histogram.map(([ms]) => ms), max]));
  const row = (each: Latency): Markup => {
    const numbers = [each.p50, each.p95, each.p99, each.max].map(
      (ms) => h`<td class="number">${durationText(ms)}</td>`,
    );
    return h`<tr><th scope="row">${operationMarkup(each.operation)}</th><td class="picture">${picture(each, decades)}</td><td class="number">${each.count}</td>${numbers}</tr>
`;
  };
  return h`<section id="latency" aria-labelledby="latency-title">
<h2 id="latency-title">Latency</h2>
<p class="hint">Each mark below a curve is a duration that occurred, rounded up to two digits. The solid line is the median, the dashed line the 95th percentile. The axis is logarithmic.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Table of latencies"><table class="latency">
<thead><tr><th scope="col">Operation</th><th scope="col"><span class="hidden">Distribution from</span><span class="axis">${axis(decades)}</span></th><th scope="col" class="number">responses</th><th scope="col" class="number">p50</th><th scope="col" class="number">p95</th><th scope="col" class="number">p99</th><th scope="col" class="number">max</th></tr></thead>
<tbody>
${rows.map(row)}</tbody></table></div>
</section>
`;
}

/** The exponents of the powers of ten around all values; `to` is at least `from + 1`. */
interface Decades {
  readonly from: number;
  readonly to: number;
}

function decadesOf(values: readonly number[]): Decades {
  const exponents = values.map((ms) => Math.log10(Math.max(ms, 0.1)));
  const from = Math.floor(exponents.reduce((a, b) => Math.min(a, b), Infinity));
  const to = Math.ceil(exponents.reduce((a, b) => Math.max(a, b), -Infinity));
  return { from, to: Math.max(to, from + 1) };
}

const axis = ({ from, to }: Decades): readonly Markup[] =>
  Array.from({ length: to - from + 1 }, (_, index) => h`<span>${durationText(10 ** (from + index))}</span>`);

function picture({ p50, p95, histogram }: Latency, decades: Decades): Markup {
  const x = (ms: number): string => (position(ms, decades) * width).toFixed(1);
  const marks = histogram.map(([ms]) => `M${x(ms)} ${height - 6}v5`).join("");
  const grid = Array.from(
    { length: decades.to - decades.from + 1 },
    (_, index) => `M${((index / (decades.to - decades.from)) * width).toFixed(1)} 0V${height}`,
  ).join("");
  return h`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><path class="grid" d="${grid}"/><path class="shape" d="${curve(histogram, decades)}"/><path class="marks" d="${marks}"/><path class="median" d="M${x(p50)} 2V${height - 8}"/><path class="p95" d="M${x(p95)} 2V${height - 8}"/></svg>`;
}

const position = (ms: number, { from, to }: Decades): number =>
  Math.min(1, Math.max(0, (Math.log10(Math.max(ms, 0.1)) - from) / (to - from)));

const bins = 80;
/** Weights of a bin and its neighbours, which smooth the histogram. */
const kernel = [0.06, 0.24, 0.4, 0.24, 0.06];

function curve(histogram: Latency["histogram"], decades: Decades): string {
  const counts = new Array<number>(bins).fill(0);
  for (const [ms, count] of histogram) {
    const bin = Math.min(bins - 1, Math.floor(position(ms, decades) * bins));
    counts[bin] = (counts[bin] ?? 0) + count;
  }
  const smooth = counts.map((_, bin) =>
    kernel.reduce((sum, weight, index) => sum + weight * (counts[bin + index - 2] ?? 0), 0),
  );
  const most = Math.max(...smooth, Number.MIN_VALUE);
  const bottom = height - 8;
  const points = smooth.map(
    (value, bin) =>
      `${(((bin + 0.5) / bins) * width).toFixed(1)} ${(bottom - (value / most) * (bottom - 4)).toFixed(1)}`,
  );
  return `M0 ${bottom}L${points.join("L")}L${width} ${bottom}Z`;
}
