import { operationTitle, type OperationName } from "../../spec/operations.ts";
import { asEntities, plainLines } from "../sanitize.ts";
import type { Broken } from "../page.ts";
import { atMost } from "../wording.ts";
import { plural } from "../../model/plural.ts";
import { isRequirementId, requirementOf } from "../../spec/catalogue.ts";
import { prose } from "../../spec/prose.ts";

/** HTML that is safe to show. Only `h` and `trusted` make it. */
export interface Markup {
  readonly markup: string;
}

/**
 * A value in a template of `h`: text, which is sanitized and escaped; markup, which stays as it is;
 * a list of these; or nothing.
 */
type Part = string | number | Markup | readonly Part[] | false | undefined;

/** A template of HTML. Its own text is markup; each value in it is escaped unless it is markup. */
export function h(markup: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return {
    markup: markup.map((piece, index) => piece + htmlOf(parts[index])).join(""),
  };
}

/**
 * Our own text as markup, neither escaped nor cut: styles and scripts. It must not be
 * used for text from a server.
 */
export const trusted = (markup: string): Markup => ({ markup });

function htmlOf(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number")
    return asEntities(plainLines(String(part), 20_000), /[&<>"'`]/g);
  return "markup" in part ? part.markup : part.map(htmlOf).join("");
}

/** A sign, whose meaning is said in words beside it. */
export const signMark = (sign: string): Markup =>
  h`<span class="sign" aria-hidden="true">${sign}</span>`;

/** The method and path of an operation, with a possible line break before each slash. */
export function operationMarkup(name: OperationName): Markup {
  const [first, ...steps] = operationTitle(name).split("/");
  return h`${first}${steps.map((step) => h`<wbr>/${step}`)}`;
}

/**
 * How a broken requirement is read, folded. False if the catalogue of this version does not have
 * the requirement.
 */
export function explanation({ id, places }: Pick<Broken, "id" | "places">): Markup | false {
  if (!isRequirementId(id)) return false;
  const read = requirementOf(id).interpretations.map((cited) => {
    const { title, reading, neverBlamed, why } = prose.interpretations[cited];
    return h`<p><b>${title}</b> (${cited}). ${reading}</p><p>Never blamed: ${neverBlamed}</p><p>Why: ${why}</p>`;
  });
  return h`<details class="explained"><summary>How ${id} is read</summary>${places.length > 0 && advice(places)}${read}<p>With examples: <code>npx fxconform explain ${id}</code></p></details>`;
}

/** The most places of a document that the advice names. */
const shownPlaces = 5;

/** Says what to change in a document. */
function advice(places: Broken["places"]): Markup {
  const items = places.map(({ at, says }) => h`<li><code>${at}</code>: ${says}</li>`);
  return h`<p><b>What to change in the document</b></p><ul>${atMost(shownPlaces, items, (left) => h`<li>and ${plural(left, "more place")}</li>`)}</ul>`;
}
