import * as zlib from "node:zlib";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  createClient,
  createLargeBodies,
  createSharing,
  deadlineIn,
  type ClientBounds,
  type HttpRequest,
} from "./client.ts";
import { type Target } from "../../model/target.ts";
import { http, rawServer, type RawRequest } from "../../model/testing/raw-server.ts";
import { target } from "../../model/testing/target.ts";
import { bounds } from "../../model/bounds.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0)) await end();
});

/** Lets the test decide on the time of the client, but not on that of its sockets. */
const withOwnTime = (): void =>
  void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });

/** Resolves when what was written before has been read. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}

const get: HttpRequest = {
  method: "GET",
  path: "/batches",
  headers: [["Accept", "application/json"]],
  body: undefined,
};

/** A client whose server answers with this response. */
async function clientOf(response: (request: RawRequest) => void, more: Partial<ClientBounds> = {}) {
  const server = await rawServer(response);
  const client = clientFor({ ...target, baseUrl: server.baseUrl }, more);
  ends.push(server.close);
  return { client, server };
}

function clientFor(to: Target, more: Partial<ClientBounds> = {}) {
  const signal = new AbortController().signal;
  const client = createClient(to, {
    connections: 2,
    timeout: 60_000,
    maxBody: 1000,
    signal,
    ...more,
  });
  ends.push(client.close);
  return client;
}

/** What the client reads from the bytes of one response. */
async function received(bytes: Buffer | string, more: Partial<ClientBounds> = {}, end = false) {
  const { client } = await clientOf(({ socket }) => {
    socket.write(bytes);
    if (end) socket.destroySoon();
  }, more);
  return client.send(get);
}

function bodyText({ response }: Awaited<ReturnType<typeof received>>): string {
  return Buffer.from(response?.body ?? []).toString();
}

test("a request goes out verbatim, with its length", async () => {
  const { client, server } = await clientOf(({ socket }) => socket.write(http("200 OK", {}, "{}")));
  const body = Buffer.from('{"name":"São"}');
  const path = "/api/a%2Fb/../c?x=%20&y=[1]";
  const headers = [["X-One", "1"] as const, ["Content-Type", "application/json"] as const];
  await client.send({ method: "POST", path, headers, body });
  const [head = "", sent = ""] = server.requests[0]?.split("\r\n\r\n") ?? [];
  expect(head.split("\r\n")).toEqual([
    `POST ${path} HTTP/1.1`,
    expect.stringMatching(/^host: 127\.0\.0\.1:\d+$/),
    "connection: keep-alive",
    "X-One: 1",
    "Content-Type: application/json",
    `content-length: ${body.length}`,
  ]);
  expect(Buffer.from(sent, "latin1")).toEqual(body);
});

describe("a response", () => {
  test("comes with status, fields in order, body and times", async () => {
    const { response } = await received(
      "HTTP/1.1 201 Made it\r\nSet-Cookie: a\r\nContent-Length: 2\r\nset-cookie: b\r\nX-Latin: é\r\n\r\n{}",
    );
    expect(response).toMatchObject({ status: 201, statusText: "Made it", body: Buffer.from("{}") });
    expect(response?.headers.slice(0, 3)).toEqual([
      ["Set-Cookie", "a"],
      ["Content-Length", "2"],
      ["set-cookie", "b"],
    ]);
    expect(response?.defect).toBeUndefined();
    expect(response?.took).toBeGreaterThanOrEqual(response?.waited ?? Infinity);
  });

  test.each([
    ["without a body", http("204 No Content", {}), ""],
    [
      "in chunks",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
      "{}",
    ],
    ["after 1xx", `HTTP/1.1 102 Processing\r\n\r\n${http("200 OK", {}, "{}").toString()}`, "{}"],
  ])("%s is read", async (_, bytes, text) => {
    const sent = await received(bytes, {}, true);
    expect([bodyText(sent), sent.response?.defect]).toEqual([text, undefined]);
  });
});

/** Absent in Node 20, which knows no zstd. */
const { zstdCompressSync: zstd } = zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer };

