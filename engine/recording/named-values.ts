/** A value in a text, with the name of the member or of the parameter that holds it. */
export interface NamedValue {
  readonly name: string;
  /** As it stands in the text, with its escapes. */
  readonly value: string;
  /** Where the value begins in the text. */
  readonly from: number;
  /** Whether a form holds it, and not JSON. */
  readonly isForm: boolean;
}

/**
 * The values in a text that may be JSON or a form, whole, cut, inside other JSON or quoted in a
 * sentence. A value whose end was cut off goes to the end of the text.
 */
export function namedValuesIn(text: string): readonly NamedValue[] {
  return [...membersIn(text), ...parametersIn(text)].sort((one, other) => one.from - other.from);
}

/** The name of a member in quotes, behind as many backslashes as JSON inside JSON needs. */
const memberName = /(?<!\\)(\\*)"([^"\\]{1,100})\1"\s*:\s*/g;

function membersIn(text: string): readonly NamedValue[] {
  const found: NamedValue[] = [];
  const endOfText = endsOfTexts(text);
  for (const match of text.matchAll(memberName)) {
    const [whole, backslashes = "", name = ""] = match;
    const begin = match.index + whole.length;
    const isText = text.startsWith(`${backslashes}"`, begin);
    const from = isText ? begin + backslashes.length + 1 : begin;
    const to = isText ? endOfText(from, backslashes.length) : endOfPlain(text, from);
    if (to > from) found.push({ name, value: text.slice(from, to), from, isForm: false });
  }
  return found;
}

/**
 * Returns a function that says where a JSON text ends whose quotes have `depth` backslashes: at the
 * next quote that is not escaped once more, or at the end. It is called for texts from left to
 * right, so that one pass over the quotes serves all of them.
 */
function endsOfTexts(text: string): (from: number, depth: number) => number {
  const rows = quotesIn(text);
  return (from, depth) => {
    // At each level, a quote has twice the backslashes of the level before, and one more; in front
    // of them may stand escaped backslashes of the value, which are a multiple of the level's own.
    const level = depth + 1;
    let end = text.length;
    for (const row of rows) {
      if (row.backslashes % (2 * level) !== depth) continue;
      while ((row.places[row.next] ?? Infinity) < from) row.next += 1;
      end = Math.min(end, (row.places[row.next] ?? Infinity) - depth);
    }
    return end;
  };
}

/** The places of the quotes in a text, by the number of backslashes before them. */
function quotesIn(text: string) {
  const rows = new Map<number, { backslashes: number; places: number[]; next: number }>();
  let backslashes = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') {
      const row = rows.get(backslashes) ?? { backslashes, places: [], next: 0 };
      rows.set(backslashes, row);
      row.places.push(at);
    }
    backslashes = text[at] === "\\" ? backslashes + 1 : 0;
  }
  return [...rows.values()];
}

/** Where a number, or a part of the text without quotes, ends. */
function endOfPlain(text: string, from: number): number {
  let to = from;
  while (to < text.length && /[\w.+-]/.test(text.charAt(to))) to += 1;
  return to;
}

/** A parameter of a form or of a query. */
const parameter = /(?<![\w%.[\]-])([\w%.[\]-]{1,100})=([^&;#\s"'<>\\]*)/g;

function parametersIn(text: string): readonly NamedValue[] {
  return [...text.matchAll(parameter)].flatMap((match) => {
    const [whole, name = "", value = ""] = match;
    const from = match.index + whole.length - value.length;
    return value === "" ? [] : [{ name: decodedForm(name), value, from, isForm: true }];
  });
}

/** A value of a form without its percent-encoding. What cannot be decoded stays as it is. */
export function decodedForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** A text of JSON without its escapes, even if it was cut or escaped several times. */
export function decodedText(text: string): string {
  return text.replaceAll(
    /(?<!\\)\\+(?:u([\da-fA-F]{4})|([nrtbf])|(["/]))/g,
    (whole, digits, control, sign) => {
      if (digits !== undefined) return String.fromCharCode(Number.parseInt(String(digits), 16));
      return control === undefined ? String(sign) : " ";
    },
  );
}
