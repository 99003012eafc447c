import type { Socket } from "node:net";
import { STATUS_CODES } from "node:http";
import { TLSSocket } from "node:tls";
import type { Sent } from "../../model/exchange.ts";
import { isOfCertificate } from "./network-failure.ts";
import { cutTo } from "../../model/kept.ts";
import { hostOf, proxyText } from "../../model/network.ts";
import { plural } from "../../model/plural.ts";
import type { Target } from "../../model/target.ts";
import type { Probe } from "./probe.ts";
import type { TargetStep } from "../../model/evidence/run-progress.ts";
import { fieldOf, jsonOf, type ReceivedResponse } from "../../model/exchange.ts";
import { memberOf } from "../../spec/json.ts";

/**
 * The step at which the first request failed, and what to do. Undefined if the server itself
 * answered the request. `probe`: what a plain connection showed after the failure.
 */
export function problemOf(
  target: Target,
  sent: Sent,
  redact: (text: string) => string,
  probe: Probe = {},
): TargetStep | undefined {
  const situation = situationOf(target, sent, redact, probe);
  const row = rows.find(({ when }) => when(situation));
  return row && stopped(row.step, row.found(situation), row.advice(situation));
}

function situationOf(
  target: Target,
  { failure, response }: Sent,
  redact: (text: string) => string,
  { begins = failure?.begins ?? "", openAt }: Probe,
) {
  const { proxy, clientCertificate: own, baseUrl } = target;
  const { protocol, host } = new URL(baseUrl);
  const { kind = "response", code = "", message = "", proxyStatus = 0 } = failure ?? {};
  const page =
    response === undefined ? "" : new TextDecoder().decode(response.body.subarray(0, 4096));
  return {
    baseUrl,
    host,
    kind,
    code,
    own,
    proxy,
    proxyStatus,
    response,
    page,
    openAt,
    isHttp2: beginsLikeHttp2(begins),
    begins: beginsLikeTls(begins)
      ? ""
      : cutTo(plainText(redact(begins.split(/[\r\n]/, 1)[0] ?? "")), 60),
    lookedUp: hostOf(proxy?.url ?? baseUrl),
    isSecure: protocol === "https:",
    said: response === undefined ? message : responseText(response, redact),
    proxyName: proxy === undefined ? "" : proxyText(proxy),
    aroundIt: /^https?_proxy$/i.test(proxy?.from ?? "")
      ? "If the server can be reached without it, name the host in NO_PROXY."
      : `If the server can be reached without it, take out ${proxy?.from}.`,
    hasExpired: own !== undefined && Date.parse(own.expires) < Date.now(),
  };
}

type PreflightSituation = ReturnType<typeof situationOf>;

interface PreflightRow {
  readonly step: "name" | "connection" | "tls";
  readonly when: (situation: PreflightSituation) => boolean;
  readonly found: (situation: PreflightSituation) => string;
  readonly advice: (situation: PreflightSituation) => string;
}

/**
 * Whether a page is about client certificates. nginx sends its own status 495 or 496, or a status
 * 400 with one of two sentences.
 */
function isCertificatePage({ response, page }: PreflightSituation): boolean {
  return (
    [495, 496].includes(response?.status ?? 0) ||
    ([400, 403].includes(response?.status ?? 0) &&
      /No required SSL certificate was sent|The SSL certificate error/i.test(page))
  );
}

/** Whether a TLS alert (RFC 8446, 6) demands or refuses the certificate of the client. */
function isCertificateAlert({ code }: PreflightSituation): boolean {
  return /_ALERT_(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA)$/.test(code);
}

/**
 * Whether the failure may be about the client certificate. If it is missing or wrong, some servers
 * send a general alert; others, such as Node's, close the connection after the handshake.
 */
function isPerhapsCertificate({ code, kind, own }: PreflightSituation): boolean {
  return (
    /_ALERT_(HANDSHAKE_FAILURE|ACCESS_DENIED)$/.test(code) ||
    (kind === "dropped" && own !== undefined)
  );
}

/** Whether a page is the answer of nginx, Apache or Go to plain HTTP on a port with TLS. */
function isPageOfTls(page: string): boolean {
  return /plain HTTP request was sent to HTTPS port|plain HTTP to an SSL-enabled server port|HTTP request to an HTTPS server/i.test(
    page,
  );
}

/**
 * Whether a text is the first frame of HTTP/2: SETTINGS, type 4, on the stream 0 (RFC 9113, 3.4 and
 * 4.1). Its length takes the first three characters.
 */
