import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createSecureServer, createServer as createHttp2Server } from "node:http2";
import { createServer as createTcpServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import { listening } from "../../model/testing/listening.ts";
import { preflightAt } from "../testing/preflight.ts";

/** A server that sends these bytes, before or after the first bytes of the client. */
function saying(bytes: string | Buffer, isAsked = false): Server {
  return createTcpServer((socket) => {
    socket.on("error", () => undefined);
    if (isAsked) socket.on("data", () => socket.end(bytes));
    else socket.end(bytes);
  });
}

/** The first frame of HTTP/2: SETTINGS with one setting. */
const settingsFrame = Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]);

function redirecting(location: (path: string) => string): RequestListener {
  return ({ url = "" }, response) => {
    response.writeHead(308, { location: location(url) }).end();
  };
}

async function failedStep(baseUrl: string) {
  const { steps } = await preflightAt({ baseUrl, insecure: true });
  const step = steps.find(({ ok }) => !ok) ?? expect.fail("every step passed");
  return { found: step.found, advice: step.advice };
}

test.each<[string, () => Server, RegExp, RegExp]>([
  [
    "HTTP/2 in clear",
    () => createHttp2Server(),
    /speaks only HTTP\/2$/,
    /^fxconform speaks HTTP\/1\.1/,
  ],
  ["SSH", () => saying("SSH-2.0-Open\r\n"), /begins with "SSH-2\.0-Open"/, /port in --base-url/],
  [
    "a redirection to the path with a slash",
    () => createHttpServer(redirecting((path) => `${path}/`)),
    /308 with Location \/auth\/token\/$/,
    /no --base-url mends that/,
  ],
  [
    "a redirection to another host",
    () => createHttpServer(redirecting((path) => `https://fx.example${path}`)),
    /308 with Location https:\/\/fx\.example\/auth\/token$/,
    /into --base-url/,
  ],
])("at a port with plain HTTP: %s", async (_, server, found, advice) => {
  expect(await failedStep(`http://127.0.0.1:${await listening(server())}`)).toEqual({
    found: expect.stringMatching(found),
    advice: expect.stringMatching(advice),
  });
});

test("with TLS: HTTP/2 alone, whether the handshake says so or not", async () => {
  const { private: key, cert } = await generate(undefined, { keyType: "ec" });
  const strict = createSecureServer({ key, cert, allowHTTP1: false });
  const silent = createTlsServer({ key, cert }, (socket) => {
    socket.on("error", () => undefined).write(settingsFrame);
  });
  for (const server of [strict, silent])
    expect(await failedStep(`https://127.0.0.1:${await listening(server as Server)}`)).toEqual({
      found: expect.stringMatching(/speaks (only HTTP\/2|no HTTP\/1\.1)/),
      advice: expect.stringContaining("http/1.1 beside h2 (ALPN)"),
    });
});

test.each([
  ["127.0.0.1", "[::1]"],
  ["[::1]", "127.0.0.1"],
])("refused at %s, open at %s", async (given, open) => {
  const port = await listening(createHttpServer(), open.replace(/[[\]]/g, ""));
  expect(await failedStep(`http://${given}:${port}/api`)).toEqual({
    found: `nothing listens at http://${given}:${port}/api, but something does at http://${open}:${port}/api`,
    advice: `Try --base-url http://${open}:${port}/api`,
  });
});

test("an echo of the key is replaced before the first characters are cut", async () => {
  const apiKey = "echoed-key-0123456789";
  const server = saying(`${"x".repeat(50)}${apiKey}\r\n`);
  const { steps } = await preflightAt({
    baseUrl: `http://127.0.0.1:${await listening(server)}`,
    apiKey,
  });
  const { found = "" } = steps.find(({ ok }) => !ok) ?? {};
  expect(found).toContain("begins with");
  expect(found).not.toContain("echoed");
});
