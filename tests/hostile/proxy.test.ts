import { request as sendHttp, type IncomingMessage } from "node:http";
import { request as sendHttps } from "node:https";
import { expect, test } from "vitest";
import { bundledContract } from "../../harness/contract.ts";
import { requirementIds } from "../../spec/catalogue.ts";
import { createTrafficJudge } from "../../traffic/judge.ts";
import { watchedOf, type Captured } from "../../traffic/proxy/captured.ts";
import { startProxy } from "../../traffic/proxy/proxy.ts";
import type { HostileTarget } from "./hostile-target.ts";
import { credentials } from "./obedient-but.ts";
import { hostileTargets } from "./targets/index.ts";

/** What a client sees of a response. */
interface Seen {
  readonly status?: number | undefined;
  readonly reason?: string | undefined;
  /** Without hop-by-hop headers. */
  readonly headers?: readonly string[];
  readonly bytes: number;
  /** `enough`: the client stopped reading. */
  readonly end: "whole" | "cut" | "none" | "still open" | "enough";
  readonly body: string;
}

/** Bytes after which a client stops reading. */
const enough = 2 ** 20;

const ofConnection = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** Milliseconds after which a client gives up. */
interface Client {
  readonly ca: string | undefined;
  readonly within: number;
}

const seenOf = (
  url: string,
  { ca, within }: Client,
  { method = "GET", headers = {}, body = "" }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<Seen> =>
  new Promise((resolve) => {
    const send = url.startsWith("https:") ? sendHttps : sendHttp;
    const chunks: Buffer[] = [];
    let [bytes, response]: [number, IncomingMessage | undefined] = [0, undefined];
    const end = (how: Seen["end"]): void => {
      clearTimeout(timer);
      request.destroy();
      const { statusCode: status, statusMessage: reason, rawHeaders = [] } = response ?? {};
      resolve({
        status,
        reason,
        headers: rawHeaders.filter((name, index) => index % 2 === 0 && !ofConnection.has(name.toLowerCase())),
        bytes,
        end: how,
        body: Buffer.concat(chunks).toString("latin1"),
      });
    };
    const options = { method, headers, agent: false, maxHeaderSize: 256 * 1024, ...(ca === undefined ? {} : { ca }) };
    const request = send(url, options, (got) => {
      response = got;
      got.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > enough) return end("enough");
        chunks.push(chunk);
      });
      got.on("end", () => end(got.complete ? "whole" : "cut"));
      got.on("error", () => end("cut"));
    });
    request.maxHeadersCount = 0;
    const timer = setTimeout(() => end("still open"), within);
    request.on("error", () => end(response === undefined ? "none" : "cut"));
    request.end(body);
  });

/** The responses that a client gets from a server: to a token request, to the list, and to an invalid batch. */
const visited = async (baseUrl: string, client: Client): Promise<readonly Seen[]> => {
  const token = await seenOf(`${baseUrl}/auth/token`, client, {
    method: "POST",
    headers: { "x-api-key": credentials.apiKey, "content-length": "0" },
  });
  const issued = /"token":"([\w.-]{1,2000})"/.exec(token.body)?.[1] ?? "none";
  const headers = { authorization: `Bearer ${issued}` };
  const body = "{}";
  const others = await Promise.all([
    seenOf(`${baseUrl}/batches`, client, { headers }),
    seenOf(`${baseUrl}/batches`, client, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", "content-length": String(body.length) },
      body,
    }),
  ]);
  return [token, ...others];
};

/** Sends the requests to the target, through the proxy or directly. */
const seenOn = async (
  target: HostileTarget,
  within: number,
  take?: (captured: Captured) => void,
): Promise<readonly Seen[]> => {
  const { baseUrl, ca, close } = await target.start();
  try {
    if (take === undefined) return await visited(baseUrl, { ca, within });
    const way = { baseUrl, insecure: false, ...(ca === undefined ? {} : { ca }) };
    const proxy = await startProxy({ target: way, host: "127.0.0.1", port: 0, onExchange: take });
    try {
      return await visited(proxy.baseUrl, { ca: undefined, within });
    } finally {
      await proxy.close();
    }
  } finally {
    await close();
  }
};

/** Replaces what differs from start to start and keeps its length: ids, tokens and dates. */
const comparable = (seen: readonly Seen[]): readonly object[] =>
  seen.map(({ status, reason, headers, end, bytes }) => ({
    ...{ status, reason, headers, end },
    ...(end === "whole" ? { bytes } : {}),
  }));

/** Targets for which the client sees something else, and why: the proxy passes on only HTTP messages. */
const differing: Readonly<Record<string, string>> = {
  "chunk-extension-endless": "undici bounds chunk extensions by time alone",
  "continue-endless": "responses before the final one are left out, and there is no final one",
  "header-escapes": "a reason that is no UTF-8 is replaced",
  "length-too-short": "bytes behind the end of a message belong to none",
  "status-099": "no such status can be sent",
  "switches-protocols": "no client of the proxy can switch: the connection ends",
};

const options = {
  selection: requirementIds,
  ...{ strict: false, statement: [], baseline: [], keepValues: false, secretHeaders: [], replayCommand: "" },
};
const document = await bundledContract();

/** Judges what the proxy captured, which must never throw. */
const judgeAll = (all: readonly Captured[]): void => {
  const [first] = all;
  if (first === undefined) return;
  const baseUrl = new URL(first.url).origin;
  const judge = createTrafficJudge(options, { document, baseUrl, startedAt: first.startedAt, isComplete: true });
  for (const [index, captured] of all.entries()) {
    const watched = watchedOf(captured, index + 1);
    judge.learn(watched);
    judge.judge(watched);
  }
  judge.run({ endedAt: Date.now(), warnings: [], nothing: "" });
};

/** The difference between what a client sees with the proxy and without it; undefined if there is none. */
const differenceOf = async (target: HostileTarget, within: number): Promise<string | undefined> => {
  const captured: Captured[] = [];
  const both = [seenOn(target, within), seenOn(target, within, (one) => captured.push(one))];
  const [wanted, got] = (await Promise.all(both)).map((seen) => JSON.stringify(comparable(seen)));
  judgeAll(captured);
  return wanted === got ? undefined : `${target.id}\n  ${wanted}\n  ${got}\n`;
};

test(
  "a client gets the same responses from a hostile target with the proxy and without it",
  { timeout: 120_000 },
  async () => {
    const rest = hostileTargets.filter(({ isLong }) => isLong !== true);
    const again: HostileTarget[] = [];
    const lane = async (): Promise<void> => {
      for (let target = rest.pop(); target !== undefined; target = rest.pop())
        if ((await differenceOf(target, 600)) !== undefined) again.push(target);
    };
    await Promise.all(Array.from({ length: 6 }, lane));
    // One at a time and with long limits, because everything here shares one process.
    const differences: string[] = [];
    for (const target of again) {
      const difference = await differenceOf(target, 1500);
      if (difference !== undefined && differing[target.id] === undefined) differences.push(difference);
    }
    expect(differences.join("")).toBe("");
  },
);
