import { expect, test } from "vitest";
import { failureOf } from "./connections.ts";

const reset =
  "40B7:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:rec_layer_s3.c:1605:SSL alert number 116:\n";

test.each<[string, code: string, kind: string, text?: string]>([
  ["read ECONNRESET", "ECONNRESET", "dropped", "read ECONNRESET"],
  ["connect ECONNREFUSED ::1", "ECONNREFUSED", "connect", "connect ECONNREFUSED ::1"],
  ["no body", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "protocol"],
  ["certificate has expired", "CERT_HAS_EXPIRED", "tls"],
  [`write EPROTO ${reset}`, "EPROTO", "tls", "tlsv13 alert certificate required (EPROTO)"],
  ["Proxy response (403) !== 200", "UND_ERR_ABORTED", "connect"],
])(
  "%s with the code %s is of the kind %s",
  (message, code, kind, text = `${message} (${code})`) => {
    const error = Object.assign(new Error(message), { code });
    expect(failureOf(error)).toEqual({ kind, message: text });
  },
);
