import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import type { HostileTarget, Running } from "../hostile-target.ts";
import { listening, onceRequested, pour, sockets } from "../listening.ts";
import { isSuccess, obedientBut, obedientButFor, withBody, type Answer, type Call } from "../obedient-but.ts";

/** The answers to requests for a token, as they stand on the wire. */
const instead =
  (bytes: string): (() => Promise<Running>) =>
  () =>
    onceRequested((socket) => socket.end(bytes, "latin1"));

/** Obeys; what goes over the wire for a success of the list is written by hand. */
const listAs =
  (write: (answer: Answer, call: Call) => void): (() => Promise<Running>) =>
  () =>
    obedientBut(async (call) => {
      const answer = await call.obedient();
      if (call.operation !== "listBatches" || !isSuccess(answer)) return call.send(answer);
      write(answer, call);
    });

const rawList = (head: (answer: Answer) => string, body: (answer: Answer) => string | Buffer = ({ body: b }) => b) =>
  listAs((answer, { request: { socket } }) => {
    socket.write(head(answer), "latin1");
    socket.end(body(answer));
  });

const json = "content-type: application/json\r\n";
const token = '{"token":"abcdefghijkl"}';
const missingList = ["BATCH-06", "BATCH-07", "BATCH-08", "BATCH-09"] as const;

