import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { livePage, type LiveState } from "../../reports/html/live/page.ts";
import { isRequirementId, type RequirementId } from "../../spec/catalogue.ts";
import { createPieces } from "./pieces.ts";
import { isOwnRequest } from "./request-check.ts";

/** What a page that follows runs shows, and what it can start. */
export interface LivePageParts {
  /** Undefined if nothing has run yet. */
  readonly stateOf: () => LiveState | undefined;
  /** The text without secrets. */
  readonly masked: (text: string) => string;
  /** Checks requirements again. */
  readonly check: (wanted: "failed" | "everything" | readonly RequirementId[]) => void;
}

/** A page on a free port of this machine, which ends with the process. */
export interface LivePage {
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
