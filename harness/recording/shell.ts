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

/** A shell command that prints exactly these bytes: readable if it is short enough, else as short as possible. */
export const bytesCommand = (bytes: Uint8Array): string => {
  const script = `printf ${printfFormat(bytes)}`;
  if (script.length <= longestScript) return script;
  const [plain, packed] = [Buffer.from(bytes), gzipSync(bytes)].map((one) => one.toString("base64")) as [
    string,
    string,
  ];
  return packed.length < plain.length ? `printf %s ${packed} | base64 -d | gzip -dc` : `printf %s ${plain} | base64 -d`;
};
