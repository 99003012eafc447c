import { groups } from "../groups.ts";
import { plain } from "../sanitize.ts";
import type { RequirementResult, Run } from "../../model/run.ts";
import { signs } from "../verdict-symbols.ts";
import { h, type Markup } from "./markup.ts";

/** The whole catalogue as it was judged, in its order. Rows without evidence above carry the anchor of their id. */
export const requirements = (run: Run): Markup => h`<section id="all" aria-labelledby="all-title">
<h2 id="all-title">Every requirement</h2>
<div class="scroll" tabindex="0" role="group" aria-label="Table of requirements">
<table class="rows">
<thead><tr><th scope="col">Verdict</th><th scope="col">Id</th><th scope="col">Level</th><th scope="col">Statement</th><th scope="col">Source</th><th scope="col" class="number">Judged</th></tr></thead>
${[...groups(run.requirements, (row) => row.area)].map(
  ([area, rows]) => h`<tbody><tr class="area"><th scope="rowgroup" colspan="6">${area}</th></tr>
${rows.map(line)}</tbody>
`,
)}</table></div>
<p class="nothing" hidden>Nothing here matches the filter.</p>
</section>
`;

function line(row: RequirementResult): Markup {
  const told = row.verdict === "fail" || row.verdict === "warn";
  const anchor = told ? h`` : h` id="${row.id}" tabindex="-1"`;
  return h`<tr${anchor} class="${row.verdict}" data-id="${row.id}" data-verdict="${row.verdict}" data-level="${row.level}" data-area="${row.area}"><td class="verdict"><span class="sign" aria-hidden="true">${signs[row.verdict]}</span> ${row.verdict}</td><td class="id"><a href="#${row.id}">${row.id}</a></td><td class="level">${row.level}</td><td>${row.statement}${row.reason !== undefined && h`<p class="reason">${plain(row.reason, 300)}</p>`}</td><td class="source">${row.source}</td><td class="number">${row.asked}</td></tr>
`;
}
