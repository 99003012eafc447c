/**
 * The title of an HTML page, or else its first heading: `TypeError at /batches`. Empty if the page
 * has neither. Undefined if the text is not an HTML page. The title is whole, because a secret that
 * is cut in two would not be redacted.
 */
export function pageTitleIn(text: string): string | undefined {
  if (!/^\s*<(?:!doctype html|html)\b/i.test(text.slice(0, 1000))) return undefined;
  const lowered = text.toLowerCase();
  return ["title", "h1", "h2"].map((tag) => contentOf(tag, text, lowered)).find(Boolean) ?? "";
}

/**
 * The text in the first element with this tag; empty if there is none. `lowered`: the page in small
 * letters.
 */
function contentOf(tag: string, text: string, lowered: string): string {
  const at = lowered.indexOf(`<${tag}`);
  const from = at < 0 ? -1 : lowered.indexOf(">", at);
  const end = from < 0 ? -1 : lowered.indexOf(`</${tag}`, from);
  if (end < 0) return "";
  return text
    .slice(from + 1, end)
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/&(?:#x([\da-f]{1,5})|#(\d{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi, characterOf)
    .replaceAll(/\s+/g, " ")
    .trim();
}

function characterOf(whole: string, hexadecimal?: string, decimal?: string, name = ""): string {
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  if (code <= 0x10ffff) return String.fromCodePoint(code);
  return named[name.toLowerCase()] ?? whole;
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};
