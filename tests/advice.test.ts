import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createSecureServer, createServer as createHttp2Server } from "node:http2";
import { createServer, type ServerOptions } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import { gzipSync } from "node:zlib";
import { local, testContext } from "../cli/testing/test-context.ts";
import { bearer, harEntry, list } from "../engine/recording/testing/har.ts";
import { executed } from "./execution.ts";
import { bin } from "./cli/program.ts";
import { contractPath } from "../spec/contract.ts";
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
      void answer.writeHead(status, { "content-type": "text/html" }).end(`<h1>${text}</h1>`),
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
  "The base URL says https, and nothing comes": { server: silent(), timeout: 300, https },
  "The base URL says http, and the port speaks TLS": { server: secure(withChain) },
  "The server closes the connection without a byte": { server: saying("") },
  "The server never responds": { server: silent(), timeout: 300 },
  "The server wakes up at the first request": { server: sleeping(), timeout: 1000 },
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
  "A header has no colon": {
    server: response("HTTP/1.1 200 OK", "Served by Acme", "Content-Length: 13"),
  },
  "A header has a control character": {
    server: response("HTTP/1.1 200 OK", "X-Trace: a\u0000b", "Content-Length: 13"),
  },
  "The response has both Content-Length and Transfer-Encoding": {
    server: response("HTTP/1.1 200 OK", "Content-Length: 13", "Transfer-Encoding: chunked"),
  },
  "The response has two lengths": {
    server: response("HTTP/1.1 200 OK", "Content-Length: 13", "Content-Length: 14"),
  },
  "The length is no number": { server: response("HTTP/1.1 200 OK", "Content-Length: 13 bytes") },
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
};

/** A command, with the variables and the files that are there. */
interface Command {
  readonly argv: string;
  readonly env?: Record<string, string>;
  readonly file?: string | Buffer;
  /** Another program in the name of Node, with its version. */
  readonly in?: Readonly<Record<string, string>>;
}

const key = "key-0123456789";
const fx = `run --base-url https://fx.example --profile smoke --customer-id c1 --api-key ${key}`;
const withFile = (text: string): Command => ({ argv: "run", file: text });
/** A named file, because one that nobody named takes no key from a variable. */
const configured = (more: string): Command => ({
  argv: "run --config fxconform.config.yaml",
  file: `baseUrl: https://localhost:4010\napiKey: env:KEY\n${more}`,
});

/** A recording in which the requests or the responses have a character for each byte. */
function recordedBytes(...spelt: readonly ("sent" | "body")[]): Command {
  const payee = JSON.stringify({ name: "José", id: "cp-1" });
  const text = (part: "sent" | "body") =>
    spelt.includes(part) ? Buffer.from(payee).toString("latin1") : payee;
  const to = "POST /customers/c1/counterparty";
  const entries = [list, { to, headers: bearer, sent: text("sent"), body: text("body") }];
  return {
    argv: "judge it.har",
    file: JSON.stringify({ log: { entries: entries.map(harEntry) } }),
  };
}

const recording = (file: string | Buffer): Command => ({ argv: "judge it.har", file });

/** Our contract with other words in it. */
const changed = (from: RegExp, to: (found: string) => string): Command => ({
  argv: "contract openapi.yaml",
  file: readFileSync(contractPath, "utf8").replaceAll(from, to),
});

const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snake = /\b[a-z]+(?:_[a-z]+)+(?=[:\],])/g;

