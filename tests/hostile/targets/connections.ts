import { inconclusive, type HostileTarget } from "../hostile-target.ts";
import { listening, onceRequested, pour, sockets } from "../listening.ts";
import { listAs } from "../obedient-but.ts";
import { createServer as createSecureServer } from "node:https";
import { createServer } from "node:net";
import { makeCertificate } from "../../../reference/certificate.ts";

const json = "content-type: application/json\r\n";

/** Unreachable servers, lost connections, broken TLS, missing responses, and floods of bytes. */
export const connections: readonly HostileTarget[] = [
  inconclusive("refused", "Does not listen.", { says: /ECONNREFUSED/ }).by(async () => {
    const running = await listening(createServer());
    await running.close();
    return { ...running, close: () => Promise.resolve() };
  }),
  inconclusive("never-answers", "Reads every request and never responds.", {
    says: /sent nothing within 3 s/,
  }).by(() => onceRequested(() => undefined)),
  inconclusive("endless-list", "Obeys, and sends an endless list, as fast as it is read.", {
    options: ["--max-body", "4MiB"],
    within: 25,
    inSmoke: true,
  }).by(
    listAs((_, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${json}\r\n`);
      pour(socket, Buffer.alloc(65_536, " "));
    }),
  ),
  inconclusive("tls-untrusted", "Has a certificate that no trusted authority signed.", {
    says: /--ca/,
  }).by(async () => {
    const { key, cert } = await makeCertificate();
    const received: string[] = [];
    const server = createSecureServer({ key, cert }, (request, response) => {
      received.push(
        `${request.method} ${request.url} came over a connection that is not to be trusted`,
      );
      response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"token":"abcdefghijkl"}');
    });
    return { ...(await listening(server, "https")), complaints: () => received };
  }),
  inconclusive("tls-handshake-hangs", "Accepts connections and never answers the handshake.").by(
    () => sockets((socket) => socket.resume(), "https"),
  ),
];
