import type { AddressInfo, Server, Socket } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Starts the server on 127.0.0.1 and returns its port. When the test ends, the server and its
 * connections are closed.
 */
export async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => socket.destroy()));
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}