/** Responses that are not HTTP, or hardly. */
export const protocol: readonly HostileTarget[] = [
  { id: "another-protocol", does: "Speaks SSH.", exits: [3], start: instead("SSH-2.0-OpenSSH_9.7\r\n") },
  {
    id: "banner-first",
    does: "Sends a greeting before any request.",
    exits: [3],
    start: () => sockets((socket) => socket.write("220 mail ready\r\n")),
  },
  {
    id: "status-line-broken",
    does: "Leaves the status out of the status line.",
    exits: [3],
    start: instead("HTTP/1.1 OK\r\n\r\n"),
  },
  {
    id: "status-word",
    does: "Has a word for the status.",
    exits: [3],
    start: instead(`HTTP/1.1 abc OK\r\n${json}\r\n${token}`),
  },
  {
    id: "http-2-line",
    does: "Claims HTTP/2 in a status line.",
    exits: [3],
    start: instead(`HTTP/2 200\r\n${json}\r\n${token}`),
  },
  {
    id: "http-9-line",
    does: "Claims HTTP/9.9 in a status line.",
    exits: [3],
    start: instead(`HTTP/9.9 200 OK\r\n${json}\r\n${token}`),
  },
  {
    id: "status-999",
    exits: [1],
    also: "any",
    does: "Answers every request with the status 999.",
    start: instead(`HTTP/1.1 999 No\r\n${json}content-length: 24\r\n\r\n${token}`),
  },
  {
    id: "status-099",
    does: "Answers every request with the status 099.",
    exits: [3],
    start: instead(`HTTP/1.1 099 No\r\n${json}\r\n${token}`),
  },
  {
    id: "status-999-in-list",
    exits: [3],
    does: "Obeys, and answers the list with the status 999.",
    start: rawList(
      ({ body }) => `HTTP/1.1 999 Odd\r\n${json}content-length: ${body.length}\r\nconnection: close\r\n\r\n`,
    ),
  },
  {
    id: "lengths-differ",
    does: "Obeys, and gives the list two lengths.",
    exits: [1],
    blamed: ["HTTP-05"],
    start: rawList(
      ({ body }) =>
        `HTTP/1.1 200 OK\r\n${json}content-length: ${body.length}\r\ncontent-length: ${body.length + 9}\r\n\r\n`,
    ),
  },
  {
    id: "length-too-long",
    does: "Obeys, and announces more of the list than it sends.",
    exits: [1],
    blamed: ["HTTP-02"],
    also: missingList,
    start: rawList(({ body }) => `HTTP/1.1 200 OK\r\n${json}content-length: ${body.length + 100}\r\n\r\n`),
  },
  {
    id: "refusal-too-long",
    does: "Obeys, announces more of each refusal than it sends, and keeps the connection open.",
    exits: [1],
    blamed: ["HTTP-05"],
    within: 25,
    start: () =>
      obedientBut(async (call) => {
        const answer = await call.obedient();
        if (answer.status < 400) return call.send(answer);
        const length = String(answer.body.length + 20);
        call.response.writeHead(answer.status, { ...answer.headers, "content-length": length }).write(answer.body);
      }),
  },
  {
    id: "length-too-short",
    does: "Obeys, and announces less of the list than it sends.",
    exits: [1],
    blamed: ["HTTP-02"],
    also: [...missingList, "HTTP-05"],
    start: rawList(({ body }) => `HTTP/1.1 200 OK\r\n${json}content-length: ${body.length - 5}\r\n\r\n`),
  },
  {
    id: "length-negative",
    does: "Obeys, and gives the list a negative length.",
    exits: [1],
    blamed: ["HTTP-05"],
    start: rawList(() => `HTTP/1.1 200 OK\r\n${json}content-length: -1\r\n\r\n`),
  },
  {
    id: "length-and-chunks",
    blamed: ["HTTP-05"],
    also: ["HTTP-02"],
    does: "Obeys, and gives the list both a length and chunks.",
    exits: [1],
    start: rawList(
      ({ body }) => `HTTP/1.1 200 OK\r\n${json}content-length: ${body.length}\r\ntransfer-encoding: chunked\r\n\r\n`,
      ({ body }) => `${body.length.toString(16)}\r\n${body.toString("latin1")}\r\n0\r\n\r\n`,
    ),
  },
  {
    id: "chunk-size-broken",
    blamed: ["HTTP-02"],
    also: ["HTTP-05", ...missingList],
    does: "Obeys, and sends the list in a chunk whose size is not a number.",
    exits: [1],
    start: rawList(
      () => `HTTP/1.1 200 OK\r\n${json}transfer-encoding: chunked\r\n\r\n`,
      () => "zz\r\n{}\r\n0\r\n\r\n",
    ),
  },
  {
    id: "chunk-missing",
    does: "Obeys, and leaves out the last chunk of the list.",
    exits: [1],
    blamed: ["HTTP-02"],
    also: missingList,
    start: rawList(
      () => `HTTP/1.1 200 OK\r\n${json}transfer-encoding: chunked\r\n\r\n`,
      ({ body }) => `${body.length.toString(16)}\r\n${body.toString("latin1")}\r\n`,
    ),
  },
  {
    id: "chunk-extension-endless",
    exits: [1],
    blamed: ["HTTP-05"],
    options: ["--timeout", "500ms"],
    does: "Obeys, and sends chunk extensions without end before the list.",
    within: 25,
    start: listAs((_answer, { request: { socket } }) => {
      socket.write(`HTTP/1.1 200 OK\r\n${json}transfer-encoding: chunked\r\n\r\n2;`);
      pour(socket, Buffer.alloc(65_536, "x"));
    }),
  },
  {
    id: "header-megabyte",
    does: "Sends a header field of a megabyte with every answer.",
    exits: [3],
    start: instead(`HTTP/1.1 200 OK\r\n${json}x-long: ${"a".repeat(1_000_000)}\r\n\r\n${token}`),
  },
  {
    id: "header-ten-thousand",
    exits: [0],
    does: "Sends ten thousand header fields with every answer of the list.",
    also: ["HTTP-05"],
    start: rawList(
      ({ body }) =>
        `HTTP/1.1 200 OK\r\n${json}${"x-a: b\r\n".repeat(10_000)}content-length: ${body.length}\r\nconnection: close\r\n\r\n`,
    ),
  },
  {
    id: "header-nul",
    does: "Obeys, and has a NUL in a header field of the list.",
    exits: [1],
    blamed: ["HTTP-05"],
    start: rawList(({ body }) => `HTTP/1.1 200 OK\r\n${json}x-a: b\0c\r\ncontent-length: ${body.length}\r\n\r\n`),
  },
  {
    id: "header-without-colon",
    does: "Obeys, and has a header line without a colon in the list.",
    exits: [1],
    blamed: ["HTTP-05"],
    start: rawList(({ body }) => `HTTP/1.1 200 OK\r\n${json}nonsense\r\ncontent-length: ${body.length}\r\n\r\n`),
  },
  {
    id: "header-escapes",
    exits: [0],
    does: "Obeys, with terminal escapes and bytes beyond ASCII in reason and header of the list.",
    also: ["HTTP-05"],
    start: rawList(
      ({ body }) =>
        `HTTP/1.1 200 \u009b31mred\xff\r\n${json}x-request-id: \u009b2J\xe4\xf6\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
    ),
  },
  {
    id: "hints-flood",
    exits: [0],
    does: "Sends five thousand early hints before each answer of the list.",
    also: ["HTTP-05"],
    start: rawList(
      ({ body }) =>
        `${"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(5000)}HTTP/1.1 200 OK\r\n${json}content-length: ${body.length}\r\nconnection: close\r\n\r\n`,
    ),
  },
  {
    id: "continue-endless",
    does: "Answers each request with 100 Continue, for ever.",
    exits: [3],
    start: () => onceRequested((socket) => pour(socket, "HTTP/1.1 100 Continue\r\n\r\n".repeat(500))),
  },
  {
    id: "switches-protocols",
    does: "Answers each request with 101 Switching Protocols.",
    exits: [3],
    start: instead("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
  },
  {
    id: "http-1.0",
    does: "Obeys, in HTTP/1.0 with bodies that end with the connection.",
    exits: [0],
    start: () =>
      obedientBut(async (call) => {
        const { status, headers, body } = await call.obedient();
        call.request.socket.write(`HTTP/1.0 ${status} Fine\r\ncontent-type: ${headers["content-type"] ?? ""}\r\n\r\n`);
        call.request.socket.end(body);
      }),
  },
  {
    id: "redirects-elsewhere",
    does: "Redirects every request to another server, which must never get a request.",
    exits: [3],
    says: /Redirects are not followed/,
    start: () => redirecting((other) => other),
  },
  {
    id: "redirects-to-itself",
    does: "Redirects every request to the same address, for ever.",
    exits: [3],
    says: /Redirects are not followed/,
    start: () => redirecting(() => "/auth/token"),
  },
  {
    id: "redirects-the-list",
    exits: [3],
    does: "Obeys, and redirects the list to another server, which must never get a request.",
    start: () => redirecting((other) => other, "listBatches"),
  },
  {
    id: "gzip-bomb",
    does: "Obeys, and sends a list that unpacks to a gigabyte.",
    exits: [3],
    says: /--max-body/,
    options: ["--max-body", "16MiB"],
    start: () => {
      const bomb = bombOf(1024);
      return obedientButFor((answer, { operation }) =>
        operation === "listBatches" && isSuccess(answer) ? coded(answer, bomb) : answer,
      );
    },
  },
  {
    id: "gzip-broken",
    does: "Obeys, and damages the packed list.",
    exits: [1],
    blamed: ["HTTP-02"],
    also: missingList,
    start: () =>
      obedientButFor((answer, { operation }) => {
        if (operation !== "listBatches" || !isSuccess(answer)) return answer;
        const packed = gzipSync(answer.body);
        packed.fill(0x55, 12, 20);
        return coded(answer, packed);
      }),
  },
  {
    id: "gzip-claimed",
    exits: [1],
    blamed: ["HTTP-02"],
    does: "Obeys, and says of every answer that it is packed, which it is not.",
    start: () => obedientButFor((answer) => coded(answer, answer.body)),
  },
  {
    id: "coding-unknown",
    does: "Obeys, and encodes the list in a way that was not requested.",
    exits: [1],
    blamed: ["HTTP-02"],
    also: missingList,
    start: () =>
      obedientButFor((answer, { operation }) =>
        operation === "listBatches" && isSuccess(answer)
          ? { ...answer, headers: { ...answer.headers, "content-encoding": "constructor" } }
          : answer,
      ),
  },
  {
    id: "codings-many",
    does: "Obeys, and claims a thousand layers of packing for the list.",
    exits: [1],
    blamed: ["HTTP-02"],
    also: missingList,
    start: () =>
      obedientButFor((answer, { operation }) =>
        operation === "listBatches" && isSuccess(answer)
          ? coded(answer, gzipSync(answer.body), "gzip,".repeat(1000))
          : answer,
      ),
  },
  {
    id: "answers-unasked",
    does: "Sends an answer as each connection is made, before any request.",
    exits: [1, 3],
    within: 20,
    options: ["--only", "AUTH-01,BATCH-20"],
    start: () =>
      sockets((socket) => {
        socket.on("data", () => undefined);
        socket.write(`HTTP/1.1 200 OK\r\n${json}content-length: ${token.length}\r\n\r\n${token}`);
      }),
  },
  {
    id: "answers-twice",
    exits: [0],
    does: "Obeys, and sends every answer twice.",
    also: ["HTTP-02", "HTTP-05"],
    within: 25,
    start: () =>
      obedientBut(async (call) => {
        const { status, headers, body } = await call.obedient();
        const head = `HTTP/1.1 ${status} OK\r\n${Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join("")}\r\n`;
        const bytes = Buffer.concat([Buffer.from(head), body]);
        call.request.socket.write(Buffer.concat([bytes, bytes]));
        // The next request on this connection is read only once this one counts as answered.
        call.response.destroy = () => call.response;
      }),
  },
  {
    id: "answers-crossed",
    blamed: ["OPER-15"],
    also: "any",
    does: "Gives each creation of an operation the answer to the one before it.",
    exits: [1],
    start: () => {
      let before: Answer | undefined;
      return obedientButFor((answer, { operation }) => {
        if (operation !== "createOperation" || !isSuccess(answer)) return answer;
        const given = before ?? answer;
        before = answer;
        return given;
      });
    },
  },
];

const coded = (answer: Answer, packed: Buffer, coding = "gzip"): Answer => {
  const other = withBody(answer, packed);
  return { ...other, headers: { ...other.headers, "content-encoding": coding } };
};

/** So many megabytes of blanks, packed. */
const bombOf = (megabytes: number): Buffer => {
  // A gzip file may consist of several members.
  const member = gzipSync(Buffer.alloc(1_048_576, " "), { level: 9 });
  return Buffer.concat(Array<Buffer>(megabytes).fill(member));
};

/** Redirects requests, and complains where the other server got a request. */
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
