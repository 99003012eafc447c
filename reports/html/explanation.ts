import type { RequirementResult } from "../../model/run.ts";
import { isRequirementId, requirementOf } from "../../spec/catalogue.ts";
import { interpretationOf } from "../../spec/interpretations.ts";
import { h, type Markup } from "./markup.ts";

/** How a requirement that is not met is read, folded; false if the catalogue of this version does not have it. */
export const explanation = ({ id }: RequirementResult): Markup | false =>
  isRequirementId(id) &&
  h`<details class="explained"><summary>How ${id} is read</summary>${requirementOf(id).interpretations.map((cited) => {
    const { title, reading, neverBlamed, why } = interpretationOf(cited);
    return h`<p><b>${title}</b> (${cited}). ${reading}</p><p>Never blamed: ${neverBlamed}</p><p>Why: ${why}</p>`;
  })}<p>With an exchange that meets it and one that does not:</p><div class="command"><pre class="copy">npx fxconform explain ${id}</pre></div></details>`;
