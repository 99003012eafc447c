import type { AddressInfo, Server, Socket } from "node:net";
import { createServer } from "node:net";
import type { Running } from "./hostile-target.ts";

/** Makes a server listen on a free port of 127.0.0.1. Closing it ends all its connections. */
export async function listening(
  server: Server,
  scheme: "http" | "https" = "http",
): Promise<Running> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen(0, "127.0.0.1", resolve),
  );
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `${scheme}://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A TCP server. */
export function sockets(
  meet: (socket: Socket) => void,
  scheme: "http" | "https" = "http",
): Promise<Running> {
  return listening(createServer(meet), scheme);
}

/** A TCP server that waits for any request, and then calls the function. */
export function onceRequested(answer: (socket: Socket, nth: number) => void): Promise<Running> {
  let nth = 0;
  return sockets((socket) =>
    socket.on("data", () => {
      nth += 1;
      answer(socket, nth);
    }),
  );
}

/** Writes as fast as the client reads, until the client disconnects. */
export function pour(socket: Socket, chunk: string | Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.writable)
      if (!socket.write(chunk)) return void socket.once("drain", more);
  };
  more();
}
