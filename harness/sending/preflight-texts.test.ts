import { expect, test } from "vitest";
import type { NetworkFailure, Sent } from "../../model/exchange.ts";
import { responseOf } from "../../model/testing/exchanges.ts";
import { target } from "../../model/testing/target.ts";
import type { Target } from "../../model/target.ts";
import { problemOf } from "./preflight-texts.ts";

const proxy = { proxy: { url: "http://proxy:3128", from: "--proxy" } };
const ofVariable = {
  proxy: { ...proxy.proxy, from: "HTTPS_PROXY", credentials: { user: "u", password: "p" } },
};

function failure(kind: NetworkFailure["kind"], more: Partial<NetworkFailure> = {}): Sent {
  return {
    failure: { kind, message: "words", took: 1, ...more },
  };
}
const tls = (code: string): Sent => failure("tls", { code });
function page(status: number, text: string): Sent {
  return {
    response: responseOf({ status, body: text, headers: [] }),
  };
}

test.each<
  readonly [
    what: string,
    over: Partial<Target>,
    sent: Sent,
    step: string,
    found: RegExp,
    advice: RegExp,
  ]
>([
  [
    "an unknown name",
    {},
    failure("connect", { code: "ENOTFOUND" }),
    "name",
    /fx.example is not known/,
    /--base-url/,
  ],
  ["another name", {}, tls("ERR_TLS_CERT_ALTNAME_INVALID"), "tls", /words/, /another name/],
  [
    "perhaps no certificate",
    {},
    tls("ERR_SSL_ALERT_HANDSHAKE_FAILURE"),
    "tls",
    /server probably demands/,
    /--cert/,
  ],
  [
    "a wrong login",
    ofVariable,
    failure("connect", { proxyStatus: 401 }),
    "connection",
    /refused the username/,
    /%40/,
  ],
  [
    "TLS that is intercepted",
    proxy,
    tls("SELF_SIGNED_CERT_IN_CHAIN"),
    "tls",
    /^behind the proxy/,
    /intercepts TLS/,
  ],
])("%s", (_, over, sent, step, found, advice) => {
  const whole = { ...target, baseUrl: "https://fx.example", ...over };
  expect(problemOf(whole, sent, (text) => text)).toEqual({
    step,
    ok: false,
    stops: true,
    found: expect.stringMatching(found),
    advice: expect.stringMatching(advice),
  });
});

test("over plain HTTP, a proxy may answer in the server's place; what the server answers is no problem", () => {
  const plain = { ...target, ...proxy, baseUrl: "http://127.0.0.1" };
  expect(problemOf(plain, page(502, "gone"), (text) => text)?.found).toContain(
    "probably answered in the server's place",
  );
  expect(problemOf(plain, page(502, '{"message":"no"}'), (text) => text)).toBeUndefined();
  expect(problemOf(target, page(401, "no"), (text) => text)).toBeUndefined();
});

test.each([
  ["a connection that is closed", failure("dropped")],
  ["the page of nginx", page(400, "<h1>The plain HTTP request was sent to HTTPS port</h1>")],
])("plain HTTP to a port with TLS: %s suggests https", (_, sent) => {
  const plain = { ...target, baseUrl: "http://127.0.0.1:8443/api" };
  expect(problemOf(plain, sent, (text) => text)?.advice).toContain(
    "Try --base-url https://127.0.0.1:8443/api",
  );
});
