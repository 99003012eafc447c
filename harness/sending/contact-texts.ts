import type { TargetStep } from "../../model/evidence/evidence.ts";
import { cutTo } from "../../model/kept.ts";
import { hostOf, portOf, proxyText } from "../../model/network.ts";
import type { Target } from "../../model/target.ts";
import { trustText } from "./contact-trust.ts";
import { isTls, type Contact } from "./first-contact.ts";

type Redact = (text: string) => string;

/** What was found at a stage, and what to do about it. */
interface Text {
  readonly step: "name" | "connection" | "tls";
  readonly found: string;
  readonly advice: string;
}

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
  const { baseUrl, proxy } = target;
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
            advice: `${contact.distrust === undefined ? "" : "If the proxy intercepts TLS: name its certificate with --ca. "}${text.advice} ${aroundProxy(target)}`,
          };
    }
    case "first byte":
      return ofFirstByte(target, contact);
    case "head":
      return ofHead(target, contact, redact);
    case "answered":
      return {
        step: "connection",
        found: `no response from ${baseUrl} that can be read (${message})`,
        advice:
          "A further request was answered. Run it again; if that happens often, look at what writes the response or closes connections: the server, or what stands before it.",
      };
  }
}

function ofConnection(target: Target, { stage, tried, elsewhere, end, longest }: Contact): Text {
  const { baseUrl, proxy } = target;
  const { host } = new URL(baseUrl);
  const looked = hostOf(proxy?.url ?? baseUrl);
  const what = proxy === undefined ? `at ${baseUrl}` : `at ${proxyText(proxy)}`;
  const each = tried.map(({ address, problem }) => `${address} ${problem}`).join(", ");
  const found =
    stage === "name"
      ? `the name ${looked} ${end === "silent" ? `was not looked up within ${longest / 1000} s` : "is not known"}`
      : `no connection ${what}: ${each}`;
  if (elsewhere !== undefined) {
    const other = new URL(baseUrl);
    other.hostname = elsewhere.includes(":") ? `[${elsewhere}]` : elsewhere;
    const url = other.href.replace(/\/$/, "");
    return {
      step: stage === "name" ? "name" : "connection",
      found: `${found}; but something listens at ${url}`,
      advice: `Try --base-url ${url}`,
    };
  }
  if (stage === "name")
    return {
      step: "name",
      found,
      advice: `Check the host in ${proxy?.from ?? "--base-url"}, and whether this machine resolves names of that network.`,
    };
  const isSilent = tried.some(({ problem = "" }) => !problem.startsWith("refuses"));
  const firewall = isSilent
    ? " A firewall between this machine and that address may drop the connection; behind one, name a proxy with --proxy."
    : "";
  return {
    step: "connection",
    found,
    advice:
      proxy === undefined
        ? `Is the server running, and is ${host} right?${firewall}`
        : `Is the proxy running, and is its address right? ${aroundProxy(target)}`,
  };
}

export function aroundProxy({ proxy }: Target): string {
  return /_proxy$/i.test(proxy?.from ?? "")
    ? "If the server can be reached without it, name the host in NO_PROXY."
    : `If the server can be reached without it, take out ${proxy?.from}.`;
}

function ofProxy(target: Target, { proxyStatus, distrust, end, longest }: Contact): Text {
  const { host } = new URL(target.baseUrl);
  const { proxy } = target;
  const name = proxy === undefined ? "the proxy" : proxyText(proxy);
  const around = aroundProxy(target);
  const text = (found: string, advice: string): Text => ({ step: "connection", found, advice });
  if (proxyStatus === 407 || (proxyStatus === 401 && proxy?.credentials !== undefined))
    return text(
      `${name} ${proxy?.credentials === undefined ? "requires a username and a password" : "refused the username or the password"}: status ${proxyStatus}`,
      "Put them into its address: http://user:password@host:port, with %40 for @ and %3A for : in them.",
    );
  if (proxyStatus !== undefined && proxyStatus >= 500)
    return text(
      `${name} does not reach ${host}: status ${proxyStatus}`,
      `Is the server running, and is ${host} right? ${around}`,
    );
  if (proxyStatus !== undefined)
    return text(
      `${name} refused the connection to ${host}: status ${proxyStatus}`,
      `Allow ${host} in the proxy's rules. ${around}`,
    );
  if (distrust !== undefined)
    return text(
      `the certificate of ${name} is not trusted (${distrust})`,
      "Name the certificate of the proxy's authority with --ca.",
    );
  return text(
    `${name} accepted the connection, but when it was asked for ${host} it ${endText(end, longest)}`,
    `Is it an HTTP proxy, and does it let requests to ${host} pass? ${around}`,
  );
}

