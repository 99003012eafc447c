import type { X509Certificate } from "node:crypto";
import type { TargetStep } from "../../model/evidence/evidence.ts";
import { cutTo } from "../../model/bounds.ts";
import { certificatesIn, hostOf, portOf, proxyText } from "../../model/network.ts";
import { isLoopback, type Target } from "../../model/target.ts";
import { isTls, type Contact } from "./first-contact.ts";

type Redact = (text: string) => string;

/** What was found at a stage, and what to do about it. */
type Text = Required<Pick<TargetStep, "step" | "found" | "advice">>;

const ofWay = (found: string, advice: string): Text => ({ step: "connection", found, advice });
const ofSecurity = (found: string, advice: string): Text => ({ step: "tls", found, advice });

/** The step that ended the way to the server. `message`: the failure of the client's own requests. */
export function problemOf(
  target: Target,
  contact: Contact,
  message: string,
  redact: Redact,
): TargetStep {
  return { ...textOf(target, contact, message, redact), ok: false, stops: true };
}

function textOf(target: Target, contact: Contact, message: string, redact: Redact): Text {
  const { proxy } = target;
  switch (contact.stage) {
    case "name":
    case "connection":
      return ofConnection(target, contact);
    case "proxy":
      return ofProxy(target, contact);
    case "tls": {
      const text = ofTls(target, contact, redact);
      return proxy === undefined
        ? text
        : {
            ...text,
            found: `behind ${proxyText(proxy)}: ${text.found}`,
            advice: `${contact.distrust === undefined ? "" : "If the proxy intercepts TLS: give the file with its certificate to --ca. "}${text.advice} ${aroundProxy(target)}`,
          };
    }
    case "first byte":
      return ofFirstByte(target, contact);
    case "head":
      return ofHead(target, contact, redact);
    case "answered":
      return ofWay(
        `a response of ${target.baseUrl} cannot be read: ${message}`,
        "fxconform sent a second request, whose response could be read. Run it again. If it happens again, look at what writes the response or closes the connection: the server, or the proxy in front of it.",
      );
  }
}

function ofConnection(target: Target, { stage, tried, elsewhere, end, longest }: Contact): Text {
  const { baseUrl, proxy } = target;
  const step = stage === "name" ? "name" : "connection";
  const unknown =
    end === "silent" ? `was not looked up within ${longest / 1000} s` : "is not known";
  const each = tried.map(({ address, problem }) => `${inUrl(address)} ${problem}`).join(", ");
  const found =
    step === "name"
      ? `the name ${hostOf(proxy?.url ?? baseUrl)} ${unknown}`
      : `no connection at ${proxy === undefined ? baseUrl : proxyText(proxy)}: ${each}`;
  if (elsewhere !== undefined) {
    const other = new URL(baseUrl);
    other.hostname = inUrl(elsewhere);
    const url = other.href.replace(/\/$/, "");
    return {
      step,
      found: `${found}; but something listens at ${url}`,
      advice: `Try --base-url ${url}`,
    };
  }
  if (step === "name") {
    const advice = `Check the host in ${proxy?.from ?? "--base-url"}, and whether it needs a VPN or another DNS server.`;
    return { step, found, advice };
  }
  if (proxy !== undefined)
    return ofWay(found, `Is the proxy running, and is its address right? ${aroundProxy(target)}`);
  const isRefused = tried.every(({ problem = "" }) => problem.startsWith("refuses"));
  const firewall = isRefused ? "" : " Behind a firewall, name a proxy with --proxy.";
  return ofWay(found, `Is the server running, and is ${new URL(baseUrl).host} right?${firewall}`);
}

/** An address as URLs have it. */
const inUrl = (address: string): string => (address.includes(":") ? `[${address}]` : address);

export function aroundProxy({ proxy }: Target): string {
  return /_proxy$/i.test(proxy?.from ?? "")
    ? "If the server can be reached without it, name the host in NO_PROXY."
    : `If the server can be reached without it, take out ${proxy?.from}.`;
}

function ofProxy(target: Target, { proxyStatus, distrust, end, longest }: Contact): Text {
  const { host } = new URL(target.baseUrl);
  const name = target.proxy === undefined ? "the proxy" : proxyText(target.proxy);
  const around = aroundProxy(target);
  if (proxyStatus === 407)
    return ofWay(
      `${name} requires a username and a password; none were given, or they are wrong: status 407`,
      "Put them into its address: http://user:password@host:port. Write @ in them as %40, and : as %3A.",
    );
  if (distrust !== undefined)
    return ofWay(
      `the certificate of ${name} is not trusted (${distrust})`,
      "Give the file with the certificate of the proxy's authority to --ca.",
    );
  const what =
    proxyStatus === undefined ? endText(end, longest) : `answered with status ${proxyStatus}`;
  return ofWay(
    `${name} accepted the connection, but when it was asked for ${host} it ${what}`,
    `Is it an HTTP proxy that lets requests to ${host} pass, and does ${host} run? ${around}`,
  );
}

