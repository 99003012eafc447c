import { plain } from "../../sanitize.ts";
import type { Run } from "../../../model/run.ts";
import { poolsText } from "../../pool-use.ts";
import { h, type Markup } from "../markup.ts";

const shown = 200;

/** How many of the values of each pool the run sent. */
export function pools(run: Run): Markup | undefined {
  const text = poolsText(run);
  if (run.pools === undefined || text === undefined) return undefined;
  const more = run.pools.length - shown;
  return h`<section id="pools" aria-labelledby="pools-title">
<h2 id="pools-title">Pools <span class="of">${run.pools.length}</span></h2>
<p class="hint">${text}</p>
<details><summary>Each pool</summary><ul class="cases">${run.pools.slice(0, shown).map(({ name, used, of }) => h`<li>${plain(name, 160)}: ${used} of ${of}</li>`)}${more > 0 && h`<li>and ${more} more, in report.json</li>`}</ul></details>
</section>
`;
}
