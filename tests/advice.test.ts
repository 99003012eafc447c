import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createSecureServer, createServer as createHttp2Server } from "node:http2";
import { createServer, type ServerOptions } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import { preflightAt } from "../harness/testing/preflight.ts";
import { listening } from "../model/testing/listening.ts";
import type { Target } from "../model/target.ts";

/*
 * What fxconform says in situations that users meet, in advice.golden. Read it aloud: each text has to be
 * clear to somebody who knows the situation only from these words.
 */

const day = 86_400_000;

interface Pair {
  readonly key: string;
  readonly cert: string;
}

/** A certificate from an authority, or one that signed itself, valid in this range of days. */
async function issued(
  name: string,
  {
    by,
    days: [from, to] = [-1, 30],
    isAuthority = by === undefined,
  }: {
    readonly by?: Pair;
    readonly days?: readonly [number, number];
    readonly isAuthority?: boolean;
  } = {},
): Promise<Pair> {
  const altNames = [{ type: 2, value: name } as const, { type: 7, ip: "127.0.0.1" } as const];
  const { private: key, cert } = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() + from * day),
    notAfterDate: new Date(Date.now() + to * day),
    ...(by !== undefined && { ca: by }),
    extensions: isAuthority
      ? [{ name: "basicConstraints", cA: true, critical: true }]
      : [
          {
            name: "subjectAltName",
            altNames: name === "fx.example" ? altNames.slice(0, 1) : altNames,
          },
        ],
  });
  return { key, cert };
}

const root = await issued("Acme Root");
const between = await issued("Acme Issuing", { by: root, isAuthority: true });
const server = await issued("localhost", { by: between });
const chain = `${server.cert.trim()}\n${between.cert}`;
const other = await issued("Other Root");
const client = await issued("client", { by: other });

const json = { "content-type": "application/json" };
const good: RequestListener = (_, response) =>
  void response.writeHead(200, json).end('{"token":"token-0123456789"}');

const secure = (options: ServerOptions): Server => createServer(options, good);

/** A server that sends these bytes, before or after the first bytes of the client, and closes. */
function saying(bytes: string | Buffer, isAsked = true): Server {
  return createTcpServer((socket) => {
    if (isAsked) socket.once("data", () => socket.end(bytes));
    else socket.end(bytes);
  });
}

const silent = (): Server => createTcpServer((socket) => void socket.resume());
const response = (...lines: readonly string[]): Server =>
  saying(`${lines.join("\r\n")}\r\n\r\n{"token":"t"}`);
const redirecting = (to: (path: string) => string): Server =>
  createHttpServer(
    ({ url = "" }, answer) => void answer.writeHead(308, { location: to(url) }).end(),
  );
const page = (status: number, text: string): Server =>
  createHttpServer(
    (_, answer) =>
      void answer.writeHead(status, { "content-type": "text/html" }).end(`<html><h1>${text}</h1>`),
  );

/** A proxy that does this with each CONNECT. */
function proxy(connects: (socket: Socket) => void): Server {
  return createHttpServer().on("connect", (_, socket) => connects(socket as Socket));
}

/** A server that does not answer its first request. */
function sleeping(): Server {
  let requests = 0;
  return createHttpServer((request, answer) => {
    requests += 1;
    if (requests > 1) good(request, answer);
  });
}

interface Row {
  readonly server?: Server;
  /** Where the server listens. @defaultValue 127.0.0.1 */
  readonly at?: string;
  /** The host of the base URL. @defaultValue the address of the server */
  readonly host?: string;
  readonly https?: true;
  readonly over?: Partial<Target>;
  readonly isProxy?: true;
  /** In milliseconds. @defaultValue long enough for this machine */
  readonly timeout?: number;
}

const own = {
  cert: client.cert,
  key: client.key,
  subject: "CN=client",
  files: { cert: "client.pem" },
};
const expires = new Date(Date.now() + day).toISOString();
const withChain = { key: server.key, cert: chain };
const asking = { requestCert: true, rejectUnauthorized: true, ca: root.cert };
const https = true;