function ofFirstByte(target: Target, contact: Contact): Text {
  const { baseUrl, proxy } = target;
  const { chain, end, longest, speaksTls, tried } = contact;
  const whose = proxy === undefined ? tried.at(-1)?.address : proxyText(proxy);
  const way = chain === undefined ? "connection" : "TLS connection";
  const found = `${whose} accepted the ${way} and the request, but ${endText(end, longest)}`;
  if (speaksTls === true) return plainToTls(target, found);
  const ofCertificate = clientCertificateText(target, contact, found);
  if (ofCertificate !== undefined) return ofCertificate;
  const advice =
    end === "silent"
      ? "If the server takes longer for its first response, raise --timeout. Else its log says what the request waits for."
      : "The log of the server, or of a proxy in front of it, says why it closes the connection.";
  const certificate =
    chain !== undefined && end === "closed"
      ? " If it demands a client certificate, give one with --cert and --key."
      : "";
  const around = proxy === undefined ? "" : ` ${aroundProxy(target)}`;
  return ofWay(`no response from ${baseUrl}: ${found}`, `${advice}${certificate}${around}`);
}

function endText(end: Contact["end"], longest: number): string {
  return end === "silent"
    ? `sent nothing within ${longest / 1000} s`
    : "closed the connection before it sent a byte";
}

/** The text for a port that speaks TLS where plain HTTP was sent. */
function plainToTls({ baseUrl }: Target, found: string): Text {
  return ofWay(
    `${found}; and the port speaks TLS`,
    `Try --base-url ${baseUrl.replace(/^http:/, "https:")}`,
  );
}

function ofHead(target: Target, { bytes, defect, speaksTls }: Contact, redact: Redact): Text {
  const { baseUrl } = target;
  const begins = firstLine(bytes, redact);
  if (isHttp2(bytes))
    return ofWay(
      `the server at ${baseUrl} speaks HTTP/2 alone`,
      `${onlyHttp1} at this port as well.`,
    );
  const other = `what answers at ${baseUrl} does not speak HTTP/1.1: it begins with "${begins}"`;
  if (speaksTls === true) return plainToTls(target, other);
  if (!begins.startsWith("HTTP/") || defect === undefined)
    return ofWay(other, "Is the port in --base-url right?");
  return ofWay(
    `the response of ${baseUrl} breaks HTTP/1.1 in ${cutTo(redact(defect.found), 240)}`,
    `${defect.rule} Mend the server, or the proxy in front of it.`,
  );
}

function firstLine(bytes: Buffer, redact: Redact): string {
  const text = redact(bytes.toString("latin1", 0, 4096));
  return cutTo(text.split(/[\r\n]/, 1)[0] ?? "", 60);
}

/**
 * Whether bytes are the first frame of HTTP/2: SETTINGS, type 4, on the stream 0 (RFC 9113, 3.4 and
 * 4.1). Its length takes the first three bytes.
 */
const isHttp2 = (bytes: Buffer): boolean =>
  bytes.length >= 9 && bytes[0] === 0 && bytes[3] === 4 && bytes.readUInt32BE(5) === 0;

const onlyHttp1 = "fxconform speaks HTTP/1.1: let the server accept it";

function ofTls(target: Target, contact: Contact, redact: Redact): Text {
  const { baseUrl, proxy } = target;
  const { alert, bytes, end, longest, distrust, chain = [] } = contact;
  if (distrust !== undefined) return trustText(target, distrust, chain);
  if (alert === "protocol_version")
    return ofSecurity(
      "the server offers TLS 1.1 at most; fxconform needs TLS 1.2",
      "Let the server offer TLS 1.2 or 1.3.",
    );
  if (alert === "no_application_protocol")
    return ofSecurity(
      `the server speaks no HTTP/1.1 (TLS alert ${alert})`,
      `${onlyHttp1} beside h2 (http/1.1 in ALPN).`,
    );
  const opened = proxy
    ? "the proxy opened a tunnel"
    : `${contact.tried.at(-1)?.address} accepted the connection`;
  const ended =
    alert === undefined
      ? `${opened}, but in the TLS handshake it ${endText(end, longest)}`
      : `the server ended the TLS handshake with the alert ${alert}`;
  const ofCertificate = clientCertificateText(target, contact, ended);
  if (ofCertificate !== undefined) return ofCertificate;
  if (alert === "unrecognized_name")
    return ofSecurity(
      ended,
      `The server has no certificate for ${hostOf(baseUrl)}: use a name in --base-url for which it has one.`,
    );
  if (alert !== undefined || isTls(bytes))
    return ofSecurity(
      alert === undefined ? "the TLS handshake did not end" : ended,
      "The log of the server says why: it may accept none of the ciphers that Node offers with TLS 1.2 and 1.3, or demand a client certificate (--cert and --key).",
    );
  if (bytes.length === 0)
    return ofSecurity(
      ended,
      `Does the server speak TLS at the port ${portOf(new URL(baseUrl))}? If not, begin --base-url with http://.`,
    );
  const begins = `the answer is not TLS: it begins with "${firstLine(bytes, redact)}"`;
  if (proxy)
    return ofSecurity(
      begins,
      `Either ${new URL(baseUrl).host} speaks plain HTTP, or the proxy answers itself: see whether it lets requests to this host pass.`,
    );
  return bytes.toString("latin1", 0, 5) === "HTTP/"
    ? ofSecurity(
        begins,
        `Try --base-url ${baseUrl.replace(/^https:/, "http:")}${isLoopback(new URL(baseUrl).hostname) ? "" : " together with --allow-http"}, or check the port.`,
      )
    : ofSecurity(begins, "Is the port in --base-url right?");
}

