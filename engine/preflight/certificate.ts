import { isIP } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { trustOf } from "../../harness/transport/trust.ts";
import { plural } from "../../model/plural.ts";
import type { Target } from "../../model/target.ts";
import { within } from "./within.ts";

/** The certificate of the server in a line. */
export const certificateOf = async (
  url: URL,
  target: Target,
  timeout: number,
  signal: AbortSignal,
): Promise<string> => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const socket = connectTls({
    host,
    port: Number(url.port || 443),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: false,
    secureContext: trustOf(target.ca),
  });
  const read = new Promise<string>((resolve) => {
    socket.on("error", ({ message }) => resolve(message));
    socket.once("secureConnect", () => resolve(certificateText(socket, target)));
  });
  try {
    return (await within(read, timeout, signal)) ?? `the certificate could not be read within ${timeout} ms`;
  } finally {
    socket.destroy();
  }
};

const certificateText = (socket: TLSSocket, target: Target): string => {
  const { subject, issuer, valid_to: until, subjectaltname: names } = socket.getPeerCertificate();
  const days = Math.floor((Date.parse(until) - Date.now()) / 86_400_000);
  const name = one(subject?.CN) || (names ?? "no name");
  const trust = socket.authorized ? "trusted" : target.insecure ? "not verified (--insecure)" : "not trusted";
  return `${socket.getProtocol() ?? "TLS"}, ${name}, issued by ${one(issuer?.CN) || one(issuer?.O) || "itself"}, ${trust}, expires in ${plural(days, "day")}`;
};

const one = (value: string | string[] | undefined): string => (Array.isArray(value) ? (value[0] ?? "") : (value ?? ""));

/** What to do about a handshake that failed with this message of Node or OpenSSL. */
export const tlsAdvice = (message: string): string => {
  if (/EXPIRED|expired/.test(message)) return "The server's certificate has expired: renew it.";
  if (/NOT_YET_VALID/.test(message))
    return "The server's certificate is not valid yet: check the clocks of both sides.";
  if (/ALTNAME|does not match/.test(message))
    return "The certificate is for another name: use that name in --base-url, or another certificate.";
  if (/SELF_SIGNED|UNABLE_TO|self.signed|unable to/.test(message))
    return "Name the certificate of its authority with --ca, or, to try things out, use --insecure.";
  return "Does the server speak TLS at this port? --base-url begins with https.";
};
