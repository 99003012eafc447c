import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { conformant, inconclusive, type HostileTarget, type Running } from "../hostile-target.ts";
import { listening } from "../listening.ts";
import { listAs, obedientBut, obedientButIn, withBody, type Answer, type Call } from "../obedient-but.ts";

const rawList = (head: (answer: Answer) => string, body: (answer: Answer) => string | Buffer = ({ body: b }) => b) =>
  listAs((answer, { request: { socket } }) => {
    socket.write(head(answer), "latin1");
    socket.end(body(answer));
  });

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
  inconclusive("redirects-elsewhere", "Redirects every request to another server, which must never get a request.", {
    says: /Redirects are not followed/,
  }).by(() => redirecting((other) => other)),
  inconclusive("gzip-bomb", "Obeys, and sends a gzip list that decompresses to a gigabyte.", {
    says: /--max-body/,
    options: ["--max-body", "16MiB"],
    inSmoke: true,
  }).by(() => {
    const bomb = bombOf(1024);
    return obedientButIn("listBatches", (answer) => coded(answer, bomb))();
  }),
];

const coded = (answer: Answer, packed: Buffer, coding = "gzip"): Answer => {
  const other = withBody(answer, packed);
  return { ...other, headers: { ...other.headers, "content-encoding": coding } };
};

/** Megabytes of spaces, compressed with gzip. */
const bombOf = (megabytes: number): Buffer => {
  // A gzip file may consist of several members.
  const member = gzipSync(Buffer.alloc(1_048_576, " "), { level: 9 });
  return Buffer.concat(Array<Buffer>(megabytes).fill(member));
};

/** Redirects requests to another server, and complains if that one gets a request. */
const redirecting = async (to: (other: string) => string, only?: Call["operation"]): Promise<Running> => {
  const followed: string[] = [];
  const other = await listening(
    createServer((request, response) => {
      followed.push(`${request.method} ${request.url} was sent on to the other server`);
      response.end();
    }),
  );
  const running = await obedientBut(async (call) => {
    if (only !== undefined && call.operation !== only) return call.send(await call.obedient());
    call.response.writeHead(307, { location: to(other.baseUrl) }).end();
  });
  return {
    ...running,
    complaints: () => followed,
    close: async () => {
      await running.close();
      await other.close();
    },
  };
};
