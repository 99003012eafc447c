import { X509Certificate } from "node:crypto";
import { lookup } from "node:dns";
import { connect, isIP } from "node:net";
import { Duplex } from "node:stream";
import * as tls from "node:tls";
import { hostOf, portOf } from "../../model/network.ts";
import { isLoopback, type Target } from "../../model/target.ts";
import type { HttpRequest } from "./client.ts";
import { proxyToken, secureContextOf } from "./connections.ts";

/** The stages of an exchange, up to the head of the response. Each needs those before it. */
type Stage = "name" | "connection" | "proxy" | "tls" | "first byte" | "head" | "answered";

/** What was seen on the way to the server, up to the stage that did not succeed. */
export interface Contact {
  readonly stage: Stage;
  /** The addresses of the host, or of the proxy, and why each of them gave no connection. */
  readonly tried: readonly Tried[];
  /** A loopback address beside these that accepts connections at the port. */
  readonly elsewhere?: string;
  /** The certificates that the server sent, its own first. */
  readonly chain?: readonly X509Certificate[];
  /** The code of OpenSSL or Node for why the certificate is not trusted. */
  readonly distrust?: string;
  /** The name of the alert with which the server ended TLS (RFC 8446, 6). */
  readonly alert?: string;
  /** The status of the proxy that refused the way. */
  readonly proxyStatus?: number;
  /** The first bytes that came at the last stage. */
  readonly bytes: Buffer;
  /** How the wait for these bytes ended. */
  readonly end: "enough" | "closed" | "silent";
  /** What is wrong with the head of the response. */
  readonly defect?: HeadDefect;
  /** For how many milliseconds they were waited for. */
  readonly longest: number;
  /** TLS is spoken at the port of a base URL with `http:`: seen on a further connection. */
  readonly speaksTls?: boolean;
}

interface Tried {
  readonly address: string;
  /** Undefined if it accepted the connection. */
  readonly problem?: string;
}

/** The longest wait for each address, in milliseconds. */
const longestConnect = 3000;

type Seen = Omit<Contact, "stage">;

/**
 * Goes the way to the server once more, stage by stage, with the same request, and notes what is
 * seen at each. Certificates are looked at without being trusted: then nothing is sent to the
 * server.
 */
export async function look(
  target: Target,
  request: HttpRequest,
  longest: number,
): Promise<Contact> {
  const { baseUrl, proxy } = target;
  const opened: Duplex[] = [];
  const first = new URL(proxy?.url ?? baseUrl);
  const seen: Seen = { tried: [], bytes: Buffer.alloc(0), end: "silent", longest };
  try {
    const addresses = await addressesOf(hostOf(first.href), longest);
    const { tried, stream } = await connected(addresses ?? [], portOf(first), opened);
    if (stream === undefined) {
      const elsewhere = proxy === undefined ? await openLoopback(first, tried, opened) : undefined;
      const stage = tried.length === 0 ? "name" : "connection";
      const end = addresses === undefined ? "silent" : "closed";
      return { ...seen, stage, end, tried, ...(elsewhere !== undefined && { elsewhere }) };
    }
    const through = await throughProxy(target, stream, longest);
    if (through.stream === undefined) return { ...seen, tried, stage: "proxy", ...through.seen };
    const found = { ...seen, tried, ...(await asked(through.stream, target, request, longest)) };
    const isPlain = baseUrl.startsWith("http:") && proxy === undefined;
    if (!isPlain || found.stage === "answered") return found;
    return { ...found, speaksTls: await speaksTls(first, opened) };
  } finally {
    for (const stream of opened) stream.destroy();
  }
}

/** Makes the TLS connection, if the base URL wants one, and sends the request. */
async function asked(stream: Duplex, target: Target, request: HttpRequest, longest: number) {
  const { protocol, href } = new URL(target.baseUrl);
  if (protocol === "http:") return answered(stream, target, request, longest);
  const secured = await securedBy(stream, target, hostOf(href), longest);
  if (!secured.isOpen || (secured.distrust !== undefined && !target.insecure))
    return { ...secured, stage: "tls" } as const;
  return { ...secured, ...(await answered(secured.stream, target, request, longest)) };
}

