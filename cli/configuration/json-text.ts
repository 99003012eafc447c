/** What is wrong in a text that should be JSON, and where. Never quotes the text: it may hold a key. */
export interface JsonFault {
  /** Follows the name of the file: `is not JSON: unexpected text`. */
  readonly what: string;
  readonly line: number;
  readonly column: number;
}

/** The first fault of a text by RFC 8259, a name that is twice in one object included; undefined where there is none. */
export function jsonFault(text: string): JsonFault | undefined {
  const reader = { text, at: 0 };
  try {
    value(reader);
    if (kindAt(reader) !== undefined) throw new Fault("is not JSON: unexpected text after its end", reader.at);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const lines = text.slice(0, error.at).split("\n");
    return { what: error.message, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
  }
}

class Fault extends Error {
  readonly at: number;
  constructor(what: string, at: number) {
    super(what);
    this.name = "Fault";
    this.at = at;
  }
}

interface Reader {
  readonly text: string;
  at: number;
}

function value(reader: Reader): void {
  const kind = kindAt(reader);
  if (kind === "{") members(reader);
  else if (kind === "[") elements(reader);
  else if (kind === '"') string(reader);
  else take(reader, plainValue, kind === undefined ? "unexpected end" : "unexpected text");
}

function members(reader: Reader): void {
  const names = new Set<string>();
  sequence(reader, "}", () => {
    kindAt(reader);
    const start = reader.at;
    const name = JSON.parse(string(reader)) as string;
    if (names.has(name)) throw new Fault("has a name twice in one object", start);
    names.add(name);
    mark(reader, [":"]);
    value(reader);
  });
}

const elements = (reader: Reader): void => sequence(reader, "]", () => value(reader));

/** What stands between two brackets, separated by commas. */
function sequence(reader: Reader, end: string, entry: () => void): void {
  reader.at++;
  if (kindAt(reader) === end) return void reader.at++;
  do entry();
  while (mark(reader, [",", end]) === ",");
}

function string(reader: Reader): string {
  return take(
    reader,
    quoted,
    kindAt(reader) === '"' ? "a text without its end, or with a character that needs \\" : 'no "',
  );
}

function mark(reader: Reader, wanted: readonly string[]): string {
  const kind = kindAt(reader);
  if (kind === undefined || !wanted.includes(kind))
    throw new Fault(`is not JSON: no ${wanted.join(" or ")}`, reader.at);
  reader.at++;
  return kind;
}

/** The next character that is no white space, to which it goes on. */
function kindAt(reader: Reader): string | undefined {
  while (/[ \t\r\n]/.test(reader.text[reader.at] ?? "")) reader.at++;
  return reader.text[reader.at];
}

function take(reader: Reader, pattern: RegExp, otherwise: string): string {
  pattern.lastIndex = reader.at;
  const [found] = pattern.exec(reader.text) ?? [];
  if (found === undefined) throw new Fault(`is not JSON: ${otherwise}`, reader.at);
  reader.at += found.length;
  return found;
}

const quoted = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const plainValue = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
