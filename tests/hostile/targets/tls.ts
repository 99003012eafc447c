import { createServer as createHttpsServer } from "node:https";
import { generate } from "selfsigned";
import { inconclusive, type HostileTarget, type Running } from "../hostile-target.ts";
import { listening, sockets } from "../listening.ts";

const day = 86_400_000;

/** Untrusted or broken TLS. */
export const tls: readonly HostileTarget[] = [
  inconclusive("tls-expired", "Has a certificate that has expired.", { says: /expired/i }).by(() =>
    secured({ from: -9 * day, until: -day }),
  ),
  inconclusive("tls-other-name", "Has a certificate for another host name.", { says: /ALTNAME|does not match/ }).by(
    () => secured({ name: "bank.example" }),
  ),
  inconclusive("tls-untrusted", "Has a certificate that no trusted authority signed.", { says: /--ca/ }).by(
    async () => {
      const { ca: _, ...running } = await secured({});
      return running;
    },
  ),
  inconclusive("tls-handshake-hangs", "Accepts connections and never answers the handshake.").by(() =>
    sockets((socket) => socket.resume(), "https"),
  ),
];

interface Claims {
  /** Milliseconds from now. */
  readonly from?: number;
  readonly until?: number;
  readonly name?: string;
}

const certified = async ({ from = -day, until = day, name }: Claims): Promise<{ key: string; cert: string }> => {
  const made = await generate([{ name: "commonName", value: name ?? "127.0.0.1" }], {
    keyType: "ec",
    notBeforeDate: new Date(Date.now() + from),
    notAfterDate: new Date(Date.now() + until),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      {
        name: "subjectAltName",
        altNames: [name === undefined ? { type: 7, ip: "127.0.0.1" } : { type: 2, value: name }],
      },
    ],
  });
  return { key: made.private, cert: made.cert };
};

/** A server that issues a token to clients that trust its certificate. */
const secured = async (claims: Claims): Promise<Running> => {
  const { key, cert } = await certified(claims);
  const received: string[] = [];
  const server = createHttpsServer({ key, cert }, (request, response) => {
    received.push(`${request.method} ${request.url} came over a connection that is not to be trusted`);
    response.writeHead(200, { "content-type": "application/json" }).end('{"token":"abcdefghijkl"}');
  });
  return { ...(await listening(server, "https")), ca: cert, complaints: () => received };
};
