import { conformant, either, inconclusive, nonconformant, type HostileTarget } from "../hostile-target.ts";
import { drip, listening, onceRequested, pour, sockets } from "../listening.ts";
import { listAs, obedientBut } from "../obedient-but.ts";
import { createServer } from "node:net";

const json = "content-type: application/json\r\n";

/** Unreachable servers, lost connections, missing responses, and floods of bytes. */
export const connections: readonly HostileTarget[] = [
  inconclusive("refused", "Does not listen.", { says: /ECONNREFUSED/ }).by(async () => {
    const running = await listening(createServer());
    await running.close();
    return { ...running, close: () => Promise.resolve() };
  }),
  inconclusive("reset-on-connect", "Resets each connection immediately.").by(() =>
    sockets((socket) => socket.resetAndDestroy()),
  ),
  inconclusive("reset-in-header", "Resets in the middle of the header.").by(() =>
    onceRequested((socket) => socket.write(`HTTP/1.1 200 OK\r\n${json}x-ha`, () => socket.resetAndDestroy())),
  ),
  nonconformant("reset-in-body", "Resets in the middle of every body.", { blamed: ["HTTP-02"], also: "any" }).by(() =>
    onceRequested((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\n${json}content-length: 40\r\n\r\n{"token":"abc`, () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      ),
    ),
  ),
  nonconformant("reset-in-list", "Obeys, and resets in the middle of every list.", {
    blamed: ["HTTP-02"],
    also: ["HTTP-05", "BATCH-06", "BATCH-07", "BATCH-08", "BATCH-09"],
    inSmoke: true,
  }).by(
    listAs(({ status, headers, body }, { request, response }) => {
      response.writeHead(status, headers).write(body.subarray(0, 9));
      setTimeout(() => request.socket.resetAndDestroy(), 20);
    }),
  ),
  inconclusive("closes-silently", "Closes each connection cleanly, without a response.").by(() =>
    onceRequested((socket) => socket.end()),
  ),
  inconclusive("never-answers", "Reads every request and never responds.", { says: /no response within 1000 ms/ }).by(
    () => onceRequested(() => undefined),
  ),
  inconclusive("never-reads", "Accepts connections and never reads from them.").by(() =>
    sockets((socket) => socket.pause()),
  ),
  inconclusive("late-from-twentieth", "From the twentieth request on, sends every response after the deadline.", {
    within: 20,
  }).by(() =>
    obedientBut(async (call) => {
      const answer = await call.obedient();
      setTimeout(() => call.send(answer), call.nth < 20 ? 0 : 1500);
    }),
  ),
  inconclusive("header-drips", "Sends a header field every 20 ms, forever.").by(() =>
    onceRequested((socket) => drip(socket, ["HTTP/1.1 200 OK\r\n", ...Array<string>(9999).fill("x: y\r\n")], 20)),
  ),
  nonconformant("list-drips", "Obeys, and sends one byte of the list every 100 ms.", {
    options: ["--timeout", "500ms"],
    blamed: ["HTTP-05"],
    within: 25,
    inSmoke: true,
  }).by(
    listAs(({ status, headers, body }, { request, response }) => {
      response.writeHead(status, headers).flushHeaders();
      drip(request.socket, body.toString("latin1"), 100);
    }),
  ),
  either([1, 3], "endless-body", "Sends endless bodies, as fast as they are read.", {
    options: ["--max-body", "4MiB"],
  }).by(() =>
    onceRequested((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${json}\r\n{"token":"`);
      pour(socket, Buffer.alloc(65_536, "a"));
    }),
  ),
  inconclusive("endless-list", "Obeys, and sends an endless list, as fast as it is read.", {
    options: ["--max-body", "4MiB"],
    within: 25,
    inSmoke: true,
  }).by(
    listAs((_, { request: { socket } }) => {
      socket.write(`HTTP/1.1 200 OK\r\n${json}\r\n`);
      pour(socket, Buffer.alloc(65_536, " "));
    }),
  ),
  inconclusive("endless-header", "Sends endless header fields, as fast as they are read.").by(() =>
    onceRequested((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      pour(socket, "x-flood: 0123456789\r\n".repeat(1000));
    }),
  ),
  inconclusive("random-bytes", "Sends random bytes, forever.").by(() =>
    onceRequested((socket) => pour(socket, Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256)))),
  ),
  conformant("drops-now-and-then", "Drops every seventh connection in the middle of a request, and obeys otherwise.", {
    within: 20,
  }).by(() =>
    obedientBut(async (call) => {
      if (call.nth % 7 === 0) return void call.request.socket.destroy();
      call.send(await call.obedient());
    }),
  ),
  either([0, 3], "drops-each-second", "Drops every second request, and responds only to retries.", { within: 30 }).by(
    () =>
      obedientBut(async (call) => {
        if (call.nth % 2 === 0) return void call.request.socket.destroy();
        call.send(await call.obedient());
      }),
  ),
];
