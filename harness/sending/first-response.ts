import type { Socket } from "node:net";
import { STATUS_CODES } from "node:http";
import { TLSSocket } from "node:tls";
import { cutTo } from "../../model/kept.ts";
import { plural } from "../../model/plural.ts";
import { proxyText } from "../../model/network.ts";
import { quotedText, type Target } from "../../model/target.ts";
import { issuedToken } from "../../model/token.ts";
import { redirectionAdvice } from "../errors.ts";
import { isThrottling } from "./attempt.ts";
import { aroundProxy } from "./contact-texts.ts";
import type { TargetStep } from "../../model/evidence/evidence.ts";
import { fieldOf, isSuccess, jsonOf, type ReceivedResponse } from "../../model/exchange.ts";
import { memberOf } from "../../spec/json.ts";

/** The server's certificate as a part of the step `tls`. Undefined if the connection has no TLS. */
export function certificateReading(
  socket: Socket,
  target: Target,
): Pick<TargetStep, "found" | "certificate"> | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const { subject, issuer, valid_to: until, subjectaltname: names } = socket.getPeerCertificate();
  const name = one(subject?.CN) || (names ?? "no name");
  const authority = one(issuer?.CN) || one(issuer?.O) || "itself";
  const protocol = socket.getProtocol() ?? "TLS";
  const expires = Date.parse(until);
  const distrust = target.insecure ? "not verified (--insecure)" : "not trusted";
  const trust = socket.authorized ? "trusted" : distrust;
  const days = plural(Math.floor((expires - Date.now()) / 86_400_000), "day");
  const found = `${protocol}, ${name}, issued by ${authority}, ${trust}, expires in ${days}`;
  // Node cannot read the date of every certificate.
  if (Number.isNaN(expires)) return { found };
  const shownName = plainText(name);
  const shownIssuer = plainText(authority);
  return {
    found,
    certificate: {
      subject: shownName,
      issuer: shownIssuer,
      expires: new Date(expires).toISOString(),
      protocol,
    },
  };
}

function one(value: string | string[] | undefined): string {
  return Array.isArray(value) ? (value[0] ?? "") : (value ?? "");
}

export function passed(step: TargetStep["step"], found: string): TargetStep {
  return {
    step,
    ok: true,
    found,
  };
}

function failed(step: TargetStep["step"], found: string, advice: string): TargetStep {
  return {
    step,
    ok: false,
    found,
    advice,
  };
}

export function stopped(...[step, found, advice]: Parameters<typeof failed>): TargetStep {
  return {
    ...failed(step, found, advice),
    stops: true,
  };
}

/** What to do if a gateway responded in place of the server. */
const gateway =
  'If a gateway before the server sent this and wants a key of its own, add --header "Name: value".';

/**
 * The status and the message of a response, or what an HTML page says besides the status. The text
 * is redacted before it is cut, because redaction does not find a part of a secret.
 */
function responseText(response: ReceivedResponse, redact: (text: string) => string): string {
  const words = cutTo(redact(wordsOf(response)), 160);
  const { status, headers } = response;
  const location = status >= 300 && status < 400 ? fieldOf(headers, "location") : undefined;
  if (location !== undefined)
    return `status ${status} with Location ${cutTo(redact(location), 160)}`;
  if (!isPage(response)) return `status ${status}${words === "" ? "" : ` "${words}"`}`;
  const phrase = STATUS_CODES[status] ?? "";
  const further = words.replaceAll(`${status}`, "").replaceAll(phrase, "").trim();
  return `an HTML page, ${`${status} ${phrase}`.trim()}${further === "" ? "" : `: "${further}"`}`;
}

function isPage({ headers }: ReceivedResponse): boolean {
  return fieldOf(headers, "content-type")?.toLowerCase().startsWith("text/html") === true;
}

/**
 * Whether a refusal has the shape of the API's errors. If not, it most likely comes from something
 * in front of the server, such as a gateway.
 */
export function isOfApi(response: ReceivedResponse): boolean {
  return typeof memberOf(jsonOf(response), "message") === "string";
}

/** The `message` of an error of the API, or else the text of the body without markup. */
function wordsOf(response: ReceivedResponse): string {
  const message = memberOf(jsonOf(response), "message");
  if (typeof message === "string") return message;
  return new TextDecoder()
    .decode(response.body.subarray(0, longestPage))
    .replaceAll(/<(style|script|head)\b.{0,16384}?<\/\1>|<[^<>]*>/gis, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const longestPage = 16_384;

/** A text of the server with a dot in place of each control character, cut to 400 characters. */
export function plainText(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "·").slice(0, 400);
}

/**
 * The steps about key and token. If the response has no token but does not refuse the key, the run
 * goes on and judges the response.
 */
export function keySteps(
  target: Target,
  response: ReceivedResponse,
  redact: (text: string) => string,
): readonly TargetStep[] {
  const { status } = response;
  const said = responseText(response, redact);
  if (isSuccess({ response })) {
    const accepted = passed("key", `accepted with ${status}`);
    const token = issuedToken(jsonOf(response))?.token;
    if (token !== undefined)
      return [accepted, passed("token", `a token of ${token.length} characters`)];
    const [words, further] =
      jsonOf(response) === undefined ? [`: ${said}`, ` ${gateway}`] : ["", ""];
    const advice = `POST /auth/token must answer with {"token": "…"}.${further}`;
    return [accepted, failed("token", `the response has no usable token${words}`, advice)];
  }
  const { proxy, baseUrl } = target;
  const answer = `POST /auth/token answers with ${said}`;
  // Over plain HTTP, a proxy that does not forward a request sends its own error.
  if (proxy !== undefined && baseUrl.startsWith("http:") && !isOfApi(response)) {
    const found = `${answer}, perhaps from ${proxyText(proxy)} in the server's place`;
    const advice = `Allow ${new URL(baseUrl).host} in the proxy's rules, and check that the proxy reaches it. ${aroundProxy(target)}`;
    return [stopped("connection", found, advice)];
  }
  if (status >= 500 || isThrottling(response)) {
    const further = isOfApi(response) ? "" : ` ${gateway}`;
    const advice = `The server is in trouble or busy; the key was neither accepted nor refused.${further}`;
    return [failed("key", said, advice)];
  }
  const advice = [refusalAdvice(response, baseUrl), quotedText(target)];
  return [stopped("key", answer, advice.join(" ").trim())];
}

function refusalAdvice(response: ReceivedResponse, baseUrl: string): string {
  const { status } = response;
  if (status >= 300 && status < 400)
    return redirectionAdvice(`${baseUrl.replace(/\/$/, "")}/auth/token`, response);
  const path =
    new URL(baseUrl).pathname === "/"
      ? `The base URL ${baseUrl} has no path: is the API below one, such as /api?`
      : `The base URL is ${baseUrl}: is its path right?`;
  if (status === 404) return isOfApi(response) ? `${path} Then check --api-key.` : path;
  return isOfApi(response)
    ? `Check --api-key, and that it belongs to this environment. ${gateway}`
    : `This is not an error of the API. ${path} ${gateway}`;
}
