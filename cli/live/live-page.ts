import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { livePage, type LiveState, livePieces, liveStatus } from "../../reports/html/live/page.ts";
import { isRequirementId, type RequirementId } from "../../spec/catalogue.ts";

/** What a page that follows runs shows, and what it can start. */
interface LivePageParts {
  /** Undefined if nothing has run yet. */
  readonly stateOf: () => LiveState | undefined;
  /** The text without secrets. */
  readonly masked: (text: string) => string;
  /** Checks requirements again. */
  readonly check: (wanted: "failed" | "everything" | readonly RequirementId[]) => void;
}

/** A page on a free port of this machine, which ends with the process. */
interface LivePage {
  readonly address: string;
  /** Something is new. */
  readonly changed: () => void;
  readonly close: () => void;
}

/** Serves the page at a path that nobody can guess, on 127.0.0.1 alone. */
export async function startLivePage({ stateOf, masked, check }: LivePageParts): Promise<LivePage> {
  const library = readFileSync(createRequire(import.meta.url).resolve("morphdom/dist/morphdom-umd.min.js"), "utf8");
  const { html, policy } = livePage(library);
  const path = `/${randomBytes(18).toString("base64url")}/`;
  const pieces = createPieces(stateOf);
  const server = createServer((request, response) => {
    void answered(request, response).catch(() => response.destroy());
  });

  async function answered(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries({ ...headers, "content-security-policy": policy })) {
      response.setHeader(name, value);
    }
    const { method = "", url = "" } = request;
    if (!isOwnRequest(request, host())) return void response.writeHead(403).end();
    if (!url.startsWith(path)) return void response.writeHead(404).end();
    const rest = url.slice(path.length);
    if (method === "GET" && rest === "") {
      return void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
    }
    const [, after] = /^pieces\?after=(\d{1,9})$/.exec(rest) ?? [];
    if (method === "GET" && after !== undefined) {
      const body = await pieces.newerThan(Number(after), () => response.destroyed);
      return void response.writeHead(200, { "content-type": "application/json" }).end(masked(JSON.stringify(body)));
    }
    if (method !== "POST" || rest !== "check") return void response.writeHead(404).end();
    const wanted = wantedIn(await bodyOf(request));
    if (wanted !== undefined) check(wanted);
    response.writeHead(wanted === undefined ? 400 : 202).end();
  }

  await new Promise<void>((done, fail) => {
    server.once("error", fail).listen({ host: "127.0.0.1", port: 0 }, done);
  });
  const host = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address: `http://${host()}${path}`,
    changed: pieces.changed,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

const largestBody = 10_000;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if (Buffer.concat(chunks).length > largestBody) throw new Error("the request is too large");
  }
  return Buffer.concat(chunks).toString();
}

/** The requirements that the page wants checked; undefined if the body does not come from the page. */
function wantedIn(body: string): "failed" | "everything" | readonly RequirementId[] | undefined {
  try {
    const { only } = JSON.parse(body) as { only?: unknown };
    if (only === "failed" || only === "everything") return only;
    const ids = (Array.isArray(only) ? only : []).filter((id): id is RequirementId => isRequirementId(String(id)));
    return ids.length > 0 ? ids : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a request comes from the page itself or from a typed address. It must have the right Host, so that no name of
 * another site leads here, and no foreign Origin. A request that changes something must have an Origin.
 */
function isOwnRequest({ headers, method }: Pick<IncomingMessage, "headers" | "method">, host: string): boolean {
  const site = headers["sec-fetch-site"];
  const origin = headers.origin;
  if (headers.host !== host) return false;
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return origin === undefined ? method === "GET" : origin === `http://${host}`;
}

/** The parts of a page that follows runs, each with the version in which it last changed. */
interface LivePieces {
  /** What is newer than a version; waits for it, but not for ever, and not once the reader is gone. */
  readonly newerThan: (version: number, isGone: () => boolean) => Promise<object>;
  /** Something is new. */
  readonly changed: () => void;
}

/** The least time between two renderings: in milliseconds, and as a multiple of the time of the last one. */
const rest = { least: 250, factor: 3 } as const;

/** Milliseconds after which a request that waits for news gets a response without any. */
const longest = 20_000;

/** Renders the state when somebody waits for news, not too often. */
function createPieces(stateOf: () => LiveState | undefined): LivePieces {
  const pieces = new Map<string, { readonly html: string; readonly version: number }>();
  let version = 0;
  let shown = { status: "Starting…", title: "fxconform", isRunning: true };
  let isNew = true;
  let rendering: Promise<void> | undefined;
  let notBefore = 0;
  let waiting: (() => void)[] = [];

  const render = async (): Promise<void> => {
    await new Promise((done) => setTimeout(done, notBefore - performance.now()));
    const state = stateOf();
    isNew = false;
    if (state === undefined) return;
    const started = performance.now();
    for (const [name, html] of Object.entries(livePieces(state))) {
      if (pieces.get(name)?.html !== html) pieces.set(name, { html, version: version + 1 });
    }
    const status = liveStatus(state);
    if (status !== shown.status || [...pieces.values()].some((piece) => piece.version > version)) version += 1;
    shown = { status, title: `${status} – fxconform`, isRunning: state.isRunning };
    const ended = performance.now();
    notBefore = ended + Math.max(rest.least, rest.factor * (ended - started));
  };
  const nextNews = (): Promise<void> =>
    new Promise((done) => {
      waiting.push(done);
      setTimeout(done, longest).unref();
    });
  return {
    newerThan: async (after, isGone) => {
      const until = performance.now() + longest;
      for (;;) {
        if (version > after || performance.now() >= until || isGone()) break;
        if (isNew) await (rendering ??= render().finally(() => (rendering = undefined)));
        else await nextNews();
      }
      const changed = [...pieces].filter(([, piece]) => piece.version > after);
      return { version, ...shown, pieces: Object.fromEntries(changed.map(([name, { html }]) => [name, html])) };
    },
    changed: () => {
      isNew = true;
      const all = waiting;
      waiting = [];
      for (const wake of all) wake();
    },
  };
}
