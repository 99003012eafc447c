import type { NetworkFailure } from "../../model/exchange.ts";

/** Thrown if a proxy closed the connection instead of answering CONNECT. */
export class ClosedTunnel extends Error {
  override readonly name = "ClosedTunnel";
}

/** The failure that an error of undici or of the system means. */
export function failureOf(error: unknown): Omit<NetworkFailure, "took"> {
  const {
    name = "",
    code = "",
    message = String(error),
    data,
  } = (error ?? {}) as Partial<Error & { code: string; data: unknown }>;
  // undici's parser throws this error for a response that it did not expect.
  if (code === "ERR_ASSERTION")
    return { kind: "protocol", message: "the response is not readable HTTP" };
  const { proxyStatus, reason } = read(message);
  if (proxyStatus !== undefined)
    return { kind: "connect", message: `status ${proxyStatus} from the proxy`, proxyStatus };
  return {
    kind: kindOf(error, name, code),
    message: code === "" ? (reason ?? message) : `${reason ?? message} (${code})`,
    ...(code === ""
      ? {}
      : { code: code === "EPROTO" && reason !== undefined ? codeOf(reason) : code }),
    // undici's parser gives the bytes from where it could not go on.
    ...(typeof data === "string" && name === "HTTPParserError" && { begins: data.slice(0, 4096) }),
  };
}

function kindOf(error: unknown, name: string, code: string): NetworkFailure["kind"] {
  if (
    name === "HTTPParserError" ||
    code === "UND_ERR_HEADERS_OVERFLOW" ||
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"
  )
    return "protocol";
  if (isOfCertificate(code) || /ERR_TLS|ERR_SSL|EPROTO/.test(code)) return "tls";
  if (error instanceof ClosedTunnel) return "connect";
  return /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT/.test(
    code,
  )
    ? "connect"
    : "dropped";
}

/** Whether a code of Node says that a certificate was refused. */
export function isOfCertificate(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code);
}

/**
 * The status of a proxy, or the reason of an `EPROTO`, out of the message of an error. undici and
 * Node give them nowhere else.
 */
function read(message: string): { readonly proxyStatus?: number; readonly reason?: string } {
  const status = /^Proxy response \((\d+)\)|\((407)\)$/.exec(message);
  if (status !== null) return { proxyStatus: Number(status[1] ?? status[2]) };
  const reason = /^(?:\w+ EPROTO )?[0-9A-F]+:error:[^:]*:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1];
  return reason === undefined ? {} : { reason };
}

/** The code that Node makes of OpenSSL's reason. */
const codeOf = (reason: string): string => `ERR_SSL_${reason.toUpperCase().replaceAll(" ", "_")}`;