describe("content coding", () => {
  const text = '{"a":"São"}';

  /** What the client makes of a body that has this coding, as the response says. */
  async function decoded(coding: string, body: Buffer | string) {
    return (await received(http("200 OK", { "Content-Encoding": coding }, body))).response;
  }

  test.each<readonly [string, Buffer]>([
    ["gzip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["br", brotliCompressSync(text)],
    ...(zstd === undefined ? [] : [["zstd", zstd(Buffer.from(text))] as const]),
  ])("%j is taken off", async (coding, body) => {
    const response = await decoded(coding, body);
    expect([String(response?.body), response?.defect]).toEqual([text, undefined]);
  });

  test("that is broken or unknown is reported", async () => {
    expect(await decoded("gzip", text)).toMatchObject({
      body: Buffer.alloc(0),
      defect: { kind: "coding", text: "the gzip coding of the body is broken" },
    });
    for (const coding of ["compress", "constructor", ...(zstd === undefined ? ["zstd"] : [])])
      expect(await decoded(coding, text)).toMatchObject({
        body: Buffer.from(text),
        defect: {
          kind: "coding",
          text: `Content-Encoding names ${coding}, which is no content coding that was asked for`,
        },
      });
  });

  test.each(["gzip, gzip", "gzip, br", "br, gzip, identity"])(
    "%s is not taken off, however small the body is",
    async (coding) => {
      const twice = gzipSync(gzipSync("x".repeat(100_000)));
      expect(await decoded(coding, twice)).toMatchObject({
        body: twice,
        defect: { kind: "coding", text: expect.stringContaining(coding.slice(0, 8)) },
      });
    },
  );

  test("that swells beyond the bound is not read", async () => {
    expect(await decoded("br", brotliCompressSync("x".repeat(100_000)))).toMatchObject({
      body: Buffer.alloc(0),
      defect: { kind: "too large", text: "the body is larger than 1000 bytes after decoding" },
    });
  });
});

describe("bodies that are not whole", () => {
  test("longer than the bound", async () => {
    expect((await received(http("200 OK", {}, "x".repeat(1000)))).response?.defect).toBeUndefined();
    const { response } = await received(http("200 OK", {}, "x".repeat(1001)));
    expect([response?.body.length, response?.defect]).toEqual([
      1000,
      { kind: "too large", text: "the body is larger than 1000 bytes" },
    ]);
  });

  test("ended before they were complete", async () => {
    for (const start of [
      "Content-Length: 10\r\n\r\n{",
      "Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    ]) {
      const { response } = await received(`HTTP/1.1 200 OK\r\n${start}`, {}, true);
      expect(Buffer.from(response?.body ?? []).toString()).toBe("{");
      expect(response?.defect).toMatchObject({
        kind: "cut",
        text: expect.stringMatching(/^the body ended early: ./),
      });
    }
  });

  test("not in time", async () => {
    const write = async ({ socket }: RawRequest): Promise<void> => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{");
      await turns();
      vi.advanceTimersByTime(500);
    };
    const { client } = await clientOf((request) => void write(request), { timeout: 500 });
    withOwnTime();
    const { failure } = await client.send(get);
    expect(failure).toMatchObject({
      kind: "timeout",
      message: "the response had not ended after 500 ms",
    });
  });
});

test("the spare connection is kept while it is idle, and no other request goes out on it", async () => {
  const sockets: unknown[] = [];
  const { client } = await clientOf(({ socket }) => {
    sockets.push(socket);
    socket.write(http("200 OK", {}, "{}"));
  });
  await client.send(get, { spare: "one" });
  await Promise.all([client.send(get), client.send(get)]);
  await client.send(get, { spare: "one" });
  const [first, ...others] = sockets;
  expect(others.map((socket) => socket === first)).toEqual([false, false, true]);
});

test("a request that is alone on a new connection has the server to itself; others say what was open", async () => {
  const { client } = await clientOf(({ connection, socket }) => {
    if (connection === 2) socket.destroy();
    else socket.write(http("200 OK", {}, "{}"));
  });
  await client.send(get);
  const dropped = await client.send(get, { isFresh: true });
  expect(dropped.failure).toMatchObject({ kind: "dropped", beside: 1 });
  expect((await client.send(get, { isFresh: true, isAlone: true })).response?.status).toBe(200);
  const { failure } = await client.send({ ...get, path: "/" }, { isFresh: true, timeout: 1 });
  expect(failure?.beside ?? 0).toBe(0);
});

test("where one connection at a time is served, no other stays open (INT-04)", async () => {
  const open = new Set<unknown>();
  const seen: number[] = [];
  const { client } = await clientOf(({ socket }) => {
    if (!open.has(socket)) socket.once("close", () => open.delete(socket));
    seen.push(open.add(socket).size);
    socket.write(http("200 OK", {}, "{}"));
  });
  await Promise.all([client.send(get), client.send(get)]);
  client.atMost(1);
  await turns();
  for (const how of [{}, { isFresh: true }, { spare: "one" }, {}]) {
    await client.send(get, how);
    await turns();
  }
  expect(seen).toEqual([1, 2, 1, 1, 1, 1]);
});

describe("no response", () => {
  test("in time", async () => {
    const { client } = await clientOf(() => void vi.advanceTimersByTime(100), { timeout: 100 });
    withOwnTime();
    expect((await client.send(get)).failure).toMatchObject({
      kind: "timeout",
      message: "no response within 100 ms",
    });
    expect((await client.send(get, { isFresh: true })).failure?.kind).toBe("timeout");
  });

  test("as the connection is dropped", async () => {
    const dropped = await clientOf(({ socket }) => socket.destroy());
    expect((await dropped.client.send(get)).failure).toMatchObject({ kind: "dropped" });
    const reset = await clientOf(({ socket }) => void socket.resetAndDestroy());
    expect((await reset.client.send(get)).failure).toMatchObject({
      kind: "dropped",
      message: expect.stringContaining("ECONNRESET"),
    });
  });

  test.each(["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"])(
    "as the run was stopped after %j",
    async (start) => {
      const stop = new AbortController();
      const { client } = await clientOf(
        ({ socket }) => {
          socket.write(start);
          void turns().then(() => stop.abort());
        },
        { signal: stop.signal },
      );
      expect((await client.send(get)).failure).toMatchObject({
        kind: "aborted",
        message: "the run was stopped",
      });
    },
  );
});

test("interim responses change nothing, wherever the stream is cut", async () => {
  const interim = ["100 Continue", "103 Early Hints\r\nLink: </a>", "100"];
  const heads = interim.map((head) => `HTTP/1.1 ${head}\r\n\r\n`).join("");
  const stream = heads + http("201 Created", {}, '{"a":1}').toString("latin1");
  const pieces = Array.from({ length: stream.length }, (_, at) => [
    stream.slice(0, at),
    stream.slice(at),
  ]);
  pieces.push([...stream]);
  const write = async ({ n, socket }: RawRequest): Promise<void> => {
    for (const piece of pieces[n - 1] ?? []) {
      socket.write(piece);
      await turns();
    }
  };
  const { client, server } = await clientOf((request) => void write(request));
  for (const cut of pieces) {
    const received = await client.send(get);
    expect([received.response?.status, bodyText(received)], cut[0]).toEqual([201, '{"a":1}']);
  }
  expect(server.requests).toHaveLength(pieces.length);
});

const never = new AbortController().signal;

test("what came before this thread looks at the clock came in time", async () => {
  withOwnTime();
  const ends: string[] = [];
  const [answered, silent] = ["answered", "silent"].map((name) =>
    deadlineIn(100, never, () => ends.push(name)),
  );
  vi.advanceTimersByTime(400);
  expect(ends).toEqual([]);
  // Data is read after timers and before immediates.
  answered?.clear();
  await turns();
  expect([ends, answered?.isOver(), silent?.isOver()]).toEqual([["silent"], false, true]);
});

test("a pause is no part of the time", async () => {
  withOwnTime();
  const { pause, resume, since, isOver } = deadlineIn(100, never, () => undefined);
  vi.advanceTimersByTime(60);
  pause();
  vi.advanceTimersByTime(1000);
  resume();
  vi.advanceTimersByTime(39);
  await turns();
  expect([since(), isOver()]).toEqual([99, false]);
  vi.advanceTimersByTime(1);
  await turns();
  expect(isOver()).toBe(true);
});

test("it ends once when all ends, before and while it waits", () => {
  const stop = new AbortController();
  const ends: string[] = [];
  const early = deadlineIn(10_000, stop.signal, () => ends.push("early"));
  expect(early.isOver()).toBe(false);
  stop.abort();
  const late = deadlineIn(10_000, stop.signal, () => ends.push("late"));
  expect([early.isOver(), late.isOver(), ends]).toEqual([true, true, ["early", "late"]]);
  for (const { clear } of [early, late]) clear();
});

const large = bounds.largeBody + 1;

test("large bodies wait for each other, in the order in which they came", async () => {
  const take = createLargeBodies(new AbortController().signal);
  const said: number[] = [];
  const bodies = [1, 2, 3].map(async (n) => take().then((letGo) => (said.push(n), letGo)));
  await nextTurn();
  expect(said).toEqual([1]);
  const letGo = await bodies[0];
  letGo?.();
  // To let a body go twice lets only one further body in.
  letGo?.();
  await nextTurn();
  expect(said).toEqual([1, 2]);
});

test("a large body that comes again is the one that came before", () => {
  const shared = createSharing();
  const one = Buffer.alloc(large, "a");
  expect(shared(one)).toBe(one);
  expect(shared(Buffer.from(one))).toBe(one);
  const small = Buffer.from("a");
  shared(small);
  const again = Buffer.from(small);
  expect(shared(again)).toBe(again);
});
