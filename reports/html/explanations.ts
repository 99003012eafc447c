import type { RequirementResult, Run } from "../../model/run.ts";
import { isRequirementId, requirementOf } from "../../spec/catalogue.ts";
import { interpretationOf } from "../../spec/interpretations.ts";
import { h, type Markup } from "./markup.ts";

/** Whether the page explains a requirement: it is not met, and the catalogue of this version has it. */
const isExplained = ({ id, findings }: RequirementResult): boolean => findings.length > 0 && isRequirementId(id);

/** A link to the explanation on the same page. */
export const explanationLink = (row: RequirementResult): Markup | false =>
  isExplained(row) && h` · <a href="#explain-${row.id}">how ${row.id} is read</a>`;

/** The interpretations of each requirement that is not met, and the command that also shows examples. */
export function explanations(run: Run): Markup | undefined {
  const rows = run.requirements.filter(isExplained);
  if (rows.length === 0) return undefined;
  return h`<section id="explained" aria-labelledby="explained-title">
<h2 id="explained-title">How the requirements are read</h2>
<p class="hint">The interpretations behind the requirements that are not met. The command prints the same, with an exchange that meets the requirement and one that does not.</p>
${rows.map(article)}</section>
`;
}

const article = ({ id, statement }: RequirementResult): Markup =>
  h`<article class="explained" id="explain-${id}" tabindex="-1"><h3><a href="#${id}">${id}</a> ${statement}</h3>${requirementOf(
    id,
  ).interpretations.map((cited) => {
    const { title, reading, neverBlamed, why } = interpretationOf(cited);
    return h`<p><b>${title}</b> (${cited}). ${reading}</p><p>Never blamed: ${neverBlamed}</p><p>Why: ${why}</p>`;
  })}<div class="command"><pre class="copy">npx fxconform explain ${id}</pre></div></article>
`;
