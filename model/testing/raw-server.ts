import { createServer, type AddressInfo, type Socket } from "node:net";

/** A request as it arrived, and the socket on which the test answers as it likes. */
export interface RawRequest {
  readonly text: string;
  /** The number of the request, from 1. */
  readonly n: number;
  /** The number of the connection on which the request came, from 1. */
  readonly connection: number;
  readonly socket: Socket;
}

/**
 * Starts a server on loopback that sends nothing but what `response` writes for each request.
 * Returns its address, the texts of all requests, and a function that closes it.
 */
export async function rawServer(response: (request: RawRequest) => void) {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => void sockets.delete(socket));
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      const length = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0);
      if (end < 0 || text.length < end + 4 + length) return;
      requests.push(text);
      const whole = text;
      text = "";
      response({ text: whole, n: requests.length, connection, socket });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The bytes of a whole HTTP/1.1 response. */
export function http(
  status: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = "",
): Buffer {
  const bytes = Buffer.from(body);
  const fields = { "Content-Length": String(bytes.length), ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`), bytes]);
}