const rows: Readonly<Record<string, Row>> = {
  "The host of the base URL has no address": { host: "fx.invalid", https },
  "The server listens at ::1 alone, and the base URL says 127.0.0.1": {
    server: createHttpServer(good),
    at: "::1",
    host: "127.0.0.1",
  },
  "The server listens at 127.0.0.1 alone, and the base URL says [::1]": {
    server: createHttpServer(good),
    host: "[::1]",
  },
  "The server listens at ::1 alone, and the base URL has another address of the loopback network": {
    server: createHttpServer(good),
    at: "::1",
    host: "127.0.0.2",
  },
  "The server listens at 127.0.0.1 alone, and the base URL has the address that means all of them":
    {
      server: createHttpServer(good),
      host: "[::]",
    },
  "Nothing listens": { host: "127.0.0.1:1" },
  "The server sends its certificate without the intermediate one; --ca has the root": {
    server: secure(server),
    https,
    over: { ca: root.cert },
  },
  "The server sends its certificate without the intermediate one; no --ca": {
    server: secure(server),
    https,
  },
  "The server sends its whole chain; no --ca": { server: secure(withChain), https },
  "--ca has the server's own certificate, which an authority issued": {
    server: secure(withChain),
    https,
    over: { ca: server.cert },
  },
  "--ca has the intermediate certificate alone": {
    server: secure(server),
    https,
    over: { ca: between.cert },
  },
  "The server sends its whole chain; --ca has another root": {
    server: secure(withChain),
    https,
    over: { ca: other.cert },
  },
  "The certificate signed itself; no --ca": { server: secure(await issued("localhost")), https },
  "The certificate signed itself; --ca has another one": {
    server: secure(await issued("localhost")),
    https,
    over: { ca: other.cert },
  },
  "The certificate has expired": {
    server: secure(await issued("localhost", { by: root, days: [-60, -30] })),
    https,
    over: { ca: root.cert },
  },
  "The certificate is not valid yet": {
    server: secure(await issued("localhost", { by: root, days: [30, 60] })),
    https,
    over: { ca: root.cert },
  },
  "The certificate is for another name": {
    server: secure(await issued("fx.example", { by: root })),
    https,
    over: { ca: root.cert },
  },
  "The server speaks TLS 1.1 at most": {
    server: secure({
      ...withChain,
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    }),
    https,
    over: { ca: root.cert },
  },
  "The server and fxconform have no cipher in common": {
    server: secure({ ...withChain, ciphers: "AES128-SHA", maxVersion: "TLSv1.2" }),
    https,
    over: { ca: root.cert },
  },
  "The server has no certificate for the name: an alert of TLS": {
    server: saying(Buffer.from([21, 3, 3, 0, 2, 2, 112])),
    https,
  },
  "The server demands a client certificate": {
    server: secure({ ...withChain, ...asking }),
    https,
    over: { ca: root.cert },
  },
  "The server demands a client certificate, in TLS 1.2": {
    server: secure({ ...withChain, ...asking, maxVersion: "TLSv1.2" }),
    https,
    over: { ca: root.cert },
  },
  "The server demands a client certificate, in TLS 1.3 alone": {
    server: secure({ ...withChain, ...asking, minVersion: "TLSv1.3" }),
    https,
    over: { ca: root.cert },
  },
  "The server refuses the client certificate": {
    server: secure({ ...withChain, ...asking }),
    https,
    over: { ca: root.cert, clientCertificate: { ...own, expires } },
  },
  "The server offers HTTP/2 alone in TLS": {
    server: createSecureServer({ ...withChain, allowHTTP1: false }),
    https,
    over: { ca: root.cert },
  },
  "The base URL says https, and the port speaks plain HTTP": {
    server: createHttpServer(good),
    https,
  },
  "The base URL says https, and SSH listens at the port": {
    server: saying("SSH-2.0-Open\r\n", false),
    https,
  },
  "The base URL says https, and the connection is closed": { server: saying(""), https },
  "The base URL says https, and nothing comes": { server: silent(), timeout: 1000, https },
  "The base URL says http, and the port speaks TLS": { server: secure(withChain) },
  "The server closes the connection without a byte": { server: saying("") },
  "The server never responds": { server: silent(), timeout: 1000 },
  "The server wakes up at the first request": { server: sleeping(), timeout: 3000 },
  "SSH listens at the port": { server: saying("SSH-2.0-Open\r\n", false) },
  "The server speaks HTTP/2 alone, in clear": { server: createHttp2Server() },
  "The status line has no status": { server: response("HTTP/1.1 OK", "Content-Length: 13") },
  "The response is a body alone, as in HTTP/0.9": { server: saying('{"token":"t"}\n') },
  "A header has a blank in its name": {
    server: response("HTTP/1.1 200 OK", "X-Powered By: Acme", "Content-Length: 13"),
  },
  "A header has a bare line feed in its value": {
    server: response("HTTP/1.1 200 OK", "X-Trace: a\nb: c", "Content-Length: 13"),
  },
  "A header has a control character": {
    server: response("HTTP/1.1 200 OK", "X-Trace: a\u0000b", "Content-Length: 13"),
  },
  "The response has both Content-Length and Transfer-Encoding": {
    server: response("HTTP/1.1 200 OK", "Content-Length: 13", "Transfer-Encoding: chunked"),
  },
  "The headers never end": { server: saying(`HTTP/1.1 200 OK\r\nX-Trace: ${"a".repeat(400_000)}`) },
  "The proxy wants a password": {
    server: proxy((socket) => socket.end("HTTP/1.1 407 X\r\n\r\n")),
    https,
    isProxy: true,
  },
  "The proxy does not reach the server": {
    server: proxy((socket) => socket.end("HTTP/1.1 502 X\r\n\r\n")),
    https,
    isProxy: true,
  },
  "The proxy refuses the server": {
    server: proxy((socket) => socket.end("HTTP/1.1 403 X\r\n\r\n")),
    https,
    isProxy: true,
  },
  "The proxy closes the connection": { server: saying(""), https, isProxy: true },
  "The proxy answers in the server's place": {
    server: proxy((socket) => socket.end("HTTP/1.1 200 X\r\n\r\nHTTP/1.1 200 OK\r\n\r\nGuests")),
    https,
    isProxy: true,
  },
  "Nothing listens at the address of the proxy": {
    https,
    over: { proxy: { url: "http://127.0.0.1:1", from: "HTTPS_PROXY" } },
  },
  "A proxy answers plain HTTP with a page of its own": {
    server: page(403, "Blocked"),
    isProxy: true,
  },
  "Each path leads to the path with a slash": { server: redirecting((path) => `${path}/`) },
  "Each path leads to another host": { server: redirecting((path) => `https://fx.example${path}`) },
  "A page in place of the API": { server: page(404, "Not Found") },
  "A page of a gateway": { server: page(403, "No API key found in request") },
  "A page in place of a token": { server: page(200, "Sign in") },
  "A success without a token": { server: createHttpServer((_, answer) => answer.end("{}")) },
  "The key is longer than a header": { over: { apiKey: "k".repeat(20_000) } },
  "The server is in trouble": { server: page(500, "Maintenance") },
};

