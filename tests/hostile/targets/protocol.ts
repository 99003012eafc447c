import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import {
  conformant,
  either,
  inconclusive,
  nonconformant,
  type HostileTarget,
  type Running,
} from "../hostile-target.ts";
import { listening, onceRequested, pour, sockets } from "../listening.ts";
import {
  listAs,
  obedientBut,
  obedientButFor,
  obedientButIn,
  withBody,
  type Answer,
  type Call,
} from "../obedient-but.ts";

/** Sends these raw bytes instead of the response to a token request. */
const instead =
  (bytes: string): (() => Promise<Running>) =>
  () =>
    onceRequested((socket) => socket.end(bytes, "latin1"));

const rawList = (head: (answer: Answer) => string, body: (answer: Answer) => string | Buffer = ({ body: b }) => b) =>
  listAs((answer, { request: { socket } }) => {
    socket.write(head(answer), "latin1");
    socket.end(body(answer));
  });

const json = "content-type: application/json\r\n";
const token = '{"token":"abcdefghijkl"}';
const missingList = ["BATCH-06", "BATCH-07", "BATCH-08", "BATCH-09"] as const;

/** Responses that violate HTTP. */
export const protocol: readonly HostileTarget[] = [
  inconclusive("another-protocol", "Speaks SSH.").by(instead("SSH-2.0-OpenSSH_9.7\r\n")),
  inconclusive("banner-first", "Sends a greeting before any request.").by(() =>
    sockets((socket) => socket.write("220 mail ready\r\n")),
  ),
  nonconformant("status-999", "Answers every request with the status 999.", { also: "any" }).by(
    instead(`HTTP/1.1 999 No\r\n${json}content-length: 24\r\n\r\n${token}`),
  ),
  nonconformant("lengths-differ", "Obeys, and sends the list with two different Content-Lengths.", {
    blamed: ["HTTP-05"],
    inSmoke: true,
  }).by(
    rawList(
      ({ body }) =>
        `HTTP/1.1 200 OK\r\n${json}content-length: ${body.length}\r\ncontent-length: ${body.length + 9}\r\n\r\n`,
    ),
  ),
  nonconformant("length-too-long", "Obeys, and announces more of the list than it sends.", {
    blamed: ["HTTP-02"],
    also: missingList,
    inSmoke: true,
  }).by(rawList(({ body }) => `HTTP/1.1 200 OK\r\n${json}content-length: ${body.length + 100}\r\n\r\n`)),
  nonconformant(
    "refusal-too-long",
    "Obeys, announces more of each refusal than it sends, and keeps the connection open.",
    { blamed: ["HTTP-05"], within: 25 },
  ).by(() =>
    obedientBut(async (call) => {
      const answer = await call.obedient();
      if (answer.status < 400) return call.send(answer);
      const length = String(answer.body.length + 20);
      call.response.writeHead(answer.status, { ...answer.headers, "content-length": length }).write(answer.body);
    }),
  ),
  nonconformant("length-and-chunks", "Obeys, and sends the list chunked and with a Content-Length.", {
    blamed: ["HTTP-05"],
    also: ["HTTP-02"],
    inSmoke: true,
  }).by(
    rawList(
      ({ body }) => `HTTP/1.1 200 OK\r\n${json}content-length: ${body.length}\r\ntransfer-encoding: chunked\r\n\r\n`,
      ({ body }) => `${body.length.toString(16)}\r\n${body.toString("latin1")}\r\n0\r\n\r\n`,
    ),
  ),
  nonconformant("chunk-size-broken", "Obeys, and sends the list in a chunk whose size is not a number.", {
    blamed: ["HTTP-02"],
    also: ["HTTP-05", ...missingList],
    inSmoke: true,
  }).by(
    rawList(
      () => `HTTP/1.1 200 OK\r\n${json}transfer-encoding: chunked\r\n\r\n`,
      () => "zz\r\n{}\r\n0\r\n\r\n",
    ),
  ),
  nonconformant("chunk-extension-endless", "Obeys, and sends endless chunk extensions before the list.", {
    blamed: ["HTTP-05"],
    options: ["--timeout", "500ms"],
    within: 25,
    inSmoke: true,
  }).by(
    listAs((_answer, { request: { socket } }) => {
      socket.write(`HTTP/1.1 200 OK\r\n${json}transfer-encoding: chunked\r\n\r\n2;`);
      pour(socket, Buffer.alloc(65_536, "x"));
    }),
  ),
  inconclusive("header-megabyte", "Sends a header field of a megabyte with every response.").by(
    instead(`HTTP/1.1 200 OK\r\n${json}x-long: ${"a".repeat(1_000_000)}\r\n\r\n${token}`),
  ),
  conformant("header-ten-thousand", "Sends ten thousand header fields with every list.", {
    also: ["HTTP-05"],
    inSmoke: true,
  }).by(
    rawList(
      ({ body }) =>
        `HTTP/1.1 200 OK\r\n${json}${"x-a: b\r\n".repeat(10_000)}content-length: ${body.length}\r\nconnection: close\r\n\r\n`,
    ),
  ),
  nonconformant("header-nul", "Obeys, and sends a NUL in a header field of the list.", {
    blamed: ["HTTP-05"],
    inSmoke: true,
  }).by(rawList(({ body }) => `HTTP/1.1 200 OK\r\n${json}x-a: b\0c\r\ncontent-length: ${body.length}\r\n\r\n`)),
  conformant(
    "header-escapes",
    "Obeys, with terminal escapes and non-ASCII bytes in the reason phrase and a header field of the list.",
    { also: ["HTTP-05"], inSmoke: true },
  ).by(
    rawList(
      ({ body }) =>
        `HTTP/1.1 200 \u009b31mred\xff\r\n${json}x-request-id: \u009b2J\xe4\xf6\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
    ),
  ),
  conformant("hints-flood", "Sends five thousand early hints before each list.", {
    also: ["HTTP-05"],
    inSmoke: true,
  }).by(
    rawList(
      ({ body }) =>
        `${"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(5000)}HTTP/1.1 200 OK\r\n${json}content-length: ${body.length}\r\nconnection: close\r\n\r\n`,
    ),
  ),
  inconclusive("continue-endless", "Answers each request with 100 Continue, forever.").by(() =>
    onceRequested((socket) => pour(socket, "HTTP/1.1 100 Continue\r\n\r\n".repeat(500))),
  ),
  inconclusive("switches-protocols", "Answers each request with 101 Switching Protocols.").by(
    instead("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
  ),
  conformant("http-1.0", "Obeys, in HTTP/1.0, and ends bodies by closing the connection.").by(() =>
    obedientBut(async (call) => {
      const { status, headers, body } = await call.obedient();
      call.request.socket.write(`HTTP/1.0 ${status} Fine\r\ncontent-type: ${headers["content-type"] ?? ""}\r\n\r\n`);
      call.request.socket.end(body);
    }),
  ),
  inconclusive("redirects-elsewhere", "Redirects every request to another server, which must never get a request.", {
    says: /Redirects are not followed/,
  }).by(() => redirecting((other) => other)),
  inconclusive(
    "redirects-the-list",
    "Obeys, and redirects the list to another server, which must never get a request.",
    { inSmoke: true },
  ).by(() => redirecting((other) => other, "listBatches")),
  inconclusive("gzip-bomb", "Obeys, and sends a gzip list that decompresses to a gigabyte.", {
    says: /--max-body/,
    options: ["--max-body", "16MiB"],
    inSmoke: true,
  }).by(() => {
    const bomb = bombOf(1024);
    return obedientButIn("listBatches", (answer) => coded(answer, bomb))();
  }),
  nonconformant("gzip-broken", "Obeys, and sends a corrupt gzip list.", {
    blamed: ["HTTP-02"],
    also: missingList,
    inSmoke: true,
  }).by(
    obedientButIn("listBatches", (answer) => {
      const packed = gzipSync(answer.body);
      packed.fill(0x55, 12, 20);
      return coded(answer, packed);
    }),
  ),
  nonconformant(
    "gzip-claimed",
    "Obeys, and sends Content-Encoding: gzip with every response, without compressing it.",
    {
      blamed: ["HTTP-02"],
    },
  ).by(() => obedientButFor((answer) => coded(answer, answer.body))),
  nonconformant("coding-unknown", "Obeys, and sends the list with a Content-Encoding that was not requested.", {
    blamed: ["HTTP-02"],
    also: missingList,
    inSmoke: true,
  }).by(obedientButIn("listBatches", (answer) => coded(answer, answer.body, "constructor"))),
  either([1, 3], "answers-unasked", "Sends a response on each new connection, before any request.", {
    within: 20,
    options: ["--only", "AUTH-01,BATCH-20"],
  }).by(() =>
    sockets((socket) => {
      socket.on("data", () => undefined);
      socket.write(`HTTP/1.1 200 OK\r\n${json}content-length: ${token.length}\r\n\r\n${token}`);
    }),
  ),
  conformant("answers-twice", "Obeys, and sends every response twice.", {
    also: ["HTTP-02", "HTTP-05"],
    within: 25,
  }).by(() =>
    obedientBut(async (call) => {
      const { status, headers, body } = await call.obedient();
      const head = `HTTP/1.1 ${status} OK\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n`;
      const bytes = Buffer.concat([Buffer.from(head), body]);
      call.request.socket.write(Buffer.concat([bytes, bytes]));
      // Node reads the next request on this connection only after the response to this one.
      call.response.destroy = () => call.response;
    }),
  ),
  nonconformant("answers-crossed", "Answers each new operation with the response to the previous one.", {
    blamed: ["OPER-15"],
    also: "any",
  }).by(() => {
    let before: Answer | undefined;
    return obedientButIn("createOperation", (answer) => {
      const given = before ?? answer;
      before = answer;
      return given;
    })();
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
