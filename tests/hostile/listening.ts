import type { AddressInfo, Server, Socket } from "node:net";
import { createServer } from "node:net";
import type { Running } from "./hostile-target.ts";

/** Listens on a free port of 127.0.0.1 until closed; then all its connections end. */
export const listening = async (server: Server, scheme: "http" | "https" = "http"): Promise<Running> => {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `${scheme}://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

/** A server of bare sockets. */
export const sockets = (meet: (socket: Socket) => void, scheme: "http" | "https" = "http"): Promise<Running> =>
  listening(createServer(meet), scheme);

/** A server of bare sockets that waits for a request, whatever it says, and then calls the function. */
export const onceRequested = (answer: (socket: Socket, nth: number) => void): Promise<Running> => {
  let nth = 0;
  return sockets((socket) => socket.on("data", () => answer(socket, ++nth)));
};

/** Writes as fast as the other side reads, until it goes away. */
export const pour = (socket: Socket, chunk: string | Buffer): void => {
  const more = (): void => {
    while (!socket.destroyed && socket.writable) if (!socket.write(chunk)) return void socket.once("drain", more);
  };
  more();
};

/** Writes a piece every so many milliseconds until there are no more, or the other side goes away. */
export const drip = (socket: Socket, pieces: Iterable<string>, every: number): void => {
  const rest = pieces[Symbol.iterator]();
  const timer = setInterval(() => {
    const { value, done } = rest.next();
    if (done === true || !socket.writable) clearInterval(timer);
    else socket.write(value);
  }, every);
  socket.once("close", () => clearInterval(timer));
};
