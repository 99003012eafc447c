import { conformant, inconclusive, type HostileTarget } from "../hostile-target.ts";
import { listening, onceRequested, pour } from "../listening.ts";
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
  inconclusive("never-answers", "Reads every request and never responds.", { says: /no response within 1000 ms/ }).by(
    () => onceRequested(() => undefined),
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
  conformant("drops-now-and-then", "Drops every seventh connection in the middle of a request, and obeys otherwise.", {
    within: 20,
  }).by(() =>
    obedientBut(async (call) => {
      if (call.nth % 7 === 0) return void call.request.socket.destroy();
      call.send(await call.obedient());
    }),
  ),
];
