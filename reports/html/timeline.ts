import { operationNames } from "../../spec/operations.ts";
import { durationText } from "../duration.ts";
import { groups } from "../groups.ts";
import type { Run, TimelineEntry } from "../../model/run.ts";
import { h, operationMarkup, trusted, type Markup } from "./markup.ts";

const width = 1000;
/** Height of a lane, of which parallel requests take one each. */
const lane = 5;
const mostLanes = 16;
const mostDrawn = 4000;

/** The run on a time axis: each request as a bar in the row of its operation, with a line across the row where it failed. */
export function timeline(run: Run, most = mostDrawn): Markup | undefined {
  if (run.timeline.length === 0) return undefined;
  const entries = drawn(
    [...run.timeline].sort((a, b) => a.at - b.at),
    most,
  );
  const end = entries.reduce((latest, { at, took }) => Math.max(latest, at + took), 1);
  const byOperation = groups(entries, (entry) => entry.operation);
  const rows = operationNames.flatMap((name) => {
    const own = byOperation.get(name);
    return own ? [h`<div class="row"><p>${operationMarkup(name)} ${summary(own)}</p>${strip(own, end)}</div>\n`] : [];
  });
  const left = run.timeline.length - entries.length;
  return h`<section id="timeline" aria-labelledby="timeline-title">
<h2 id="timeline-title">The run, request by request</h2>
<ul class="legend"><li><span class="bar good" aria-hidden="true"></span> success</li><li><span class="bar refused" aria-hidden="true"></span> refused, 3xx and 4xx (hollow)</li><li><span class="bar bad" aria-hidden="true"></span> 5xx or no response (a line across the row)</li></ul>
<div class="timeline">
<div class="row"><p>requests in flight <span class="of">at most ${run.peakInFlight}</span></p>${inFlight(entries, end)}</div>
${rows}<p class="axis">${[0, 0.25, 0.5, 0.75, 1].map((part) => h`<span>${part === 0 ? "0" : durationText(end * part)}</span>`)}</p>
</div>${left > 0 && h`\n<p class="hint">${left} of ${run.timeline.length} requests are not drawn; none that failed is among them, as far as ${most} can hold.</p>`}
</section>
`;
}

/** All entries where they fit; else all failed ones and every so many of the others. */
function drawn(entries: readonly TimelineEntry[], most: number): readonly TimelineEntry[] {
  if (entries.length <= most) return entries;
  const failed = entries.filter(isBad).length;
  const step = Math.ceil((entries.length - failed) / Math.max(500, most - failed));
  return entries.filter((entry, index) => isBad(entry) || index % step === 0).slice(0, most);
}

const isBad = ({ status }: TimelineEntry): boolean => status === 0 || status >= 500;

function summary(entries: readonly TimelineEntry[]): Markup {
  const bad = entries.filter(isBad).length;
  return h`<span class="of">${entries.length}${bad > 0 && `, ${bad} without a good response`}</span>`;
}

function strip(entries: readonly TimelineEntry[], end: number): Markup {
  const placed = lanesOf(entries);
  const lanes = placed.reduce((most, { index }) => Math.max(most, index + 1), 3);
  const height = lanes * lane;
  const x = (ms: number): string => ((ms / end) * width).toFixed(1);
  const bars = placed.map(({ entry, index }) => {
    const wide = Math.max(1.5, (entry.took / end) * width).toFixed(1);
    return h`<rect class="${toneOf(entry)}" x="${x(entry.at)}" y="${index * lane + 0.5}" width="${wide}" height="${lane - 1}"/>${isBad(entry) && h`<path class="fault" d="M${x(entry.at)} 0V${height}"/>`}`;
  });
  return h`<svg class="lanes-${lanes > 8 ? "many" : lanes > 4 ? "some" : "few"}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><path class="grid" d="M250 0V${height}M500 0V${height}M750 0V${height}"/>${bars}</svg>`;
}

const toneOf = (entry: TimelineEntry): string => (isBad(entry) ? "bad" : entry.status < 300 ? "good" : "refused");

/** Each request in the first lane that is free when it is sent. */
function lanesOf(
  entries: readonly TimelineEntry[],
): readonly { readonly entry: TimelineEntry; readonly index: number }[] {
  const free: number[] = [];
  return entries.map((entry) => {
    const found = free.findIndex((at) => at <= entry.at);
    const index = found === -1 ? Math.min(free.length, mostLanes - 1) : found;
    free[index] = entry.at + entry.took;
    return { entry, index };
  });
}

function inFlight(entries: readonly TimelineEntry[], end: number): Markup {
  const changes = entries
    .flatMap(({ at, took }) => [
      { at, by: 1 },
      { at: at + took, by: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by);
  let count = 0;
  const levels = changes.map(({ at, by }) => ({ at, count: (count += by) }));
  const most = levels.reduce((highest, level) => Math.max(highest, level.count), 1);
  const path = levels
    .map((level) => `H${((level.at / end) * width).toFixed(1)}V${(30 - (level.count / most) * 28).toFixed(1)}`)
    .join("");
  return h`<svg class="lanes-some" viewBox="0 0 ${width} 30" preserveAspectRatio="none" aria-hidden="true"><path class="grid" d="M250 0V30M500 0V30M750 0V30"/><path class="shape" d="M0 30${trusted(path)}V30Z"/></svg>`;
}
