import { randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import type { RunSoFar } from "../../engine/options.ts";
import { defined } from "../../model/defined.ts";
import type { GateRules } from "../../model/gate.ts";
import type { Run } from "../../model/run.ts";
import { mergedRun } from "../runs/merging.ts";
import type { SessionView } from "./session.ts";
import { livePage, type LiveState, livePieces, liveStatus } from "../../reports/html/live/page.ts";
import { isRequirementId, type RequirementId } from "../../spec/catalogue.ts";

type Wanted = "failed" | "everything" | readonly RequirementId[];

/** Serves the page at a path that nobody can guess, on 127.0.0.1 alone. */
export async function startLivePage(
  rules: Omit<GateRules, "today">,
  masked: (text: string) => string,
  check: (wanted: Wanted) => void,
) {
  const library = readFileSync(createRequire(import.meta.url).resolve("morphdom/dist/morphdom-umd.min.js"), "utf8");
  const { html, policy } = livePage(library);
  const path = `/${randomBytes(18).toString("base64url")}/`;
  const news = new EventEmitter().setMaxListeners(0);
  const { stateOf, view } = createLiveState(rules, () => news.emit("news"));
  const server = createServer((request, response) => {
    void answered(request, response).catch(() => response.destroy());
  });

  async function answered(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries({ ...headers, "content-security-policy": policy }))
      response.setHeader(name, value);
    const { method = "", url = "" } = request;
    if (!isOwnRequest(request, host())) return void response.writeHead(403).end();
    if (method === "GET" && url === path)
      return void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
    if (method === "GET" && url === `${path}pieces`) return sendPieces(response, stateOf, masked, news);
    if (method !== "POST" || url !== `${path}check`) return void response.writeHead(404).end();
    const wanted = wantedIn(await text(request));
    if (wanted !== undefined) check(wanted);
    response.writeHead(wanted === undefined ? 400 : 202).end();
  }

  await new Promise<void>((done, fail) => {
    server.once("error", fail).listen({ host: "127.0.0.1", port: 0 }, done);
  });
  const host = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address: `http://${host()}${path}`,
    view,
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

/** The requirements that the page wants checked; undefined if the body does not come from the page. */
function wantedIn(body: string): Wanted | undefined {
  try {
    const { only } = JSON.parse(body) as { only?: unknown };
    if (only === "failed" || only === "everything") return only;
    const ids = (Array.isArray(only) ? only : []).filter((id): id is RequirementId => isRequirementId(String(id)));
    return ids.length > 0 ? ids : undefined;
  } catch {
    return undefined;
  }
}

/** From the page or a typed address: the right Host, no foreign Origin; a request that changes something has one. */
function isOwnRequest({ headers, method }: Pick<IncomingMessage, "headers" | "method">, host: string): boolean {
  const site = headers["sec-fetch-site"];
  const origin = headers.origin;
  if (headers.host !== host) return false;
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return origin === undefined ? method === "GET" : origin === `http://${host}`;
}

/** The least time between two renderings: in milliseconds, and as a multiple of the time of the last one. */
const rest = { least: 250, factor: 3 } as const;

/** Sends the parts of the page that have changed as server-sent events, until the reader is gone. */
async function sendPieces(
  response: ServerResponse,
  stateOf: () => LiveState | undefined,
  masked: (text: string) => string,
  news: EventEmitter,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  const shown = new Map<string, string>();
  while (!response.destroyed) {
    const next = once(news, "news");
    const started = performance.now();
    const state = stateOf();
    if (state !== undefined) {
      const status = liveStatus(state);
      const parts = Object.entries({ ...livePieces(state), status }).filter(([name, text]) => shown.get(name) !== text);
      for (const [name, text] of parts) shown.set(name, text);
      const pieces = parts.filter(([name]) => name !== "status");
      const event = JSON.stringify({ status, isRunning: state.isRunning, pieces });
      if (parts.length > 0) response.write(`data: ${masked(event)}\n\n`);
    }
    const least = Math.max(rest.least, rest.factor * (performance.now() - started));
    await Promise.all([next, setTimeout(least)]);
  }
}

/** Follows a session and knows what the page shows of it; calls `changed` when that is something else. */
function createLiveState(rules: Omit<GateRules, "today">, changed: () => void) {
  /** The last full run, updated with what was checked again since. */
  let base: Run | undefined;
  let soFar: RunSoFar | undefined;
  let part: readonly RequirementId[] | undefined;
  let again: ReadonlySet<RequirementId> = new Set();
  let isRunning = true;
  const withBase = (run: Run, ids: readonly RequirementId[] | undefined): Run =>
    ids === undefined || base === undefined ? run : joined(base, run, ids, rules);
  return {
    stateOf: (): LiveState | undefined => {
      const now = soFar?.run();
      const run = now === undefined ? base : withBase(now, part);
      if (run === undefined) return undefined;
      const open = isRunning && now !== undefined ? now.requirements : [];
      const concerned = new Set(part ?? run.requirements.map(({ id }) => id));
      const rows = open.filter(({ id, verdict }) => verdict === "inconclusive" && concerned.has(id));
      return { run, isRunning, pending: new Set(rows.map(({ id }) => id)), again };
    },
    view: {
      onStart: (ids) => {
        [part, isRunning, soFar] = [ids, true, undefined];
        changed();
      },
      onUpdate: (update) => {
        soFar = update;
        changed();
      },
      onEnd: (run, _, ids) => {
        base = withBase(run, ids);
        again = new Set(ids === undefined ? [] : [...again, ...ids]);
        soFar = undefined;
        changed();
      },
      onRest: () => {
        [isRunning, soFar] = [false, undefined];
        changed();
      },
    } satisfies SessionView,
  };
}

/** A run with the rows of a later one in the place of its own. It ended as the later one did. */
const joined = (run: Run, later: Run, ids: readonly RequirementId[], rules: Omit<GateRules, "today">): Run => {
  const requirements = run.requirements.map((row) =>
    ids.includes(row.id) ? ({ ...row, verdict: "skip", asked: 0, findings: [] } as const) : row,
  );
  const { error: _, ...base } = run;
  const { outcome, gate, summary, error } = later;
  return mergedRun([{ ...base, outcome, gate, summary, ...defined({ error }), requirements }, later], rules);
};
