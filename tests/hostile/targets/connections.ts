import type { HostileTarget } from "../hostile-target.ts";
import { drip, listening, onceRequested, pour, sockets } from "../listening.ts";
import { isSuccess, obedientBut } from "../obedient-but.ts";
import { createServer } from "node:net";

const json = "content-type: application/json\r\n";

/** Nobody there, lost connections, silence, and floods of bytes. */
export const connections: readonly HostileTarget[] = [
  {
    id: "refused",
    does: "Nothing listens.",
    exits: [3],
    says: /ECONNREFUSED/,
    start: async () => {
      const running = await listening(createServer());
      await running.close();
      return { ...running, close: () => Promise.resolve() };
    },
  },
  {
    id: "reset-on-connect",
    does: "Resets each connection as it is made.",
    exits: [3],
    start: () => sockets((socket) => socket.resetAndDestroy()),
  },
  {
    id: "reset-after-request",
    does: "Resets each connection once it has sent a request.",
    exits: [3],
    start: () => onceRequested((socket) => socket.resetAndDestroy()),
  },
  {
    id: "reset-in-status-line",
    does: "Resets in the middle of the status line.",
    exits: [3],
    start: () => onceRequested((socket) => socket.write("HTTP/1.1 2", () => socket.resetAndDestroy())),
  },
  {
    id: "reset-in-header",
    does: "Resets in the middle of the header.",
    exits: [3],
    start: () =>
      onceRequested((socket) => socket.write(`HTTP/1.1 200 OK\r\n${json}x-ha`, () => socket.resetAndDestroy())),
  },
  {
    id: "reset-in-body",
    exits: [1],
    blamed: ["HTTP-02"],
    also: "any",
    does: "Resets in the middle of every body.",
    start: () =>
      onceRequested((socket) =>
        socket.write(`HTTP/1.1 200 OK\r\n${json}content-length: 40\r\n\r\n{"token":"abc`, () =>
          setTimeout(() => socket.resetAndDestroy(), 20),
        ),
      ),
  },
  {
    id: "reset-in-list",
    does: "Obeys, and resets in the middle of every list.",
    exits: [1],
    blamed: ["HTTP-02"],
    also: ["HTTP-05", "BATCH-06", "BATCH-07", "BATCH-08", "BATCH-09"],
    start: () =>
      obedientBut(async (call) => {
        const answer = await call.obedient();
        if (call.operation !== "listBatches" || !isSuccess(answer)) return call.send(answer);
        call.response.writeHead(answer.status, answer.headers).write(answer.body.subarray(0, 9));
        setTimeout(() => call.request.socket.resetAndDestroy(), 20);
      }),
  },
  {
    id: "closes-silently",
    does: "Closes each connection in good order, without an answer.",
    exits: [3],
    start: () => onceRequested((socket) => socket.end()),
  },
  {
    id: "half-closes-first",
    does: "Closes its side of each connection as it is made, and reads on.",
    exits: [3],
    start: () =>
      listening(
        createServer({ allowHalfOpen: true }, (socket) => {
          socket.resume();
          socket.end();
        }),
      ),
  },
  {
    id: "never-answers",
    does: "Takes every request and never answers.",
    exits: [3],
    says: /no response within 1000 ms/,
    start: () => onceRequested(() => undefined),
  },
  {
    id: "never-reads",
    does: "Takes connections and reads nothing from them.",
    exits: [3],
    start: () => sockets((socket) => socket.pause()),
  },
  {
    id: "late",
    does: "Answers everything after the deadline.",
    exits: [3],
    start: () =>
      obedientBut(async (call) => {
        const answer = await call.obedient();
        setTimeout(() => call.send(answer), 1500);
      }),
  },
  {
    id: "late-from-twentieth",
    within: 20,
    does: "Answers everything after the deadline from the twentieth request on.",
    exits: [3],
    start: () =>
      obedientBut(async (call) => {
        const answer = await call.obedient();
        setTimeout(() => call.send(answer), call.nth < 20 ? 0 : 1500);
      }),
  },
  {
    id: "byte-a-second",
    does: "Sends a byte a second.",
    exits: [3],
    start: () => onceRequested((socket) => drip(socket, `HTTP/1.1 200 OK\r\n${json}\r\n`, 1000)),
  },
  {
    id: "body-drips",
    does: "Sends the header at once and then a byte of the body every 50 ms, for ever.",
    exits: [3],
    start: () =>
      onceRequested((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${json}content-length: 100000\r\n\r\n`);
        drip(socket, '{"token":"' + "a".repeat(90_000), 50);
      }),
  },
  {
    id: "header-drips",
    does: "Sends a header field every 20 ms, for ever.",
    exits: [3],
    start: () =>
      onceRequested((socket) => drip(socket, ["HTTP/1.1 200 OK\r\n", ...Array<string>(9999).fill("x: y\r\n")], 20)),
  },
  {
    id: "list-drips",
    options: ["--timeout", "500ms"],
    does: "Obeys, and sends a byte of the list every 100 ms.",
    exits: [1],
    blamed: ["HTTP-05"],
    within: 25,
    start: () =>
      obedientBut(async (call) => {
        const answer = await call.obedient();
        if (call.operation !== "listBatches") return call.send(answer);
        call.response.writeHead(answer.status, answer.headers).flushHeaders();
        const { socket } = call.request;
        drip(socket, answer.body.toString("latin1"), 100);
      }),
  },
  {
    id: "endless-body",
    does: "Sends every body for ever, as fast as it is read.",
    exits: [1, 3],
    options: ["--max-body", "4MiB"],
    start: () =>
      onceRequested((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${json}\r\n{"token":"`);
        pour(socket, Buffer.alloc(65_536, "a"));
      }),
  },
  {
    id: "endless-list",
    does: "Obeys, and sends the list for ever, as fast as it is read.",
    exits: [3],
    options: ["--max-body", "4MiB"],
    within: 25,
    start: () =>
      obedientBut(async (call) => {
        const answer = await call.obedient();
        if (call.operation !== "listBatches" || !isSuccess(answer)) return call.send(answer);
        call.request.socket.write(`HTTP/1.1 200 OK\r\n${json}\r\n`);
        pour(call.request.socket, Buffer.alloc(65_536, " "));
      }),
  },
  {
    id: "endless-header",
    does: "Sends header fields for ever, as fast as they are read.",
    exits: [3],
    start: () =>
      onceRequested((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        pour(socket, "x-flood: 0123456789\r\n".repeat(1000));
      }),
  },
  {
    id: "terabyte",
    does: "Announces a terabyte and sends ten bytes of it.",
    exits: [3, 1],
    start: () =>
      onceRequested((socket) =>
        socket.write(`HTTP/1.1 200 OK\r\n${json}content-length: 1000000000000\r\n\r\n{"token":"`),
      ),
  },
  {
    id: "random-bytes",
    does: "Answers with bytes of no meaning, for ever.",
    exits: [3],
    start: () =>
      onceRequested((socket) => pour(socket, Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256)))),
  },
  {
    id: "drops-now-and-then",
    does: "Drops every seventh connection in the middle of a request, and obeys otherwise.",
    exits: [0],
    within: 20,
    start: () =>
      obedientBut(async (call) => {
        if (call.nth % 7 === 0) return void call.request.socket.destroy();
        call.send(await call.obedient());
      }),
  },
  {
    id: "drops-each-second",
    does: "Drops every second request, so that it responds to one that is sent again alone.",
    exits: [0, 3],
    within: 30,
    start: () =>
      obedientBut(async (call) => {
        if (call.nth % 2 === 0) return void call.request.socket.destroy();
        call.send(await call.obedient());
      }),
  },
];
