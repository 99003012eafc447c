import { operationTitle, type OperationName } from "../../spec/operations.ts";
import { plainLines } from "../sanitize.ts";

/** HTML that is ready to stand in a page; only `h` makes it. */
export interface Markup {
  readonly markup: string;
}

/** What `h` takes: text, which it makes harmless and escapes; markup, which it takes as it is; lists; nothing. */
export type Part = string | number | Markup | readonly Part[] | false | undefined;

/** A template of HTML: what is written in it is markup, what is put into it is text unless it is markup. */
export const h = (markup: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: markup.map((piece, index) => piece + htmlOf(parts[index])).join(""),
});

/** Text of ours that must be neither escaped nor cut: the style, the script, and paths of numbers. */
export const trusted = (markup: string): Markup => ({ markup });

function htmlOf(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return isList(part) ? part.map(htmlOf).join("") : part.markup;
}

const isList = (part: Markup | readonly Part[]): part is readonly Part[] => Array.isArray(part);

const escaped = (text: string): string =>
  plainLines(text, 20_000).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Method and path, breaking before a slash where it must. */
export const operationMarkup = (name: OperationName): Markup => {
  const [first, ...steps] = operationTitle(name).split("/");
  return h`${first}${steps.map((step) => h`<wbr>/${step}`)}`;
};