/** The contact with a server that accepted the connection at an address, and sent nothing. */
export const silence = (address: string, longest: number): Contact => ({
  stage: "first byte",
  tried: [{ address }],
  bytes: Buffer.alloc(0),
  end: "silent",
  longest,
});

/** All addresses of a host. Empty if its name is not known, and undefined if that takes too long. */
function addressesOf(host: string, longest: number): Promise<readonly string[] | undefined> {
  return new Promise((resolve) => {
    if (isIP(host) !== 0) return resolve([host]);
    const timer = setTimeout(() => resolve(undefined), longest);
    lookup(host, { all: true }, (error, found) => {
      clearTimeout(timer);
      resolve(error === null ? found.map(({ address }) => address) : []);
    });
  });
}

/** Tries the addresses one after the other, and keeps the first connection. */
async function connected(addresses: readonly string[], port: number, opened: Duplex[]) {
  const tried: Tried[] = [];
  for (const address of addresses) {
    const { stream, problem } = await connection(address, port);
    tried.push({ address, ...(problem !== undefined && { problem }) });
    if (stream === undefined) continue;
    opened.push(stream);
    return { tried, stream };
  }
  return { tried };
}

function connection(
  address: string,
  port: number,
): Promise<{ readonly stream?: Duplex; readonly problem?: string }> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: longestConnect });
    socket.once("connect", () => resolve({ stream: socket.setTimeout(0) }));
    socket.once("timeout", () => {
      socket.destroy();
      resolve({ problem: `does not answer within ${longestConnect / 1000} s` });
    });
    socket.on("error", ({ code = "" }: NodeJS.ErrnoException) =>
      resolve({
        problem: `${code === "ECONNREFUSED" ? "refuses the connection" : "cannot be reached"} (${code})`,
      }),
    );
  });
}

/** A loopback address that was not tried and accepts connections, if the host is loopback. */
async function openLoopback(
  { hostname, port, protocol }: URL,
  tried: readonly Tried[],
  opened: Duplex[],
): Promise<string | undefined> {
  const hosts = [hostname, ...tried.map(({ address }) => address)];
  if (!hosts.some((host) => isLoopback(host) || host === "0.0.0.0" || host === "::"))
    return undefined;
  const others = ["127.0.0.1", "::1"].filter((one) => !hosts.includes(one));
  const found = await connected(others, portOf({ port, protocol }), opened);
  return found.stream === undefined ? undefined : found.tried.at(-1)?.address;
}

