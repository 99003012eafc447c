/** Why no response came: the connection could not be made, was lost, timed out, or did not speak HTTP. */
export interface NetworkFailure {
  readonly kind: "connect" | "proxy" | "tls" | "dropped" | "timeout" | "protocol" | "aborted";
  /** Short, with the system's code where there is one. */
  readonly message: string;
  readonly took: number;
}

/** A proxy ended the connection in place of an answer to CONNECT. */
export class ClosedTunnel extends Error {
  override readonly name = "ClosedTunnel";
}

/** What an error of undici or of the system means. */
export const failureOf = (error: unknown): [NetworkFailure["kind"], string] => {
  const { name = "", code = "", message = String(error) } = (error ?? {}) as Partial<Error & { code: string }>;
  // A response that the parser of undici did not expect.
  if (code === "ERR_ASSERTION") return ["protocol", "the response is not readable HTTP"];
  const proxyStatus = /^Proxy response \((\d+)\)|\((407)\)$/.exec(message);
  if (proxyStatus !== null) return ["connect", `status ${proxyStatus[1] ?? proxyStatus[2]} from the proxy`];
  const reason = /^[0-9A-F]+:error:[^:]*:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;
  const text = code === "" ? reason : `${reason} (${code})`;
  if (
    name === "HTTPParserError" ||
    code === "UND_ERR_HEADERS_OVERFLOW" ||
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"
  )
    return ["protocol", text];
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|ERR_TLS|ERR_SSL|EPROTO/.test(code)) return ["tls", text];
  if (error instanceof ClosedTunnel) return ["connect", text];
  if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT/.test(code))
    return ["connect", text];
  return ["dropped", text];
};
