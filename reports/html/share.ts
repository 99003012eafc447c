import type { Run } from "../../model/run.ts";
import { counted, signs, tally, verdicts } from "../verdict-symbols.ts";
import type { Pending } from "./map.ts";
import { h, type Markup } from "./markup.ts";

/** The requirements by verdict: a bar with a part for each verdict, and the counts with their signs. */
export function share(run: Run, pending: Pending = new Set()): Markup {
  const counts = tally(run.requirements.filter(({ id }) => !pending.has(id)));
  const all = Math.max(1, run.requirements.length);
  let x = 0;
  const bars = verdicts.map((verdict) => {
    const width = (counts[verdict] / all) * 1000;
    const bar = h`<rect class="${verdict}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="10"/>`;
    x += width;
    return counts[verdict] > 0 && bar;
  });
  return h`<svg class="share" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
<ul class="counts">${verdicts.map(
    (verdict) =>
      h`<li class="${verdict}${counts[verdict] === 0 && " none"}"><span class="sign" aria-hidden="true">${signs[verdict]}</span> <b>${counts[verdict]}</b> ${counted[verdict]}</li>`,
  )}${pending.size > 0 && h`<li class="skip"><span class="sign" aria-hidden="true">…</span> <b>${pending.size}</b> not checked yet</li>`}</ul>
`;
}