/** The way through a proxy: a tunnel to a server with TLS, and else the proxy itself. */
async function throughProxy(target: Target, stream: Duplex, longest: number) {
  const { baseUrl, proxy } = target;
  if (proxy === undefined) return { stream };
  let way = stream;
  if (proxy.url.startsWith("https:")) {
    const { clientCertificate: _, ...own } = target;
    const secured = await securedBy(way, own, hostOf(proxy.url), longest);
    if (!secured.isOpen || (secured.distrust !== undefined && !target.insecure))
      return { seen: secured };
    way = secured.stream;
  }
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol === "http:") return { stream: way };
  const to = `${hostname}:${portOf({ port, protocol })}`;
  const login = proxy.credentials && `Proxy-Authorization: ${proxyToken(proxy.credentials)}\r\n`;
  way.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n${login ?? ""}\r\n`);
  const heard = await hear(way, (bytes) => bytes.includes("\r\n\r\n"), longest);
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(heard.bytes.toString("latin1"))?.[1] ?? 0);
  if (status >= 200 && status < 300) {
    const rest = heard.bytes.subarray(heard.bytes.indexOf("\r\n\r\n") + 4);
    if (rest.length > 0) way.unshift(rest);
    return { stream: way };
  }
  return { seen: { ...heard, ...(status > 0 && { proxyStatus: status }) } };
}

/** A stream that hands on what it gets from another one, and keeps the first bytes. */
function tapped(stream: Duplex) {
  const first: Buffer[] = [];
  const tap = new Duplex({
    read: () => undefined,
    write: (chunk, encoding, done) => void stream.write(chunk, encoding, () => done()),
    final: (done) => void stream.end(() => done()),
  });
  stream.on("data", (chunk: Buffer) => {
    if (Buffer.concat(first).length < 16_384) first.push(chunk);
    tap.push(chunk);
  });
  stream.resume();
  stream.on("end", () => tap.push(null));
  stream.on("error", () => tap.destroy());
  return { tap, first: () => Buffer.concat(first) };
}

/** Makes a TLS connection over a stream, and notes what the server sent for it. */
function securedBy(
  stream: Duplex,
  target: Pick<Target, "ca" | "clientCertificate">,
  host: string,
  longest: number,
) {
  const { tap, first } = tapped(stream);
  const secureContext = secureContextOf(target);
  const socket = tls.connect({
    socket: tap,
    rejectUnauthorized: false,
    ALPNProtocols: ["http/1.1"],
    ...(isIP(host) === 0 && { servername: host }),
    host,
    ...(secureContext !== undefined && { secureContext }),
  });
  const seen = (end: Contact["end"], error?: unknown) => ({
    isOpen: end === "enough",
    stream: socket,
    bytes: first(),
    end,
    ...alertIn(error),
    ...(end === "enough" && trustOf(socket)),
  });
  return new Promise<ReturnType<typeof seen> & { distrust?: string; alert?: string }>((resolve) => {
    const timer = setTimeout(() => resolve(seen("silent")), longest);
    const done = (end: Contact["end"], error?: unknown): void => {
      clearTimeout(timer);
      resolve(seen(end, error));
    };
    socket.once("secureConnect", () => done("enough"));
    socket.on("error", (error) => done("closed", error));
    socket.once("close", () => done("closed"));
  });
}

/** What the certificates of a connection show. */
function trustOf(socket: tls.TLSSocket) {
  const chain: X509Certificate[] = [];
  let peer: tls.DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (peer?.raw !== undefined && chain.length < 16) {
    chain.push(new X509Certificate(peer.raw));
    peer = peer.issuerCertificate === peer ? undefined : peer.issuerCertificate;
  }
  // Node gives the code, although its types say that it is an error.
  const distrust = socket.authorized ? undefined : String(socket.authorizationError);
  return { chain, ...(distrust !== undefined && { distrust }) };
}

/** The name of a TLS alert of the server. OpenSSL gives it in its message alone. */
function alertIn(error: unknown): Pick<Contact, "alert"> {
  const text = error instanceof Error ? error.message : "";
  const name = /:(?:sslv3|tlsv1\w*)(?: alert)? ([a-z ]+):.*SSL alert number/s.exec(text)?.[1];
  return name === undefined ? {} : { alert: name.replaceAll(" ", "_") };
}

/** Whether something at the port of the base URL takes part in a TLS handshake. */
async function speaksTls(url: URL, opened: Duplex[]): Promise<boolean> {
  const host = hostOf(url.href);
  const { stream } = await connected(
    (await addressesOf(host, longestConnect)) ?? [],
    portOf(url),
    opened,
  );
  const found = stream && (await securedBy(stream, {}, host, longestConnect));
  return found !== undefined && (found.isOpen || isTls(found.bytes));
}

/** Whether bytes begin with a TLS record: an alert or a handshake (RFC 8446, 5.1). */
export const isTls = (bytes: Buffer): boolean =>
  (bytes[0] === 21 || bytes[0] === 22) && bytes[1] === 3;

/** Sends the request, and reads the head of the response. */
async function answered(
  stream: Duplex,
  { baseUrl, proxy }: Target,
  { method, path, headers, body }: HttpRequest,
  longest: number,
) {
  const { origin, host, protocol } = new URL(baseUrl);
  const length = ["Content-Length", String(body?.length ?? 0)] as const;
  const fields = [["Host", host], ["Connection", "close"], length, ...headers];
  const to = proxy !== undefined && protocol === "http:" ? origin + path : path;
  const head = fields.map((field) => `${field.join(": ")}\r\n`).join("");
  stream.write(Buffer.from(`${method} ${to} HTTP/1.1\r\n${head}\r\n`, "latin1"));
  if (body !== undefined) stream.write(body);
  const heard = await hear(stream, (bytes) => /\r?\n\r?\n/.test(bytes.toString("latin1")), longest);
  if (heard.bytes.length === 0) return { ...heard, stage: "first byte" } as const;
  const defect = headDefect(heard.bytes);
  return defect === undefined
    ? ({ ...heard, stage: "answered" } as const)
    : ({ ...heard, stage: "head", defect } as const);
}

/** The first bytes that come, until these are enough, the other side closes, or the time is over. */
function hear(
  stream: Duplex,
  isEnough: (bytes: Buffer) => boolean,
  longest: number,
): Promise<Pick<Contact, "bytes" | "end" | "alert">> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const done = (end: Contact["end"], error?: unknown): void => {
      clearTimeout(timer);
      resolve({ bytes, end, ...alertIn(error) });
    };
    const timer = setTimeout(() => done("silent"), longest);
    const take = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!isEnough(bytes) && bytes.length < mostOfHead) return;
      stream.removeListener("data", take);
      stream.pause();
      done("enough");
    };
    stream.on("data", take);
    stream.on("error", (error) => done("closed", error));
    stream.once("end", () => done("closed"));
    stream.once("close", () => done("closed"));
    // It may have been closed while nobody listened.
    if (stream.destroyed) done("closed", stream.errored);
  });
}

const mostOfHead = 300_000;

/** What keeps a head from being that of an HTTP/1.1 response, as the end of "breaks HTTP/1.1 in …". */
interface HeadDefect {
  readonly found: string;
  /** The rule that it breaks. */
  readonly rule: string;
}

/** What is wrong with the head of a response (RFC 9112). Undefined if nothing is. */
function headDefect(bytes: Buffer): HeadDefect | undefined {
  const text = bytes.toString("latin1");
  const end = /\r?\n\r?\n/.exec(text);
  const lines = text.slice(0, end?.index ?? text.length).split("\n");
  const isBare = (line: string, at: number): boolean =>
    at < lines.length - 1 ? !line.endsWith("\r") : end?.[0].startsWith("\n") === true;
  const [status = "", ...fields] = lines.map((line) => line.replace(/\r$/, ""));
  if (!/^HTTP\/1\.[01] [1-9]\d\d( .*)?$/.test(status))
    return defect(
      `its status line, ${quoted(status)}`,
      "A status line has a version and a status: HTTP/1.1 200 OK.",
    );
  const bare = lines.find(isBare);
  if (bare !== undefined)
    return defect(
      `its headers: a line feed without a carriage return follows ${quoted(bare)}`,
      "Either a value has a line feed in it, or lines do not end with a carriage return and a line feed.",
    );
  const nameless = fields.find((one) => !/^[!#$%&'*+.^_`|~\w-]+:/.test(one));
  if (nameless !== undefined)
    return defect(
      `its headers: ${quoted(nameless)} begins with no valid name`,
      "A header begins with its name, which has letters, digits and dashes but no blanks, then a colon.",
    );
  const odd = fields.find((one) => control.test(one));
  if (odd !== undefined)
    return defect(
      `its headers: ${quoted(odd.replace(control, escape))} has a control character`,
      "No control character may stand in a value, except tabs.",
    );
  if (end === null)
    return defect("its headers: no empty line ends them", "Headers end with an empty line.");
  return undefined;
}

const control = /[\0-\x08\x0a-\x1f\x7f]/;
const escape = (sign: string): string => `\\x${Buffer.from(sign).toString("hex")}`;

const defect = (found: string, rule: string): HeadDefect => ({ found, rule });

const quoted = (text: string): string => `"${text.trimEnd()}"`;
