import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { followPort } from "./watch.ts";

const soon = { timeout: 20_000, interval: 10 };
const servers: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];
/** How many bytes the server was sent. */
let received = 0;

async function listen(port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("data", (bytes) => (received += bytes.length)).on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  servers.push({ server, sockets });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

/** Ends the server like a process that is killed. */
async function kill(): Promise<void> {
  const { server, sockets } = servers.pop() ?? {};
  const closed = new Promise((done) => server?.close(done));
  for (const socket of sockets ?? []) socket.destroy();
  await closed;
}

afterEach(async () => {
  while (servers.length > 0) await kill();
});

function followed(port: number): readonly string[] {
  const seen: string[] = [];
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const listener = (isThere: boolean): void => void seen.push(isThere ? "back" : "away");
  void followPort(new URL(`http://127.0.0.1:${port}`), listener, over.signal);
  return seen;
}

test("a server that is restarted is away and back, within a moment and without a byte sent", async () => {
  const port = await listen();
  const seen = followed(port);
  await vi.waitFor(() => expect(seen).toEqual(["back"]), soon);
  await kill();
  await vi.waitFor(() => expect(seen).toEqual(["back", "away"]), soon);
  await listen(port);
  await vi.waitFor(() => expect(seen).toEqual(["back", "away", "back"]), soon);
  expect(received).toBe(0);
});

test("a server that drops idle connections was not restarted", async () => {
  const port = await listen();
  const seen = followed(port);
  const sockets = servers.at(-1)?.sockets ?? new Set();
  for (let dropped = 0; dropped < 3; dropped++) {
    await vi.waitFor(() => expect(sockets.size).toBeGreaterThan(0), soon);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(() => expect(sockets.size).toBe(0), soon);
  }
  await vi.waitFor(() => expect(sockets.size).toBeGreaterThan(0), soon);
  expect(seen).toEqual(["back"]);
});