async function said({
  server: one,
  at,
  host,
  https: isSecure,
  over,
  isProxy,
  timeout = 30_000,
}: Row): Promise<string> {
  const port = one === undefined ? undefined : await listening(one, at);
  const where =
    isProxy === true || port === undefined ? "fx.example" : `${host ?? "127.0.0.1"}:${port}`;
  const base = port === undefined && host !== undefined ? host : where;
  const through = { proxy: { url: `http://127.0.0.1:${port}`, from: "--proxy" } };
  const { steps } = await preflightAt(
    {
      baseUrl: `${isSecure === true ? "https" : "http"}://${base}`,
      ...over,
      ...(isProxy === true && through),
    },
    timeout,
  );
  const telling = steps.filter(({ ok, advice }) => !ok || advice !== undefined);
  const text = telling.map(({ found, advice }) => `  ${found}\n  → ${advice}`).join("\n");
  return text
    .replaceAll(/(answered after )[\d.]+/g, (_, before) => `${before}0.1`)
    .replaceAll(String(port), "4010")
    .replaceAll(/\d{4}-\d\d-\d\d/g, "<date>");
}

test("what fxconform says in situations that users meet", { timeout: 1000_000 }, async () => {
  const texts = new Map<string, string>();
  const add = async (what: string): Promise<void> => {
    const row = rows[what];
    if (row !== undefined) texts.set(what, await said(row));
  };
  // One after the other: a port that is free at one loopback address may be in use at another.
  const names = Object.keys(rows);
  const isAlone = (what: string): boolean => rows[what]?.host !== undefined;
  for (const what of names.filter(isAlone)) await add(what);
  await Promise.all(names.filter((what) => !isAlone(what)).map(add));
  const lines = names.map((what) => `${what}:\n${texts.get(what)}\n`);
  await expect(lines.join("\n")).toMatchFileSnapshot("advice.golden");
});