function beginsLikeHttp2(text: string): boolean {
  return text.startsWith("\0\0") && text[3] === "\u0004" && text.slice(5, 9) === "\0\0\0\0";
}

/** Whether a text is a TLS record with an alert (RFC 8446, 5.1). */
const beginsLikeTls = (text: string): boolean => text.startsWith("\u0015\u0003");

const onlyHttp1 =
  "fxconform speaks HTTP/1.1. Let the server accept it as well: with TLS, it must offer http/1.1 beside h2 (ALPN).";

function isOfProxy({ proxyStatus, proxy }: PreflightSituation): boolean {
  return proxyStatus === 407 || (proxyStatus === 401 && proxy?.credentials !== undefined);
}

function tlsRow(code: RegExp, advice: string): PreflightRow {
  return {
    step: "tls",
    when: (s) => s.kind === "tls" && code.test(s.code),
    found: ({ proxy, proxyName, said }) =>
      proxy === undefined ? said : `behind ${proxyName}: ${said}`,
    advice: ({ proxy, code: found, aroundIt }) =>
      proxy === undefined || !isOfCertificate(found)
        ? advice
        : `If the proxy intercepts TLS: name its certificate with --ca. ${advice} ${aroundIt}`,
  };
}

/** Explanations of a failure. The first row that applies explains it. */
const rows: readonly PreflightRow[] = [
  {
    step: "name",
    when: ({ code }) => /^(ENOTFOUND|EAI_)/.test(code),
    found: ({ lookedUp, code }) => `the name ${lookedUp} is not known (${code})`,
    advice: ({ proxy }) =>
      `Check the host in ${proxy?.from ?? "--base-url"}, and whether this machine resolves names of that network.`,
  },
  {
    step: "connection",
    when: isOfProxy,
    found: ({ proxyName, proxy, proxyStatus }) =>
      `${proxyName} ${proxy?.credentials === undefined ? "requires a username and a password" : "refused the username or the password"}: status ${proxyStatus}`,
    advice: () =>
      "Put them into its address: http://user:password@host:port, with %40 for @ and %3A for : in them.",
  },
  {
    step: "connection",
    when: ({ proxyStatus }) => proxyStatus >= 500,
    found: ({ proxyName, host, proxyStatus }) =>
      `${proxyName} does not reach ${host}: status ${proxyStatus}`,
    advice: ({ host, aroundIt }) => `Is the server running, and is ${host} right? ${aroundIt}`,
  },
  {
    step: "connection",
    when: ({ proxyStatus }) => proxyStatus > 0,
    found: ({ proxyName, host, proxyStatus }) =>
      `${proxyName} refused the connection to ${host}: status ${proxyStatus}`,
    advice: ({ host, aroundIt }) => `Allow ${host} in the proxy's rules. ${aroundIt}`,
  },
  {
    step: "connection",
    when: ({ kind }) => kind === "proxy",
    found: ({ said }) => said,
    advice: ({ code, aroundIt }) =>
      isOfCertificate(code)
        ? "Name the certificate of the proxy's authority with --ca."
        : `Is the proxy running, and is its address right? ${aroundIt}`,
  },
  {
    // Over plain HTTP, a proxy that does not forward a request sends its own error.
    step: "connection",
    when: ({ proxy, isSecure, response }) =>
      proxy !== undefined &&
      !isSecure &&
      response !== undefined &&
      response.status >= 400 &&
      !isOfApi(response),
    found: ({ proxyName, said }) => `${proxyName} probably answered in the server's place: ${said}`,
    advice: ({ host, aroundIt }) =>
      `Allow ${host} in the proxy's rules, and check that the proxy reaches it. ${aroundIt}`,
  },
  {
    step: "tls",
    when: (s) =>
      s.isSecure && (isCertificatePage(s) || isCertificateAlert(s) || isPerhapsCertificate(s)),
    found: (s) => {
      const probably = isPerhapsCertificate(s) ? "probably " : "";
      if (s.own === undefined)
        return `the server ${probably}demands a client certificate, and none was sent (${s.said})`;
      return s.hasExpired
        ? `the client certificate of ${s.own.subject} was refused: it expired on ${s.own.expires.slice(0, 10)} (${s.said})`
        : `the server ${probably}refused the client certificate of ${s.own.subject} (${s.said})`;
    },
    advice: ({ own, hasExpired }) => {
      if (own === undefined) return "Give one with --cert and --key.";
      return hasExpired
        ? "Renew it, and check the clock of this machine."
        : "Is it issued for this server's clients, by an authority that the server trusts? Does --cert hold the intermediate certificates too?";
    },
  },
  {
    step: "connection",
    when: ({ proxy, kind, code }) =>
      proxy !== undefined &&
      (kind === "dropped" || kind === "timeout" || code.endsWith("_WRONG_VERSION_NUMBER")),
    found: ({ proxyName, said }) => `${proxyName} passed on no answer of the server: ${said}`,
    advice: ({ host, aroundIt }) =>
      `Is the server running, and does the proxy let requests to ${host} pass? ${aroundIt}`,
  },
  {
    step: "connection",
    when: ({ code, openAt }) => code === "ECONNREFUSED" && openAt !== undefined,
    found: ({ baseUrl, openAt }) =>
      `nothing listens at ${baseUrl}, but something does at ${openAt}`,
    advice: ({ openAt }) => `Try --base-url ${openAt}`,
  },
  {
    step: "tls",
    when: ({ kind, code }) => kind === "tls" && code.endsWith("_NO_APPLICATION_PROTOCOL"),
    found: ({ said }) => `the server speaks no HTTP/1.1: ${said}`,
    advice: () => onlyHttp1,
  },
  {
    step: "connection",
    when: ({ isHttp2 }) => isHttp2,
    found: ({ baseUrl }) => `the server at ${baseUrl} speaks only HTTP/2`,
    advice: () => onlyHttp1,
  },
  {
    step: "connection",
    when: ({ kind, said }) => kind === "protocol" && /content-length|transfer-encoding/i.test(said),
    found: ({ baseUrl, said }) => `the response of ${baseUrl} has no certain end: ${said}`,
    advice: () =>
      "A response has Content-Length or Transfer-Encoding, never both (RFC 9112, 6.2). Look at what sets these headers: the server, or a proxy before it.",
  },
  {
    step: "connection",
    when: ({ kind, code, begins }) =>
      (kind === "protocol" || code.endsWith("_WRONG_VERSION_NUMBER")) && begins !== "",
    found: ({ baseUrl, begins }) =>
      `what answers at ${baseUrl} speaks another protocol: it begins with "${begins}"`,
    advice: () => "Is the port in --base-url right?",
  },
  tlsRow(/EXPIRED/, "The server's certificate has expired: renew it."),
  tlsRow(
    /NOT_YET_VALID/,
    "The server's certificate is not valid yet: check the clocks of both sides.",
  ),
  tlsRow(
    /ALTNAME/,
    "The certificate is for another name: use that name in --base-url, or another certificate.",
  ),
  tlsRow(
    /SELF_SIGNED|UNABLE_TO/,
    "Name the certificate of its authority with --ca, or, to try things out, use --insecure.",
  ),
  tlsRow(/(?:)/, "Does the server speak TLS at this port? --base-url begins with https."),
  {
    // A server that speaks TLS answers plain HTTP by closing the connection, with an alert, or with
    // a page that says that this port needs TLS.
    step: "connection",
    when: ({ proxy, isSecure, kind, page }) =>
      proxy === undefined &&
      !isSecure &&
      (kind === "dropped" || kind === "protocol" || isPageOfTls(page)),
    found: ({ baseUrl, said }) => `no usable response from ${baseUrl}: ${said}`,
    advice: ({ baseUrl }) =>
      `Does the server speak TLS at this port? Try --base-url ${baseUrl.replace(/^http:/, "https:")}`,
  },
  {
    step: "connection",
    when: ({ kind }) => kind !== "response",
    found: ({ baseUrl, said }) => `no response from ${baseUrl}: ${said}`,
    advice: ({ kind, host }) =>
      kind === "protocol"
        ? "What answers there is not an HTTP server. Is the port in --base-url right, and the scheme (http or https)?"
        : `Is the server running, and is ${host} right?`,
  },
];

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

export function failed(step: TargetStep["step"], found: string, advice: string): TargetStep {
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
export const gateway =
  'If a gateway before the server sent this and wants a key of its own, add --header "Name: value".';

/**
 * The status and the message of a response, or what an HTML page says besides the status. The text
 * is redacted before it is cut, because redaction does not find a part of a secret.
 */
export function responseText(response: ReceivedResponse, redact: (text: string) => string): string {
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
