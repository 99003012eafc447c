import type { SentRequest } from "../../model/exchange.ts";

/** Longer bodies are told by their size. */
const longestBody = 2000;

/** No shell takes a longer one; ids can be of any length. */
const longestUrl = 8000;

/** Headers that curl sets by itself or that say nothing about the fault. */
const unneeded = new Set(["user-agent", "accept-encoding", "content-length", "host"]);

/**
 * A request as a command that works as it stands in a POSIX shell, with the key in `$API_KEY` and the token in `$TOKEN`.
 * `redact` is applied to all other text.
 */
export const toCurl = (request: SentRequest, redact: (text: string) => string): string => {
  const words = ["curl", "-i", "-X", request.method, quoted(urlOf(request.url, redact))];
  for (const [name, value] of request.headers) {
    if (!unneeded.has(name.toLowerCase())) words.push("-H", header(name, redact(value)));
  }
  if (request.body !== undefined && request.body.length > 0) {
    // Left to itself, curl would call it a form.
    if (!request.headers.some(([name]) => name.toLowerCase() === "content-type")) words.push("-H", "'Content-Type:'");
    // Raw: a body that begins with @ names no file.
    words.push("--data-raw", dataOf(request.body, redact));
  }
  return words.join(" ");
};

const urlOf = (url: string, redact: (text: string) => string): string =>
  url.length > longestUrl ? `${redact(url).slice(0, longestUrl)}…` : redact(url);

const header = (name: string, value: string): string => {
  if (name === "x-api-key" && value === "[API key]") return '"x-api-key: $API_KEY"';
  if (name === "Authorization" && value === "Bearer [token]") return '"Authorization: Bearer $TOKEN"';
  return quoted(value === "" ? `${name};` : `${name}: ${value}`);
};

const dataOf = (body: Uint8Array, redact: (text: string) => string): string => {
  if (body.length > longestBody) return quoted(`(${body.length} bytes, see the exchange)`);
  return quoted(redact(new TextDecoder().decode(body)));
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
