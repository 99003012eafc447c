import type { NetworkFailure } from "../../harness/transport/client.ts";
import type { ReceivedResponse } from "../../model/exchange.ts";
import type { ClientCertificate } from "../../model/network.ts";
import type { Target } from "../../model/target.ts";
import { responseText, type PreflightStep, plainText } from "./step.ts";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { plural } from "../../model/plural.ts";

/** Why a server that demands a client certificate refused the connection. */
type Complaint = "missing" | "probably missing" | "expired" | "refused" | "probably refused";

/** The failed step if the server demands a (different) client certificate; undefined if nothing suggests that. */
export const certificateDemand = (
  target: Target,
  { failure, response }: { readonly failure?: NetworkFailure; readonly response?: ReceivedResponse },
  redact: (text: string) => string,
): PreflightStep | undefined => {
  const { clientCertificate, baseUrl } = target;
  if (!baseUrl.startsWith("https:")) return undefined;
  const complaint =
    failure === undefined ? pageComplaint(response, clientCertificate) : failureComplaint(failure, clientCertificate);
  if (complaint === undefined) return undefined;
  const said = failure?.message ?? (response === undefined ? "" : responseText(response, redact));
  return {
    step: "tls",
    ok: false,
    stops: true,
    found: `${complaintText(complaint, clientCertificate)} (${said})`,
    advice: adviceOf(complaint, clientCertificate),
  };
};

/** Alerts of TLS (RFC 8446, 6) with which a server refuses the certificate of a client. */
const refusals = /_ALERT_(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(REVOKED|UNKNOWN)|UNKNOWN_CA)$/;

const failureComplaint = (
  { kind, code = "" }: NetworkFailure,
  own: ClientCertificate | undefined,
): Complaint | undefined => {
  if (code.endsWith("_ALERT_CERTIFICATE_REQUIRED")) return own === undefined ? "missing" : "refused";
  if (code.endsWith("_ALERT_CERTIFICATE_EXPIRED")) return "expired";
  if (refusals.test(code)) return hasExpired(own) ? "expired" : "refused";
  if (/_ALERT_(HANDSHAKE_FAILURE|ACCESS_DENIED)$/.test(code)) {
    return own === undefined ? "probably missing" : hasExpired(own) ? "expired" : "probably refused";
  }
  // Some servers, Node's among them, close the connection after the handshake.
  if (kind === "dropped" && own !== undefined) return hasExpired(own) ? "expired" : "probably refused";
  return undefined;
};

/** nginx responds with its own status 495 or 496, or with status 400 and a page that contains one of two sentences. */
const pageComplaint = (
  response: ReceivedResponse | undefined,
  own: ClientCertificate | undefined,
): Complaint | undefined => {
  if (response === undefined || ![400, 403, 495, 496].includes(response.status)) return undefined;
  const page = new TextDecoder().decode(response.body.subarray(0, 4096));
  if (response.status === 496 || /No required SSL certificate was sent/i.test(page)) {
    return own === undefined ? "missing" : "refused";
  }
  if (response.status !== 495 && !/The SSL certificate error/i.test(page)) return undefined;
  return hasExpired(own) ? "expired" : "refused";
};

const hasExpired = (own: ClientCertificate | undefined): boolean =>
  own !== undefined && Date.parse(own.expires) < Date.now();

const complaintText = (complaint: Complaint, own: ClientCertificate | undefined): string => {
  const named = own === undefined ? "" : ` of ${own.subject}`;
  const day = own === undefined ? "" : ` on ${own.expires.slice(0, 10)}`;
  return {
    missing: "the server demands a client certificate, and none was sent",
    "probably missing": "the server probably demands a client certificate, and none was sent",
    expired: `the client certificate${named} was refused: it expired${day}`,
    refused: `the server refused the client certificate${named}`,
    "probably refused": `the server probably refused the client certificate${named}`,
  }[complaint];
};

const adviceOf = (complaint: Complaint, own: ClientCertificate | undefined): string => {
  if (own === undefined) return "Give one with --cert and --key.";
  if (complaint === "expired") return "Renew it, and check the clock of this machine.";
  return "Is it issued for this server's clients, by an authority that the server trusts? Does --cert hold the intermediate certificates too?";
};

/** Who issued the certificate of the server. */
export const issuerOf = (socket: TLSSocket): string => {
  const { issuer } = socket.getPeerCertificate();
  return one(issuer?.CN) || one(issuer?.O) || "itself";
};

/** The server's certificate on a connection, as part of a step of the preflight; undefined without TLS. */
export const certificateReading = (
  socket: Socket,
  target: Target,
): Pick<PreflightStep, "found" | "certificate"> | undefined => {
  if (!(socket instanceof TLSSocket)) return undefined;
  const { subject, valid_to: until, subjectaltname: names } = socket.getPeerCertificate();
  const name = one(subject?.CN) || (names ?? "no name");
  const issuer = issuerOf(socket);
  const protocol = socket.getProtocol() ?? "TLS";
  const expires = Date.parse(until);
  const trust = socket.authorized ? "trusted" : target.insecure ? "not verified (--insecure)" : "not trusted";
  const days = plural(Math.floor((expires - Date.now()) / 86_400_000), "day");
  const found = `${protocol}, ${name}, issued by ${issuer}, ${trust}, expires in ${days}`;
  // Node cannot read the date of some certificates.
  if (Number.isNaN(expires)) return { found };
  return {
    found,
    certificate: {
      subject: plainText(name),
      issuer: plainText(issuer),
      expires: new Date(expires).toISOString(),
      protocol,
    },
  };
};

const one = (value: string | string[] | undefined): string => (Array.isArray(value) ? (value[0] ?? "") : (value ?? ""));

/** What to do about a handshake that failed with this code of Node or OpenSSL. */
export const tlsAdvice = (code = ""): string => {
  if (/EXPIRED/.test(code)) return "The server's certificate has expired: renew it.";
  if (/NOT_YET_VALID/.test(code)) return "The server's certificate is not valid yet: check the clocks of both sides.";
  if (/ALTNAME/.test(code))
    return "The certificate is for another name: use that name in --base-url, or another certificate.";
  if (/SELF_SIGNED|UNABLE_TO/.test(code))
    return "Name the certificate of its authority with --ca, or, to try things out, use --insecure.";
  return "Does the server speak TLS at this port? --base-url begins with https.";
};
