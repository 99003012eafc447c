import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { conformant, inconclusive, type HostileTarget, type Running } from "../hostile-target.ts";
import { listening } from "../listening.ts";
import { instead, rawResponse, successOf, withBytes } from "../../../reference/change.ts";
import { listAs, obedientBut } from "../obedient-but.ts";

const json = "content-type: application/json\r\n";

/** Responses that violate HTTP. */
export const protocol: readonly HostileTarget[] = [
  conformant("hints-flood", "Sends five thousand early hints before each list.", {
    also: ["HTTP-05"],
    inSmoke: true,
  }).by(
    listAs(({ bytes }, socket) => {
      socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(5000));
      const length = `content-length: ${bytes.length}\r\nconnection: close\r\n\r\n`;
      socket.write(`HTTP/1.1 200 OK\r\n${json}${length}`);
      socket.end(bytes);
    }),
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
    obedientBut(
      rawResponse(successOf("listBatches"), (raw) => {
        const packed = withBytes(raw, gigabyte());
        return { ...packed, headers: { ...packed.headers, "content-encoding": "gzip" } };
      }),
    ),
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
  const redirected = { status: 307, headers: { location: other.baseUrl } };
  const running = await obedientBut(instead(() => true, redirected))();
  return {
    ...running,
    complaints: () => followed,
    close: async () => {
      await running.close();
      await other.close();
    },
  };
}