function ofFirstByte(target: Target, contact: Contact): Text {
  const { baseUrl, proxy } = target;
  const address = contact.tried.at(-1)?.address ?? "";
  const whose = proxy === undefined ? address : proxyText(proxy);
  const way = contact.chain === undefined ? "connection" : "connection with TLS";
  const found = `${whose} accepted the ${way} and the request, but ${endText(contact.end, contact.longest)}`;
  if (contact.speaksTls === true) return plainToTls(target, found);
  const ofCertificate = clientCertificateText(target, contact, found);
  if (ofCertificate !== undefined) return ofCertificate;
  const advice =
    contact.end === "silent"
      ? "If the server takes longer for its first response, raise --timeout. Else its log says what the request waits for."
      : "The log of the server, or of what stands before it, says why it closes the connection.";
  const isAsked = contact.chain !== undefined && contact.end === "closed";
  const certificate = isAsked
    ? " If it demands a client certificate, give one with --cert and --key."
    : "";
  const around = `${certificate}${proxy === undefined ? "" : ` ${aroundProxy(target)}`}`;
  return {
    step: "connection",
    found: `no response from ${baseUrl}: ${found}`,
    advice: `${advice}${around}`,
  };
}

function endText(end: Contact["end"], longest: number): string {
  return end === "silent"
    ? `sent nothing within ${longest / 1000} s`
    : "closed the connection before it sent a byte";
}

/** The text for a port that speaks TLS where plain HTTP was sent. */
function plainToTls({ baseUrl }: Target, found: string): Text {
  return {
    step: "connection",
    found: `${found}; and the port speaks TLS`,
    advice: `Try --base-url ${baseUrl.replace(/^http:/, "https:")}`,
  };
}

