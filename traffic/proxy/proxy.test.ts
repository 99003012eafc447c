import { createServer, request as send, type IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { listening } from "../../model/testing/listening.ts";
import { watchedOf, type Captured } from "./captured.ts";
import { startProxy } from "./proxy.ts";

type Way = Parameters<typeof startProxy>[0]["target"];

/** A proxy until the test ends, with what it captures. */
const proxyTo = async (target: Way, seen: Captured[] = []) => {
  const onExchange = (captured: Captured): void => void seen.push(captured);
  const proxy = await startProxy({ target, host: "127.0.0.1", port: 0, onExchange });
  onTestFinished(proxy.close);
  return proxy;
};

const started = async (handle: Parameters<typeof createServer>[1]) => {
  const port = await listening(createServer(handle));
  const seen: Captured[] = [];
  const proxy = await proxyTo({ baseUrl: `http://127.0.0.1:${port}/api`, insecure: false }, seen);
  return { proxy, seen, authority: `127.0.0.1:${port}` };
};

const sent = (
  url: string,
  headers: readonly string[],
  body = "",
): Promise<{ response: IncomingMessage; text: string }> =>
  new Promise((resolve, reject) => {
    const request = send(url, { method: "POST", headers: ["Host", "client", ...headers] }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ response, text: Buffer.concat(chunks).toString() }));
    });
    request.on("error", reject);
    // After an early response, Node's client no longer tracks the socket that it still writes to.
    request.on("socket", (socket) => socket.on("error", () => undefined));
    request.end(body);
  });

test("path, headers and bodies pass through as they are, and are captured", async () => {
  let received: { url: string | undefined; headers: string[]; body: string } | undefined;
  const { proxy, seen, authority } = await started((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      received = { url: request.url, headers: request.rawHeaders, body };
      response.sendDate = false;
      response.writeHead(418, "Odd", ["X-One", "1", "Set-Cookie", "a=1", "Set-Cookie", "b=2", "Content-Length", "2"]);
      response.end("{}");
    });
  });
  const { response, text } = await sent(
    `${proxy.baseUrl}/batches?a=%2f`,
    ["X-Case", "Yes", "x-twice", "1", "x-twice", "2", "Content-Length", "3"],
    "abc",
  );
  expect(received).toEqual({
    url: "/api/batches?a=%2f",
    headers: expect.arrayContaining(["X-Case", "Yes", "x-twice", "1", "2", authority]),
    body: "abc",
  });
  expect([response.statusCode, response.statusMessage, text]).toEqual([418, "Odd", "{}"]);
  expect(response.rawHeaders).toEqual(expect.arrayContaining(["X-One", "1", "a=1", "b=2"]));
  await expect.poll(() => seen.length).toBe(1);
  const watched = watchedOf(seen[0] as Captured, 1);
  expect(watched).toMatchObject({
    request: { method: "POST", url: `http://${authority}/api/batches?a=%2f` },
    response: { status: 418 },
  });
  expect(Buffer.from(watched.request.body ?? []).toString()).toBe("abc");
});

test("a body of many megabytes passes, and is not judged", async () => {
  const size = 20 * 2 ** 20;
  const { proxy, seen } = await started((request, response) => {
    request.resume();
    response.end(Buffer.alloc(size, "x"));
  });
  const { text } = await sent(`${proxy.baseUrl}/batches`, ["Content-Length", "0"]);
  expect(text.length).toBe(size);
  await expect.poll(() => seen.length).toBe(1);
  expect(watchedOf(seen[0] as Captured, 1).response.defect).toMatchObject({ kind: "missing" });
});

test("a client that offers another protocol gets the response, as from the target", async () => {
  const { proxy } = await started((_, response) => response.end("{}"));
  const offer = ["Connection", "Upgrade, HTTP2-Settings", "Upgrade", "h2c", "HTTP2-Settings", "AAMAAABkAAQAAP__"];
  expect((await sent(`${proxy.baseUrl}/batches`, [...offer, "Content-Length", "0"])).text).toBe("{}");
});

test("a response before the end of the request passes; its reason and trailers do, too", async () => {
  const reason = Buffer.from("Zu groß").toString("latin1");
  const { proxy } = await started((request, response) => {
    response.writeHead(413, reason, { "content-type": "application/json", trailer: "x-sum" });
    response.write('{"message":"too large"}');
    response.addTrailers({ "x-sum": "1" });
    response.end();
    request.resume();
  });
  const { response, text } = await sent(`${proxy.baseUrl}/batches`, ["Transfer-Encoding", "chunked"], "x".repeat(5e6));
  expect([response.statusCode, text, response.rawTrailers]).toEqual([413, '{"message":"too large"}', ["x-sum", "1"]]);
  expect(response.statusMessage).toBe(reason);
});

test("of a body that is cut, the client gets what there is of it", async () => {
  const { proxy, seen } = await started((request, response) => {
    response.writeHead(200, { "content-length": "100" }).write('{"batches":[');
    setTimeout(() => request.socket.destroy(), 20);
  });
  const received = new Promise<string>((resolve, reject) => {
    const request = send(`${proxy.baseUrl}/batches`, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("error", () => resolve(text));
    });
    request.on("error", reject).end();
  });
  expect(await received).toBe('{"batches":[');
  expect(seen).toEqual([]);
});

test("a target that drops the connection or is away drops the client's", async () => {
  const { proxy, seen } = await started((request) => request.socket.destroy());
  await expect(sent(`${proxy.baseUrl}/batches`, ["Content-Length", "0"])).rejects.toThrow(/hang up|reset/i);
  const away = await proxyTo({ baseUrl: "http://127.0.0.1:1", insecure: false }, seen);
  await expect(sent(`${away.baseUrl}/batches`, ["Content-Length", "0"])).rejects.toThrow(/hang up|reset/i);
  expect(seen).toEqual([]);
});

test("the target is reached through the proxy that the options name", async () => {
  const start = async (target: Way) => sent(`${(await proxyTo(target)).baseUrl}/batches`, ["Content-Length", "0"]);
  const lines: (string | undefined)[] = [];
  const way = createServer((request, response) => {
    lines.push(request.url);
    response.end("{}");
  });
  const url = `http://127.0.0.1:${await listening(way)}`;
  const passed = await start({ baseUrl: "http://fx.example", insecure: false, proxy: { url, from: "--proxy" } });
  expect(passed.text).toBe("{}");
  expect(lines).toEqual(["http://fx.example/batches"]);
});
