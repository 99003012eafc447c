import { conformant, inconclusive, nonconformant, type HostileTarget } from "../hostile-target.ts";
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
  nonconformant("reset-in-body", "Resets in the middle of every body.", { blamed: ["HTTP-02"], also: "any" }).by(() =>
    onceRequested((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\n${json}content-length: 40\r\n\r\n{"token":"abc`, () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      ),
    ),
  ),
  inconclusive("never-answers", "Reads every request and never responds.", { says: /no response within 1000 ms/ }).by(
    () => onceRequested(() => undefined),
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
  conformant("drops-now-and-then", "Drops every seventh connection in the middle of a request, and obeys otherwise.", {
    within: 20,
  }).by(() =>
    obedientBut(async (call) => {
      if (call.nth % 7 === 0) return void call.request.socket.destroy();
      call.send(await call.obedient());
    }),
  ),
];