const commands: Readonly<Record<string, Command>> = {
  "ALL_PROXY names a SOCKS proxy": { argv: fx, env: { ALL_PROXY: "socks5://proxy.example:1080" } },
  "HTTPS_PROXY has no scheme": { argv: fx, env: { HTTPS_PROXY: "proxy.example:8080" } },
  "HTTPS_PROXY has a path": { argv: fx, env: { https_proxy: "http://proxy.example:8080/pac" } },
  ...Object.fromEntries(
    [..."#/?@%"].map((character) => [
      `The proxy's password has ${character}`,
      { argv: `${fx} --proxy http://me:se${character}same@proxy.example:8080` },
    ]),
  ),
  "The key in the variable ends with a line break": {
    argv: "run --base-url https://localhost:4010 --customer-id c1",
    env: { FXCONFORM_API_KEY: `${key}\n` },
  },
  "A header in the configuration file ends with a blank": configured(
    'customerId: c1\nheaders: { X-Team: "fx " }',
  ),
  "The variable that the file names for the key ends with a line break": {
    ...configured("customerId: c1"),
    env: { KEY: `${key}\r\n` },
  },
  "The key has a line break in its middle": {
    argv: "run --base-url https://localhost:4010 --customer-id c1",
    env: { FXCONFORM_API_KEY: "key-0123\n456789" },
  },
  "A header has a line break in its middle": configured(
    'customerId: c1\nheaders: { X-Team: "f\\nx" }',
  ),
  "The key has quotes of the shell that stayed": {
    argv: "run --base-url https://localhost:4010 --customer-id c1",
    env: { FXCONFORM_API_KEY: `“${key}”` },
  },
  "The customer id refers to a variable": configured("customerId: env:CUSTOMER"),
  "The base URL refers to a variable": withFile("baseUrl: https://${HOST}/api"),
  "The customer id refers to a file": { argv: fx.replace("c1", "file:id.txt") },
  "The seed refers to a variable": configured("customerId: c1\nseed: $SEED"),
  "A variable that fxconform does not know, and a real problem": {
    argv: "run",
    env: { FXCONFORM_REPO: "x" },
  },
  "A variable with a typing mistake": {
    argv: `run ${local}`,
    env: { FXCONFORM_CUSTOMR_ID: "c1" },
  },
  "Bun in the name of Node": { argv: "demo", in: { bun: "1.4.5" } },
  "Deno in the name of Node": { argv: "demo", in: { deno: "2.9.6" } },
  "A Node that is too old": { argv: "demo", in: { node: "18.20.0" } },
  "An exporter writes a character for each byte": recordedBytes("sent", "body"),
  "An exporter writes a character for each byte in requests alone": recordedBytes("sent"),
  "An exporter writes a character for each byte in responses alone": recordedBytes("body"),
  "The recording is UTF-16": recording(Buffer.from('\ufeff{"log":{}}', "utf16le")),
  "The recording is packed with gzip": recording(gzipSync("{}")),
  "The recording is a zip archive": recording("PK\u0003\u0004"),
  "The recording is a log of curl": recording("* Trying 127.0.0.1:443\n"),
  "The recording is a collection of Postman": recording('{"info":{"schema":"x"},"item":[]}'),
  "The document has all members in camelCase": changed(snake, camelCase),
  "The document has all members in PascalCase": changed(snake, (name) => camelCase(`_${name}`)),
  "The document has one member under another name": changed(/\bexternal_id:/g, camelCase),
  "The document never has null as the batch of a new operation": changed(
    /(?<=batch_id:\s+type: )\[string, "null"\]/g,
    () => "string",
  ),
};

/** What a command says, but for the lines that every command has. */
async function saidBy({ argv, env, file = "", in: other }: Command): Promise<string> {
  if (other !== undefined) {
    const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, ...${JSON.stringify(other)} } });`;
    const words = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`, bin, argv];
    const { code, stderr } = await executed(process.execPath, words);
    return `exit ${code}\n${stderr}`;
  }
  const here = testContext();
  const [, name = "fxconform.config.yaml"] = /(\S+\.(?:har|yaml))$/.exec(argv) ?? [];
  if (file !== "") writeFileSync(join(here.folder, name), file);
  const { code, stdout, stderr } = await here.run(argv, {
    ...(file !== "" && { KEY: key }),
    ...env,
  });
  const shown = stdout.split("\n").filter((line) => /^(✗ [A-Z]+-|note|  place|  ! )/.test(line));
  return [`exit ${code}`, ...stderr.split("\n"), ...shown]
    .filter((line) => line !== "" && !/^(Reports in|Checking|Creates|Takes|Reads) /.test(line))
    .join("\n")
    .replaceAll(here.folder, ".");
}

async function said({
  server: one,
  at,
  host,
  https: isSecure,
  over,
  isProxy,
  timeout = 5000,
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
    .replaceAll(/\d{4}-\d\d-\d\d/g, "2030-01-01");
}

function partition<T>(all: readonly T[], is: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(is), all.filter((one) => !is(one))];
}

test("what fxconform says in situations that users meet", { timeout: 300_000 }, async () => {
  const texts = new Map<string, string>();
  const add = async (what: string): Promise<void> => {
    const row = rows[what];
    if (row !== undefined) texts.set(what, await said(row));
  };
  // One after the other: a port that is free at one loopback address may be in use at another.
  const [alone, together] = partition(Object.keys(rows), (what) => rows[what]?.host !== undefined);
  for (const what of alone) await add(what);
  await Promise.all(together.map(add));
  for (const [what, command] of Object.entries(commands))
    texts.set(what, (await saidBy(command)).trimEnd().replaceAll(/^/gm, "  "));
  const lines = [...Object.keys(rows), ...Object.keys(commands)].map(
    (what) => `${what}:\n${texts.get(what)}\n`,
  );
  await expect(lines.join("\n")).toMatchFileSnapshot("advice.golden");
});
