import type { RecordedExchange, RequirementResult, Run } from "../../model/run.ts";
import { groups } from "../groups.ts";
import { plain } from "../sanitize.ts";
import { signs, counted, tally, verdicts } from "../verdict-symbols.ts";
import { h, type Markup } from "./markup.ts";
import { messages } from "./failures.ts";
import type { RequirementId } from "../../spec/catalogue.ts";

/** A table of all requirements with their verdicts. Those in `shown` already have their anchor above. */
export const requirements = (run: Run, shown: ReadonlySet<RequirementResult>, pending: Pending): Markup => {
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.id, exchange]));
  return h`<section id="all" aria-labelledby="all-title">
<h2 id="all-title">Every requirement</h2>
<p class="hint">Open a requirement that passed to see how it was judged.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Table of requirements">
<table class="rows">
<thead><tr><th scope="col">Verdict</th><th scope="col">Id</th><th scope="col">Level</th><th scope="col">Statement</th><th scope="col">Source</th><th scope="col" class="number">Judged</th></tr></thead>
${[...groups(run.requirements, (row) => row.area)].map(
  ([area, rows]) => h`<tbody><tr class="area"><th scope="rowgroup" colspan="6">${area}</th></tr>
${rows.map((row) => (pending.has(row.id) ? waiting(row) : line(row, shown.has(row), exchanges)))}</tbody>
`,
)}</table></div>
<p class="nothing" hidden>Nothing here matches the filter.</p>
</section>
`;
};

function line(row: RequirementResult, hasAnchor: boolean, exchanges: ReadonlyMap<number, RecordedExchange>): Markup {
  const anchor = hasAnchor ? h`` : h` id="${row.id}" tabindex="-1"`;
  return h`<tr${anchor} class="${row.verdict}" data-id="${row.id}" data-verdict="${row.verdict}" data-level="${row.level}" data-area="${row.area}"><td class="verdict"><span class="sign" aria-hidden="true">${signs[row.verdict]}</span> ${row.verdict}</td><td class="id"><a href="#${row.id}">${row.id}</a></td><td class="level">${row.level}</td><td>${row.verdict === "pass" ? passed(row, exchanges) : row.statement}${row.reason !== undefined && h`<p class="reason">${plain(row.reason, 300)}</p>`}</td><td class="source">${row.source}</td><td class="number">${row.asked}</td></tr>
`;
}

/** The statement; its details say how often and in which scenarios it was judged, and show one exchange. */
function passed(
  { statement, asked, judgedIn, sample }: RequirementResult,
  exchanges: ReadonlyMap<number, RecordedExchange>,
): Markup {
  const exchange = exchanges.get(sample ?? -1);
  return h`<details class="passed"><summary>${statement}</summary><p class="reason">Judged ${asked === 1 ? "once" : `${asked} times`}${
    judgedIn !== undefined &&
    judgedIn.length > 0 &&
    h`, first in: ${judgedIn.map((name) => plain(name, 120)).join("; ")}`
  }.</p>${exchange ? h`<p class="reason">An exchange that shows it, from the scenario “${plain(exchange.scenario, 120)}”:</p>${messages(exchange)}` : h`<p class="reason">No single exchange shows it.</p>`}</details>`;
}

const waiting = (row: RequirementResult): Markup =>
  h`<tr id="${row.id}" tabindex="-1" class="skip" data-id="${row.id}" data-verdict="pending" data-level="${row.level}" data-area="${row.area}"><td class="verdict">not checked yet</td><td class="id"><a href="#${row.id}">${row.id}</a></td><td class="level">${row.level}</td><td>${row.statement}</td><td class="source">${row.source}</td><td class="number">0</td></tr>
`;

/** Requirements that a run in progress has not checked yet. */
export type Pending = ReadonlySet<RequirementId>;

/** Every requirement as a cell with the colour and sign of its verdict, one area in a row. */
export const map = (run: Run, pending: Pending): Markup => h`<section id="map" aria-labelledby="map-title">
<h2 id="map-title">All ${run.requirements.length} requirements at a glance</h2>
<div class="map">
${[...groups(run.requirements, (row) => row.area)].map(
  ([area, rows]) => h`<h3 id="map-${area}">${area} <span class="of">${passedOf(
    rows.filter(({ id }) => !pending.has(id)),
    rows.length,
  )}</span></h3>
<ul aria-labelledby="map-${area}">${rows.map((row) => cell(row, pending.has(row.id)))}</ul>
`,
)}</div>
<ul class="legend">${verdicts.map(
  (verdict) =>
    h`<li><span class="cell ${verdict}" aria-hidden="true">${signs[verdict]}</span> ${counted[verdict]}</li>`,
)}<li><span class="cell pass" aria-hidden="true"></span> square: MUST</li><li><span class="cell pass should" aria-hidden="true"></span> round: SHOULD</li></ul>
</section>
`;

const passedOf = (rows: readonly RequirementResult[], of: number): string => `${tally(rows).pass} of ${of} passed`;

const cell = (row: RequirementResult, isPending: boolean): Markup =>
  isPending
    ? h`<li data-id="${row.id}"><a class="cell pending${row.level === "SHOULD" && " should"}" href="#${row.id}" title="${row.id} ${row.level} ${row.statement}"><span class="hidden">${row.id} not checked yet</span><span aria-hidden="true">${row.id.slice(row.id.indexOf("-") + 1)}</span></a></li>`
    : h`<li data-id="${row.id}"><a class="cell ${row.verdict}${row.level === "SHOULD" && " should"}" href="#${row.id}" title="${row.id} ${row.level} ${row.statement}"><span class="sign" aria-hidden="true">${signs[row.verdict]}</span><span class="hidden">${row.id} ${counted[row.verdict]}</span><span aria-hidden="true">${row.id.slice(row.id.indexOf("-") + 1)}</span></a></li>`;
