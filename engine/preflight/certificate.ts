import { isIP } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { trustOf } from "../../harness/transport/trust.ts";
import { plural } from "../../model/plural.ts";
import type { Certificate } from "../../model/run.ts";
import type { Target } from "../../model/target.ts";
import { plainText } from "./response-text.ts";
import { within } from "./within.ts";

/** What was read of the server's certificate, in a line and as data. */
export interface CertificateReading {
  readonly found: string;
  /** Absent where it could not be read. */
  readonly certificate?: Certificate;
}

/** The certificate of the server. */
export const certificateOf = async (
  url: URL,
  target: Target,
  timeout: number,
  signal: AbortSignal,
): Promise<CertificateReading> => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const socket = connectTls({
    host,
    port: Number(url.port || 443),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: false,
    secureContext: trustOf(target.ca),
  });
  const read = new Promise<CertificateReading>((resolve) => {
    socket.on("error", ({ message }) => resolve({ found: message }));
    socket.once("secureConnect", () => resolve(readingOf(socket, target)));
  });
  try {
    const found = `the certificate could not be read within ${timeout} ms`;
    return (await within(read, timeout, signal)) ?? { found };
  } finally {
    socket.destroy();
  }
};

const readingOf = (socket: TLSSocket, target: Target): CertificateReading => {
  const { subject, issuer: from, valid_to: until, subjectaltname: names } = socket.getPeerCertificate();
  const days = Math.floor((Date.parse(until) - Date.now()) / 86_400_000);
  const name = one(subject?.CN) || (names ?? "no name");
  const issuer = one(from?.CN) || one(from?.O) || "itself";
  const protocol = socket.getProtocol() ?? "TLS";
  const trust = socket.authorized ? "trusted" : target.insecure ? "not verified (--insecure)" : "not trusted";
  return {
    found: `${protocol}, ${name}, issued by ${issuer}, ${trust}, expires in ${plural(days, "day")}`,
    ...(Number.isNaN(days)
      ? {}
      : {
          certificate: {
            subject: plainText(name),
            issuer: plainText(issuer),
            expires: new Date(until).toISOString(),
            protocol,
          },
        }),
  };
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
