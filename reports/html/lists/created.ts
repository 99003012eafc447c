import { groups } from "../../groups.ts";
import { plain } from "../../sanitize.ts";
import type { Run } from "../../../model/run.ts";
import { h, type Markup } from "../markup.ts";

const shown = 200;

/** What the run created on the server, so that it can be found there. */
export function created(run: Run): Markup | undefined {
  if (run.created.length === 0) return undefined;
  const kinds = [...groups(run.created, (each) => each.kind)];
  return h`<section id="created" aria-labelledby="created-title">
<h2 id="created-title">What the run created <span class="of">${Object.values(run.createdCounts).reduce((sum, count) => sum + count, 0)}</span></h2>
${kinds.map(
  ([
    kind,
    all,
  ]) => h`<details><summary>${kind}, ${run.createdCounts[kind] ?? all.length}</summary><p class="ids">${all.slice(0, shown).map(({ id }) => h`<code>${plain(id, 120)}</code> `)}${all.length > shown && h`and ${all.length - shown} more, in report.json`}</p></details>
`,
)}</section>
`;
}
