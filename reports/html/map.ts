import { groups } from "../groups.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { RequirementResult, Run } from "../../model/run.ts";
import { counted, signs, tally, verdicts } from "../verdict-symbols.ts";
import { h, type Markup } from "./markup.ts";

/** Requirements that a run in progress has not checked yet. */
export type Pending = ReadonlySet<RequirementId>;

/** Every requirement as a cell with the colour and sign of its verdict, one area in a row. */
export const map = (run: Run, pending: Pending): Markup => h`<section id="map" aria-labelledby="map-title">
<h2 id="map-title">All ${run.requirements.length} requirements at a glance</h2>
<div class="map">
${[...groups(run.requirements, (row) => row.area)].map(
  ([area, rows]) => h`<h3 id="map-${area}">${area} <span class="of">${passed(
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

const passed = (rows: readonly RequirementResult[], of: number): string => `${tally(rows).pass} of ${of} passed`;

const cell = (row: RequirementResult, isPending: boolean): Markup =>
  isPending
    ? h`<li data-id="${row.id}"><a class="cell pending${row.level === "SHOULD" && " should"}" href="#${row.id}" title="${row.id} ${row.level} ${row.statement}"><span class="hidden">${row.id} not checked yet</span><span aria-hidden="true">${row.id.slice(row.id.indexOf("-") + 1)}</span></a></li>`
    : h`<li data-id="${row.id}"><a class="cell ${row.verdict}${row.level === "SHOULD" && " should"}" href="#${row.id}" title="${row.id} ${row.level} ${row.statement}"><span class="sign" aria-hidden="true">${signs[row.verdict]}</span><span class="hidden">${row.id} ${counted[row.verdict]}</span><span aria-hidden="true">${row.id.slice(row.id.indexOf("-") + 1)}</span></a></li>`;
