import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { sound } from "../../model/testing/exchanges.ts";
import { operationNames, type OperationName } from "../../spec/operations.ts";

/** The bytes of a response with a few mistakes, and how they are sent. */
export interface BrokenResponse {
  readonly operation: OperationName;
  readonly bytes: Buffer;
  /** The number of bytes after which there is a pause. */
  readonly cut: number;
  /** The connection stays open after the last byte. */
  readonly staysOpen: boolean;
}

function joined(version: string, line: string, fields: readonly string[], body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(
      [`HTTP/${version} ${line}`, "content-type: application/json", ...fields, "", ""].join("\r\n"),
    ),
    body,
  ]);
}

function chunk(part: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]);
}

const framings: readonly ((line: string, body: Buffer) => Buffer)[] = [
  (line, body) =>
    joined("1.1", line, [`content-length: ${body.length}`, "x-request-id: r-1"], body),
  (line, body) => {
    const chunks = [
      chunk(body.subarray(0, 20)),
      chunk(body.subarray(20)),
      Buffer.from("0\r\nx-trailer: t\r\n\r\n"),
    ];
    return joined("1.1", line, ["transfer-encoding: chunked"], Buffer.concat(chunks));
  },
  (line, body) => joined("1.0", line, [], body),
  (line, body) => {
    const packed = gzipSync(body);
    return joined(
      "1.1",
      line,
      ["content-encoding: gzip", `content-length: ${packed.length}`],
      packed,
    );
  },
  (line, body) => {
    const response = joined(
      "1.1",
      line,
      [`content-length: ${body.length}`, "date: Thu, 01 Jan 2026 00:00:00 GMT"],
      body,
    );
    return Buffer.concat([Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"), response]);
  },
];

const refusal = JSON.stringify({ message: "no – “nein”", code: 7 });

/** A success and a refusal of each operation, with Content-Length or chunked, and so on. */
const good = operationNames.flatMap((operation) =>
  framings.flatMap((frame) => [
    { operation, bytes: frame("200 OK", Buffer.from(JSON.stringify(sound[operation].response))) },
    { operation, bytes: frame("400 Bad Request", Buffer.from(refusal)) },
  ]),
);

/** Words that parsers treat specially. */
const words = [
  "\r\n",
  "\0",
  "\xff\xfe",
  "\xed\xa0\x80",
  '"',
  "{",
  "[",
  "[[[[[[[[",
  "null",
  "-1",
  "99999999999999999999",
  '"__proto__":',
  '"constructor":{"prototype":1},',
  '"\\ud800"',
  "\\u0000",
  "HTTP/1.1 200 OK\r\n",
  "HTTP/1.1 100 Continue\r\n\r\n",
  "content-length: 0\r\n",
  "content-length: 99999999999\r\n",
  "transfer-encoding: gzip, chunked\r\n",
  "content-encoding: br\r\n",
  "connection: upgrade\r\nupgrade: x\r\n",
  "retry-after: -1\r\n",
  "date: x\r\n",
  "fffffffffffffffff\r\n",
  "0\r\n\r\n",
];

const digit = fc.nat(9).map((n) => Buffer.from(String(n)));
const byte = fc.nat(255).map((n) => Buffer.from([n]));
const word = fc.constantFrom(...words).map((text) => Buffer.from(text, "latin1"));
const partOfAnother = fc
  .tuple(fc.constantFrom(...good), fc.nat(400), fc.nat(40))
  .map(([{ bytes }, at, size]) => bytes.subarray(at, at + size));

/** Draws a mistake: the bytes at a place, up to all that follow, are replaced by others. */
const mistake = fc.record({
  at: fc.noBias(fc.nat(1000)),
  size: fc.noBias(fc.oneof({ weight: 9, arbitrary: fc.nat(2) }, fc.nat(40), fc.constant(Infinity))),
  piece: fc.oneof(fc.constant(Buffer.alloc(0)), byte, digit, word, partOfAnother),
});

export const brokenResponse: fc.Arbitrary<BrokenResponse> = fc
  .record({
    response: fc.constantFrom(...good),
    mistakes: fc.array(mistake, { minLength: 1, maxLength: 4 }),
    cut: fc.oneof({ weight: 3, arbitrary: fc.constant(Infinity) }, fc.nat(600)),
    staysOpen: fc.nat(39).map((n) => n === 39),
  })
  .map(({ response: { operation, bytes }, mistakes, ...how }) => ({
    operation,
    ...how,
    bytes: mistakes.reduce((made, { at, size, piece }) => {
      const from = at % (made.length + 1);
      return Buffer.concat([made.subarray(0, from), piece, made.subarray(from + size)]);
    }, bytes),
  }));
