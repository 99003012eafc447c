import { durationText } from "../duration.ts";
import { answerClasses, type Run, type Timeline } from "../../model/run.ts";
import { h, operationMarkup, trusted, type Markup } from "./markup.ts";

const width = 1000;
const height = 30;

type Row = Timeline["operations"][number];

/** The requests of each operation over time: a bar for each interval, with a line across the row if one failed. */
export function timeline(run: Run): Markup | undefined {
  const { intervalMs, inFlight, operations } = run.timeline;
  if (operations.length === 0) return undefined;
  const intervals = Math.max(1, inFlight.length);
  const rows = operations.map(
    (row) =>
      h`<div class="row"><p>${operationMarkup(row.operation)} ${summary(row)}</p>${strip(row, intervals)}</div>\n`,
  );
  return h`<section id="timeline" aria-labelledby="timeline-title">
<h2 id="timeline-title">Timeline</h2>
<p class="hint">Each bar is an interval of ${durationText(intervalMs)}; its height is the number of requests that were sent.</p>
<ul class="legend"><li><span class="bar succeeded" aria-hidden="true"></span> success</li><li><span class="bar refused" aria-hidden="true"></span> refused, 3xx and 4xx (hollow)</li><li><span class="bar failed" aria-hidden="true"></span> 5xx or no response (a line across the row)</li></ul>
<div class="timeline">
<div class="row"><p>requests in flight <span class="of">at most ${run.peakInFlight}</span></p>${inFlightPicture(inFlight)}</div>
${rows}<p class="axis">${[0, 0.25, 0.5, 0.75, 1].map((part) => h`<span>${part === 0 ? "0" : durationText(intervals * intervalMs * part)}</span>`)}</p>
</div>
</section>
`;
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

function summary(row: Row): Markup {
  const all = sum(answerClasses.map((kind) => sum(row[kind])));
  const failed = sum(row.failed);
  return h`<span class="of">${all}${failed > 0 && `, ${failed} with 5xx or no response`}</span>`;
}

function strip(row: Row, intervals: number): Markup {
  const indices = Array.from({ length: intervals }, (_, index) => index);
  const countsAt = (index: number): readonly number[] => answerClasses.map((kind) => row[kind][index] ?? 0);
  const most = indices.reduce((highest, index) => Math.max(highest, sum(countsAt(index))), 1);
  const step = width / intervals;
  const bars = indices.flatMap((index) => {
    const counts = countsAt(index);
    const x = (index * step).toFixed(1);
    // The parts of a bar are stacked from the bottom to the top.
    return answerClasses.map((kind, level) => {
      const count = counts[level] ?? 0;
      if (count === 0) return false;
      const [tall, below] = [(count / most) * height, (sum(counts.slice(0, level)) / most) * height];
      const rect = h`<rect class="${kind}" x="${x}" y="${(height - below - tall).toFixed(1)}" width="${Math.max(1, step - 0.5).toFixed(1)}" height="${tall.toFixed(1)}"/>`;
      return kind === "failed" ? h`${rect}<path class="fault" d="M${x} 0V${height}"/>` : rect;
    });
  });
  return h`<svg class="bars" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><path class="grid" d="M250 0V${height}M500 0V${height}M750 0V${height}"/>${bars}</svg>`;
}

function inFlightPicture(inFlight: readonly number[]): Markup {
  const most = inFlight.reduce((highest, requests) => Math.max(highest, requests), 1);
  const path = inFlight
    .map(
      (requests, index) =>
        `V${(height - (requests / most) * (height - 2)).toFixed(1)}H${(((index + 1) / inFlight.length) * width).toFixed(1)}`,
    )
    .join("");
  return h`<svg class="bars" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><path class="grid" d="M250 0V${height}M500 0V${height}M750 0V${height}"/><path class="shape" d="M0 ${height}${trusted(path)}V${height}Z"/></svg>`;
}
