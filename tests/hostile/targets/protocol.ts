import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { conformant, inconclusive, type HostileTarget, type Running } from "../hostile-target.ts";
import { listening } from "../listening.ts";
import { listAs, obedientBut, obedientButIn, withBody, type Answer } from "../obedient-but.ts";

function rawList(
  head: (answer: Answer) => string,
  body: (answer: Answer) => string | Buffer = ({ body: b }) => b,
) {
  return listAs((answer, { request: { socket } }) => {
    socket.write(head(answer), "latin1");
    socket.end(body(answer));
  });
}

const json = "content-type: application/json\r\n";

/** Responses that violate HTTP. */
export const protocol: readonly HostileTarget[] = [
  conformant("hints-flood", "Sends five thousand early hints before each list.", {
    also: ["HTTP-05"],
    inSmoke: true,
  }).by(
    rawList(
      ({ body }) =>
        `${"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(5000)}HTTP/1.1 200 OK\r\n${json}content-length: ${body.length}\r\nconnection: close\r\n\r\n`,
    ),
  ),
  inconclusive(
    "redirects-elsewhere",
    "Redirects every request to another server, which must never get a request.",
    {
      says: /307 with Location .*Redirections are not followed/,
    },
  ).by(redirecting),
  inconclusive("gzip-bomb", "Obeys, and sends a gzip list that decompresses to a gigabyte.", {
    says: /--max-body/,
    options: ["--max-body", "16MiB"],
    inSmoke: true,
  }).by(
    obedientButIn("listBatches", (answer) => {
      const packed = withBody(answer, gigabyte());
      return { ...packed, headers: { ...packed.headers, "content-encoding": "gzip" } };
    }),
  ),
];

/** A gigabyte of spaces, compressed with gzip. Such a file may consist of several members. */
function gigabyte(): Buffer {
  return Buffer.concat(
    Array<Buffer>(1024).fill(gzipSync(Buffer.alloc(1_048_576, " "), { level: 9 })),
  );
}

/** Redirects requests to another server, and complains if the other server gets one. */
async function redirecting(): Promise<Running> {
  const followed: string[] = [];
  const other = await listening(
    createServer((request, response) => {
      followed.push(`${request.method} ${request.url} was sent on to the other server`);
      response.end();
    }),
  );
  const running = await obedientBut(
    ({ response }) => void response.writeHead(307, { location: other.baseUrl }).end(),
  );
  return {
    ...running,
    complaints: () => followed,
    close: async () => {
      await running.close();
      await other.close();
    },
  };
}
