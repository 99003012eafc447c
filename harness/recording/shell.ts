import { gzipSync } from "node:zlib";

/** The labels that redaction puts in place of the user's secrets. */
const labels = /(\[(?:API key|token|header [^\]\s]+)\])/;

/** The name of the shell variable for such a secret: `$HEADER_X_TENANT` for a header X-Tenant. */
export const shellVariable = (label: string): string => `$${label.replace(/\W/g, "_").toUpperCase()}`;

/**
 * A text as one word of a POSIX shell. The labels of the key and of the token become shell variables; other labels stay
 * as they are.
 */
export const shellWord = (text: string, redact: (text: string) => string = (same) => same): string => {
  const redacted = redact(text);
  if (redacted === text) return quoted(text);
  const pieces = redacted.split(labels).filter((piece) => piece !== "");
  const isLabel = (piece: string): boolean => labels.test(piece);
  const variable = (piece: string): string => shellVariable(piece.slice(1, -1));
  if (!pieces.some(isLabel)) return quoted(redacted);
  if (pieces.every((piece) => /^[^"$`\\!]*$/.test(piece)))
    return `"${pieces.map((piece) => (isLabel(piece) ? variable(piece) : piece)).join("")}"`;
  return pieces.map((piece) => (isLabel(piece) ? `"${variable(piece)}"` : quoted(piece))).join("");
};

/** Every character as it stands. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The format of a `printf` that prints these bytes: ASCII as it is, the rest as octal escapes. */
export const printfFormat = (bytes: Uint8Array): string => {
  let format = "";
  for (const byte of bytes) format += printfEscapes[byte] ?? "";
  // A leading hyphen would make it an option.
  return quoted(format.replace(/^-/, "\\055"));
};

const printfEscapes: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (character === "%") return "%%";
  if (character === "\\") return "\\\\";
  return byte >= 0x20 && byte < 0x7f ? character : `\\${byte.toString(8).padStart(3, "0")}`;
});

/** Characters above which a script is made shorter by base64. */
const longestScript = 4000;

/** A byte that is repeated at least this often is written as a count. */
const shortestRun = 64;

/** A shell command that prints exactly these bytes: readable if it is short enough, else as short as possible. */
export const bytesCommand = (bytes: Uint8Array): string => {
  const parts = partsOf(bytes).map(({ from, to, isRun }) =>
    isRun ? runCommand(bytes[from] ?? 0, to - from) : `printf ${printfFormat(bytes.subarray(from, to))}`,
  );
  const script = parts.length === 1 ? (parts[0] ?? "") : `{ ${parts.join("; ")}; }`;
  if (script.length <= longestScript) return script;
  const plain = Buffer.from(bytes).toString("base64");
  const packed = gzipSync(bytes).toString("base64");
  return packed.length < plain.length ? `printf %s ${packed} | base64 -d | gzip -dc` : `printf %s ${plain} | base64 -d`;
};

/** Pads an empty text, which every `printf` can do. */
const runCommand = (byte: number, count: number): string => {
  const character = String.fromCharCode(byte);
  if (character === " ") return `printf '%${count}s' ''`;
  const shown = /[\w[\]{}.,:"]/.test(character) ? character : `\\${byte.toString(8).padStart(3, "0")}`;
  return `printf '%${count}s' '' | tr ' ' '${shown}'`;
};

interface Part {
  readonly from: number;
  readonly to: number;
  readonly isRun: boolean;
}

/** The bytes cut into long runs of one ASCII character and what is between them. */
const partsOf = (bytes: Uint8Array): readonly Part[] => {
  const parts: Part[] = [];
  let done = 0;
  const add = (from: number, to: number, isRun: boolean): void => void (to > from && parts.push({ from, to, isRun }));
  for (let from = 0; from < bytes.length;) {
    let to = from + 1;
    while (to < bytes.length && bytes[to] === bytes[from]) to += 1;
    if (to - from >= shortestRun && (bytes[from] ?? 0) < 0x80) {
      add(done, from, false);
      add(from, to, true);
      done = to;
    }
    from = to;
  }
  add(done, bytes.length, false);
  return parts;
};
