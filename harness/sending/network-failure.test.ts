import { expect, test } from "vitest";
import { failureOf } from "./network-failure.ts";

const coded = (message: string, code: string): Error => Object.assign(new Error(message), { code });

test.each([
  ["read ECONNRESET", "ECONNRESET", "dropped"],
  ["connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED", "connect"],
  ["certificate has expired", "CERT_HAS_EXPIRED", "tls"],
  ["Response body length does not match", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "protocol"],
])("%s", (message, code, kind) => {
  expect(failureOf(coded(message, code))).toEqual({ kind, code, message: `${message} (${code})` });
});

test.each([
  [
    "sslv3 alert handshake failure",
    "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE",
    "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE",
  ],
  ["tlsv13 alert certificate required", "EPROTO", "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"],
])("an alert of TLS has its code, however Node reports it: %s, %s", (reason, given, code) => {
  const text = `40B7:error:0A00045C:SSL routines:ssl3_read_bytes:${reason}:rec_layer_s3.c:1605:SSL alert number 1:\n`;
  const message = given === "EPROTO" ? `write EPROTO ${text}` : text;
  expect(failureOf(coded(message, given))).toEqual({
    kind: "tls",
    code,
    message: `${reason} (${given})`,
  });
});

test.each([
  ["Proxy response (403) !== 200 when HTTP Tunneling", 403],
  ["Proxy Authentication Required (407)", 407],
])("a proxy's status: %s", (message, proxyStatus) => {
  expect(failureOf(coded(message, "UND_ERR_ABORTED"))).toMatchObject({
    kind: "connect",
    proxyStatus,
  });
});
