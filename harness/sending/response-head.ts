/** What keeps a head from being that of an HTTP/1.1 response, as the end of "breaks HTTP/1.1 in …". */
export interface HeadDefect {
  readonly found: string;
  /** The rule that it breaks. */
  readonly rule: string;
}

/** What is wrong with the head of a response (RFC 9112). Undefined if nothing is. */
export function headDefect(bytes: Buffer): HeadDefect | undefined {
  const text = bytes.toString("latin1");
  const end = /\r?\n\r?\n/.exec(text);
  const lines = text.slice(0, end?.index ?? text.length).split("\n");
  const isBare = (line: string, at: number): boolean =>
    at < lines.length - 1 ? !line.endsWith("\r") : end?.[0].startsWith("\n") === true;
  const [status = "", ...fields] = lines.map((line) => line.replace(/\r$/, ""));
  if (!/^HTTP\/1\.[01] [1-9]\d\d( .*)?$/.test(status))
    return defect(
      `its status line: ${quoted(status)}`,
      "It has a version, a status of three digits and a reason, as in HTTP/1.1 200 OK.",
    );
  const bare = lines.find(isBare);
  if (bare !== undefined)
    return defect(
      `its headers: ${quoted(bare)} ends with a line feed alone`,
      "Each line ends with a carriage return and a line feed, and no value has either in it.",
    );
  const field = fields.find((one) => !/^[!#$%&'*+.^_`|~\w-]+:[^\0-\x08\x0a-\x1f\x7f]*$/.test(one));
  if (field !== undefined)
    return defect(
      `its headers: ${quoted(field)}`,
      "A header is a name without blanks, a colon, and a value without control characters.",
    );
  if (end === null)
    return defect(
      `its headers: ${bytes.length} bytes came without an empty line`,
      "An empty line ends the headers.",
    );
  return undefined;
}

const defect = (found: string, rule: string): HeadDefect => ({ found, rule });

const quoted = (text: string): string => `"${text.trimEnd()}"`;
