import { fieldOf, utf8, type SentRequest } from "../exchange.ts";
import type { Network } from "../network.ts";
import { type AddedHeader, type Target, headerLabel } from "../target.ts";

/** Replaces the secrets in a text. */
type Redact = (text: string) => string;

/** The longest body, in bytes, that stands in the command itself. */
const longestBody = 2000;

/**
 * The longest URL, in characters, that a command contains: an id can have any length, and the
 * command must fit into a report.
 */
const longestUrl = 8000;

export type CurlTrust = Pick<Target, "caFile" | "headers"> &
  Network &
  Partial<Pick<Target, "insecure">>;

/**
 * A POSIX command that sends the same bytes as the request, with `$API_KEY` and `$TOKEN` for key
 * and token. `redact` is applied to all text. Empty if the URL is too long, as a command that was
 * cut would send something else.
 */
export function toCurl(request: SentRequest, redact: Redact, trust: CurlTrust = {}): string {
  const { body, url, isAfterGood } = request;
  if (url.length > longestUrl) return "";
  if (isAfterGood === true) return afterGood(request, redact, trust);
  const isEmbedded = body === undefined || isPlain(body) || isSecret(body, redact);
  const words = [
    ...(isEmbedded ? [] : [`${bytesCommand(body)} |`]),
    ...startOf(url, trust),
    ...(fieldOf(request.headers, "accept-encoding") === undefined ? [] : ["--compressed"]),
    ...(request.method === "HEAD" ? ["-I"] : ["-X", request.method]),
    shellWord(url, redact),
    ...headersOf(request).flatMap(([name, value]) => [
      "-H",
      request.tokenInShell !== undefined && name === "Authorization"
        ? `"${name}: Bearer ${request.tokenInShell}"`
        : headerWord(name, value, redact),
    ]),
  ];
  if (body === undefined) return words.join(" ");
  // Not --data, which takes a body that begins with @ as the name of a file.
  const data = isEmbedded
    ? ["--data-raw", shellWord(new TextDecoder().decode(body), redact)]
    : ["--data-binary", "@-"];
  return [...words, ...data].join(" ");
}

/**
 * A command that sends the request right after the same request with the good token, on one
 * connection.
 */
function afterGood(request: SentRequest, redact: Redact, trust: CurlTrust): string {
  const { isAfterGood: _, ...alone } = request;
  const others = request.headers.filter(([name]) => name.toLowerCase() !== "authorization");
  const good = toCurl({ ...alone, headers: others }, redact, trust);
  const next = toCurl(alone, redact, trust).replace(/^curl /, "");
  return `${good} -H "Authorization: Bearer $TOKEN" -o /dev/null --next ${next}`;
}

/**
 * The command that sets `$API_KEY` and `$TOKEN` for the commands of `toCurl`. It takes the key from
 * `$FXCONFORM_API_KEY`.
 */
export function tokenLine(target: Pick<Target, "baseUrl"> & CurlTrust): string {
  const url = `${target.baseUrl}/auth/token`;
  const headers = target.headers ?? [];
  const request = [
    ...startOf(url, target),
    "-X",
    "POST",
    shellWord(url),
    "-H",
    '"x-api-key: $API_KEY"',
    ...headers.flatMap(({ name, value }) => [
      "-H",
      headerWord(name, value, () => `[${headerLabel(name)}]`),
    ]),
  ];
  const sent = [...request.filter((word) => word !== "-i"), "-H", "'Content-Length: 0'"].join(" ");
  // The JSON text of the response may have line breaks and escaped slashes.
  const read = String.raw`tr -d '\r\n' | sed -n 's/.*"token"[[:space:]]*:[[:space:]]*"\([^"]*\)".*/\1/p' | sed 's/\\\//\//g'`;
  const variables = [
    ...(target.proxy?.credentials === undefined
      ? []
      : [': "${PROXY_USER:?is user:password of the proxy}"']),
    ...headers.map(variableLine),
  ];
  return [
    ...variables,
    'API_KEY="${FXCONFORM_API_KEY:?is the API key of the server: set it first}"',
    `TOKEN=$(${sent} | ${read})`,
  ].join("; ");
}

/**
 * The command that sets the shell variable for the value of an added header from its source. If the
 * source is unknown, the user sets the variable, and the command fails if it is missing.
 */
function variableLine({ name, source }: AddedHeader): string {
  const variable = shellVariable(headerLabel(name)).slice(1);
  const [, kind, place = ""] = /^(env|file):(.*)$/.exec(source ?? "") ?? [];
  if (kind === "env") return `${variable}=$${place}`;
  if (kind === "file") return `${variable}=$(cat ${shellWord(place)})`;
  return `: "\${${variable}:?is the value of the header ${name}}"`;
}