/** The text if the server asks for a client certificate, or refuses the one that it got. */
function clientCertificateText(
  { clientCertificate: own }: Target,
  { alert = "handshake_failure", bytes, chain, end }: Contact,
  ended: string,
): Text | undefined {
  const isOfCertificate = /certificate|unknown_ca|access_denied/.test(alert);
  // Some servers show no more than the end of the connection, or that the handshake failed.
  const isEnded =
    alert === "handshake_failure" && (isTls(bytes) || (chain !== undefined && end === "closed"));
  if (!isOfCertificate && !(own !== undefined && isEnded)) return undefined;
  return own === undefined
    ? ofSecurity(
        `the server asks for a client certificate, and none was sent: ${ended}`,
        "Give one with --cert and --key.",
      )
    : ofSecurity(
        `the server may have refused the client certificate of ${own.subject}, valid until ${own.expires.slice(0, 10)}: ${ended}`,
        "Check that the server trusts the authority that issued this certificate, and that the file of --cert has the intermediate certificates too.",
      );
}

/**
 * Why the certificate of the server is not trusted, by the certificates that came and those of
 * `--ca`. `code`: what OpenSSL or Node says of the first one that it does not accept.
 */
function trustText({ baseUrl, ca }: Target, code: string, chain: readonly X509Certificate[]): Text {
  const [own] = chain;
  const now = Date.now();
  const late = chain.find(
    ({ validFrom, validTo }) => Date.parse(validFrom) > now || Date.parse(validTo) < now,
  );
  if (late !== undefined && /EXPIRED|NOT_YET/.test(code))
    return ofSecurity(
      `the certificate of "${commonName(late.subject)}" is valid from ${dateOf(late.validFrom)} to ${dateOf(late.validTo)}, and the clock here says ${dateOf(new Date(now).toUTCString())}`,
      "If the clock is right, let the server have a certificate that is valid now.",
    );
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return ofSecurity(
      `the certificate of the server is not for ${hostOf(baseUrl)}, but for ${namesOf(own)}`,
      "Use a name of the certificate in --base-url, or give the server a certificate for this name.",
    );
  const given = ca === undefined ? undefined : certificatesIn(ca);
  const top = own && lastOf(own, [...chain, ...(given ?? [])]);
  const isIn = (one: X509Certificate): boolean => one.fingerprint256 === top?.fingerprint256;
  const isSelfSigned = top?.checkIssued(top) === true;
  if (top === undefined || (isSelfSigned && given?.some(isIn) === true))
    return ofSecurity(
      `the certificate of the server is not trusted (${code})`,
      "Let its authority issue one that current clients accept.",
    );
  const where = given === undefined ? "not known to this machine" : "not in --ca";
  if (isSelfSigned)
    return ofSecurity(
      `the self-signed certificate of "${commonName(top.subject)}" is ${where}`,
      given === undefined
        ? "If you trust it, give its file to --ca. To try things out, use --insecure."
        : "If you trust it, add it to the file of --ca.",
    );
  const issuer = `"${commonName(top.issuer)}"`;
  const isAlone = chain.length === 1;
  const sent = isAlone ? "sends its own certificate alone," : "sends certificates, the last one";
  const found = `the server ${sent} issued by ${issuer}, which is ${where}`;
  if (given === undefined)
    return ofSecurity(
      found,
      `If ${issuer} is the root, give the file with its certificate to --ca. If not, let the server send the whole chain, and give the file with the certificate of the root to --ca.`,
    );
  return ofSecurity(
    found,
    isAlone
      ? `Let the server send the certificate of ${issuer} as well, or add it to the file of --ca.`
      : `Add the certificate of ${issuer} to the file of --ca.`,
  );
}

/** Goes from a certificate to that of its issuer, and so on, as far as these have them. */
function lastOf(own: X509Certificate, all: readonly X509Certificate[]): X509Certificate {
  const others = all.filter(({ fingerprint256 }) => fingerprint256 !== own.fingerprint256);
  const next = others.find((one) => own.checkIssued(one));
  return next === undefined ? own : lastOf(next, others);
}

/** The common name in a name of X.509, or else the whole name. */
export const commonName = (name = ""): string =>
  /^CN=(.*)$/m.exec(name)?.[1] ?? name.split("\n").join(", ");

/** The names for which a certificate is. */
export const namesOf = (own: X509Certificate | undefined): string =>
  own?.subjectAltName?.replaceAll(/\b(DNS|IP Address):/g, "") ?? "no name";

const dateOf = (text: string): string => new Date(text).toISOString().slice(0, 10);
