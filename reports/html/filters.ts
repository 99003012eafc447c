import { areas } from "../../spec/catalogue.ts";
import type { Verdict } from "../../model/run.ts";
import { counted, signs } from "../verdict-symbols.ts";
import { h, type Markup } from "./markup.ts";

/** Filters by verdict, level, area and text. They are hidden until the script runs. */
export function filters(present: readonly Verdict[]): Markup {
  return h`<form id="filters" class="filters" role="search" aria-label="Filter requirements" hidden>
<fieldset><legend class="hidden">Verdict</legend>${present.map(
    (verdict) =>
      h`<label class="chip ${verdict}"><input type="checkbox" name="verdict" value="${verdict}"><span class="sign" aria-hidden="true">${signs[verdict]}</span> ${counted[verdict]}</label>`,
  )}</fieldset>
<label><span class="hidden">Level</span><select name="level"><option value="">MUST and SHOULD</option><option>MUST</option><option>SHOULD</option></select></label>
<label><span class="hidden">Area</span><select name="area"><option value="">all areas</option>${areas.map((area) => h`<option>${area}</option>`)}</select></label>
<label class="text"><span class="hidden">Text</span><input type="search" name="text" placeholder="Id, word, request id…" autocomplete="off" spellcheck="false"></label>
<button type="reset">Clear</button>
<output id="shown" aria-live="polite"></output>
</form>
`;
}
