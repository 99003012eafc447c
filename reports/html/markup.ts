import { operationTitle, type OperationName } from "../../spec/operations.ts";
import { plainLines } from "../sanitize.ts";

/** Safe HTML. Only `h` and `trusted` make it. */
export interface Markup {
  readonly markup: string;
}

/** A value in a template of `h`: text, which is sanitized and escaped; markup, which stays as it is; lists; nothing. */
export type Part = string | number | Markup | readonly Part[] | false | undefined;

/** A template of HTML. Its own text is markup; each value in it is escaped unless it is markup. */
export const h = (markup: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: markup.map((piece, index) => piece + htmlOf(parts[index])).join(""),
});

/** Our own text as markup, neither escaped nor cut: style, scripts, and SVG paths. Never for text from a server. */
export const trusted = (markup: string): Markup => ({ markup });

function htmlOf(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return isList(part) ? part.map(htmlOf).join("") : part.markup;
}

const isList = (part: Markup | readonly Part[]): part is readonly Part[] => Array.isArray(part);

const escaped = (text: string): string =>
  plainLines(text, 20_000).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Method and path, with a possible line break before each slash. */
export const operationMarkup = (name: OperationName): Markup => {
  const [first, ...steps] = operationTitle(name).split("/");
  return h`${first}${steps.map((step) => h`<wbr>/${step}`)}`;
};