function ofHead(target: Target, { bytes, defect, speaksTls }: Contact, redact: Redact): Text {
  const { baseUrl } = target;
  const begins = firstLine(bytes, redact);
  if (isHttp2(bytes))
    return {
      step: "connection",
      found: `the server at ${baseUrl} speaks HTTP/2 alone`,
      advice: onlyHttp1,
    };
  const other = `what answers at ${baseUrl} does not speak HTTP/1.1: it begins with "${begins}"`;
  if (speaksTls === true) return plainToTls(target, other);
  if (!begins.startsWith("HTTP/") || defect === undefined)
    return { step: "connection", found: other, advice: "Is the port in --base-url right?" };
  return {
    step: "connection",
    found: `the response of ${baseUrl} breaks HTTP/1.1 in ${cutTo(redact(defect.found), 240)}`,
    advice: `${defect.rule} Mend what writes it: the server, or what stands before it.`,
  };
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

const onlyHttp1 =
  "fxconform speaks HTTP/1.1. Let the server accept it as well: with TLS, it must offer http/1.1 beside h2 (ALPN).";

/** The names of the alerts that a server sends in a handshake (RFC 8446, 6, and RFC 5246, 7.2). */
const alerts = new Map([
  [40, "handshake_failure"],
  [42, "bad_certificate"],
  [43, "unsupported_certificate"],
  [44, "certificate_revoked"],
  [45, "certificate_expired"],
  [46, "certificate_unknown"],
  [48, "unknown_ca"],
  [49, "access_denied"],
  [70, "protocol_version"],
  [71, "insufficient_security"],
  [80, "internal_error"],
  [86, "inappropriate_fallback"],
  [112, "unrecognized_name"],
  [116, "certificate_required"],
  [120, "no_application_protocol"],
]);

function ofTls(target: Target, contact: Contact, redact: Redact): Text {
  const { baseUrl } = target;
  const { alert, bytes, end, longest, distrust, chain = [] } = contact;
  const text = (found: string, advice: string): Text => ({ step: "tls", found, advice });
  if (distrust !== undefined) return { step: "tls", ...trustText(target, distrust, chain) };
  if (alert === 70)
    return text(
      "the server offers TLS 1.1 at most; fxconform needs TLS 1.2",
      "Let the server offer TLS 1.2 or 1.3.",
    );
  if (alert === 120)
    return text("the server speaks no HTTP/1.1 (TLS alert no_application_protocol)", onlyHttp1);
  const opened = target.proxy
    ? "the proxy opened a tunnel"
    : `${contact.tried.at(-1)?.address} accepted the connection`;
  const ended =
    alert === undefined
      ? `${opened}, but in the TLS handshake it ${endText(end, longest)}`
      : `the server ended the TLS handshake with the alert ${alerts.get(alert) ?? alert}`;
  const ofCertificate = clientCertificateText(target, contact, ended);
  if (ofCertificate !== undefined) return ofCertificate;
  if (alert === 112)
    return text(
      ended,
      `The server has no certificate for ${hostOf(baseUrl)}: use its name in --base-url.`,
    );
  const orCertificate = target.clientCertificate
    ? ""
    : ", or demand a client certificate (--cert and --key)";
  if (alert !== undefined || isTls(bytes))
    return text(
      alert === undefined
        ? "the TLS handshake did not end: the server and fxconform agree on no parameters"
        : ended,
      `The log of the server says why: it may accept none of the ciphers that Node offers with TLS 1.2 and 1.3${orCertificate}.`,
    );
  if (bytes.length === 0)
    return text(
      ended,
      `Does the server speak TLS at the port ${portOf(new URL(baseUrl))}? --base-url begins with https.`,
    );
  const begins = `the port speaks no TLS: it begins with "${firstLine(bytes, redact)}"`;
  if (target.proxy)
    return text(
      begins,
      `Does the proxy let requests to ${hostOf(baseUrl)} pass, or answer them itself?`,
    );
  return bytes.toString("latin1", 0, 5) === "HTTP/"
    ? text(
        begins,
        `Try --base-url ${baseUrl.replace(/^https:/, "http:")} (beyond loopback with --allow-http), or another port.`,
      )
    : text(begins, "Is the port in --base-url right?");
}

/** The text if the server asks for a client certificate, or refuses the one that it got. */
function clientCertificateText(
  { clientCertificate: own }: Target,
  { alert = 40, bytes, chain, end }: Contact,
  ended: string,
): Text | undefined {
  const isOfCertificate = (alert >= 42 && alert <= 49) || alert === 116;
  // Some servers show no more than the end of the connection, or that the handshake failed.
  const isEnded = alert === 40 && (isTls(bytes) || (chain !== undefined && end === "closed"));
  const isPerhaps = own !== undefined && isEnded;
  if (!isOfCertificate && !isPerhaps) return undefined;
  if (own === undefined)
    return {
      step: "tls",
      found: `the server asks for a client certificate, and none was sent: ${ended}`,
      advice: "Give one with --cert and --key.",
    };
  const hasExpired = Date.parse(own.expires) < Date.now();
  return {
    step: "tls",
    found: `the client certificate of ${own.subject}${hasExpired ? `, which expired on ${own.expires.slice(0, 10)},` : ""} was sent: ${ended}`,
    advice: hasExpired
      ? "Renew it, and check the clock of this machine."
      : "Is it issued for this server's clients, by an authority that the server trusts? Does --cert hold the intermediate certificates too?",
  };
}
