import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { plural } from "../../model/plural.ts";
import type { Target } from "../../model/target.ts";
import type { PreflightStep } from "./step.ts";
import { plainText } from "./response-text.ts";

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
