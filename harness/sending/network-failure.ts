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
  } = (error ?? {}) as Partial<Error & { code: string }>;
  // undici's parser throws this error for a response that it did not expect.
  if (code === "ERR_ASSERTION")
    return { kind: "protocol", message: "the response is not readable HTTP" };
  const text = shortened(message);
  return {
    kind: kindOf(error, name, code),
    message: code === "" || text.includes(code) ? text : `${text} (${code})`,
  };
}

function kindOf(error: unknown, name: string, code: string): NetworkFailure["kind"] {
  if (
    name === "HTTPParserError" ||
    code === "UND_ERR_HEADERS_OVERFLOW" ||
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"
  )
    return "protocol";
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/.test(code)) return "tls";
  const isOfWay = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT/.test(
    code,
  );
  // undici gives its error for a proxy that refuses a tunnel the code of a request that was aborted.
  const isOfProxy = error instanceof ClosedTunnel || code === "UND_ERR_ABORTED";
  return isOfWay || isOfProxy ? "connect" : "dropped";
}

/** The message of an error. Of OpenSSL's, which name source files, only the reason. */
function shortened(message: string): string {
  return /:error:[^:]*:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;
}