function startOf(url: string, { caFile, insecure, ...network }: CurlTrust): readonly string[] {
  return [
    "curl",
    "-sS",
    "-i",
    ...(url.startsWith("https:") ? ["--http1.1"] : []),
    ...trustIn(["-k", "--cacert"], caFile, insecure),
    ...(network.proxy?.url.startsWith("https:") === true
      ? trustIn(["--proxy-insecure", "--proxy-cacert"], caFile, insecure)
      : []),
    ...networkOptions(network),
    // Without these options, curl shortens the path and takes brackets for a pattern.
    ...(/\/\.\.?(\/|\?|$)/.test(url) ? ["--path-as-is"] : []),
    ...(/[[\]{}]/.test(url) ? ["-g"] : []),
  ];
}

function trustIn(
  [all, one]: readonly [string, string],
  caFile = "",
  insecure = false,
): readonly string[] {
  if (insecure) return [all];
  return caFile === "" ? [] : [one, shellWord(caFile)];
}

/**
 * The options for the proxy and the client certificate. If the run bypasses a proxy that a variable
 * names, an option says so, because curl applies these variables to loopback addresses too.
 */
function networkOptions({ proxy, bypass, clientCertificate }: Network): readonly string[] {
  const { cert, key } = clientCertificate?.files ?? {};
  const user = proxy?.credentials === undefined ? [] : ["--proxy-user", '"$PROXY_USER"'];
  return [
    ...(proxy === undefined ? [] : ["--proxy", shellWord(proxy.url), ...user, "--noproxy", "''"]),
    ...(bypass === undefined ? [] : ["--noproxy", "'*'"]),
    ...(cert === undefined ? [] : ["--cert", shellWord(cert)]),
    ...(key === undefined ? [] : ["--key", shellWord(key)]),
  ];
}

/** Methods with which a request without a body says that its length is 0 (RFC 9110, 8.6). */
const expectsBody = new Set(["POST", "PUT", "PATCH"]);

/**
 * The headers that were sent, without Host and Content-Length, which curl adds itself. A header
 * that curl would add although it was not sent is named without a value, so that curl omits it.
 */
function headersOf({ method, headers, body }: SentRequest): SentRequest["headers"] {
  const own = headers.filter(([name]) => !["host", "content-length"].includes(name.toLowerCase()));
  const unwanted = ["Accept", "User-Agent", ...(body === undefined ? [] : ["Content-Type"])];
  return [
    ...own,
    ...unwanted
      .filter((name) => fieldOf(own, name.toLowerCase()) === undefined)
      .map((name) => [name, omitted] as const),
    ...(body !== undefined && body.length > 1000 ? [["Expect", omitted] as const] : []),
    ...(body === undefined && expectsBody.has(method) ? [["Content-Length", "0"] as const] : []),
  ];
}

const omitted = "\0";

function headerWord(name: string, value: string, redact: Redact): string {
  if (value === omitted) return `'${name}:'`;
  // Headers are bytes: a character beyond ASCII stands for a single byte.
  if (/[^\0-\x7f]/.test(value) && redact(value) === value)
    return `"$(${bytesCommand(Buffer.from(`${name}: ${value}`, "latin1"))})"`;
  const separator = value === "" ? ";" : ": ";
  return shellWord(`${name}${separator}${value}`, () => `${name}${separator}${redact(value)}`);
}

/** Whether a body is a text that a reader can read and a shell takes unchanged. */
function isPlain(body: Uint8Array): boolean {
  const text = body.length > longestBody ? undefined : utf8(body);
  return (
    text !== undefined &&
    !/[^\n\r\t\x20-\x7e\u00a1-\ud7ff\uf900-\ufdcf\u{1f300}-\u{1faff}]/u.test(text)
  );
}

function isSecret(body: Uint8Array, redact: Redact): boolean {
  const text = new TextDecoder().decode(body);
  return redact(text) !== text;
}

const labels = /(\[(?:API key|token|header [^\]\s]+)\])/;

/** The shell variable for the secret with a label: `$HEADER_X_TENANT` for a header X-Tenant. */
const shellVariable = (label: string): string => `$${label.replace(/\W/g, "_").toUpperCase()}`;

/**
 * A redacted text as one word of a POSIX shell. The labels of the API key, the token and headers
 * become shell variables; other labels stay as they are.
 */
function shellWord(text: string, redact: Redact = (same) => same): string {
  const redacted = redact(text);
  if (redacted === text) return quoted(text);
  const pieces = redacted.split(labels).filter((piece) => piece !== "");
  const isLabel = (piece: string): boolean => labels.test(piece);
  const variable = (piece: string): string => shellVariable(piece.slice(1, -1));
  if (!pieces.some(isLabel)) return quoted(redacted);
  if (pieces.every((piece) => /^[^"$`\\!]*$/.test(piece)))
    return `"${pieces.map((piece) => (isLabel(piece) ? variable(piece) : piece)).join("")}"`;
  return pieces.map((piece) => (isLabel(piece) ? `"${variable(piece)}"` : quoted(piece))).join("");
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A shell command that prints exactly the given bytes. */
function bytesCommand(bytes: Uint8Array): string {
  return `printf %s ${Buffer.from(bytes).toString("base64")} | base64 -d`;
}
