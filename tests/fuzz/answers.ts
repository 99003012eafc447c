import { gzipSync } from "node:zlib";
import { sound } from "../../model/testing/exchanges.ts";
import { operationNames, type OperationName } from "../../spec/operations.ts";

/** The bytes of a valid response. */
export interface WireAnswer {
  readonly operation: OperationName;
  readonly bytes: Buffer;
}

const message = JSON.stringify({ message: "no – “nein”", code: 7 });

type Frame = (line: string, body: Buffer) => Buffer;

const joined = (version: string, line: string, fields: readonly string[], body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([`HTTP/${version} ${line}`, "content-type: application/json", ...fields, "", ""].join("\r\n")),
    body,
  ]);

const chunks = (body: Buffer): Buffer =>
  Buffer.concat([
    ...[body.subarray(0, 20), body.subarray(20)].flatMap((part) => [
      Buffer.from(`${part.length.toString(16)}\r\n`),
      part,
      Buffer.from("\r\n"),
    ]),
    Buffer.from("0\r\nx-trailer: t\r\n\r\n"),
  ]);

const framings: readonly Frame[] = [
  (line, body) => joined("1.1", line, [`content-length: ${body.length}`, "x-request-id: r-1"], body),
  (line, body) => joined("1.1", line, ["transfer-encoding: chunked"], chunks(body)),
  (line, body) => joined("1.0", line, [], body),
  (line, body) => {
    const packed = gzipSync(body);
    return joined("1.1", line, ["content-encoding: gzip", `content-length: ${packed.length}`], packed);
  },
  (line, body) =>
    Buffer.concat([
      Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"),
      joined("1.1", line, [`content-length: ${body.length}`, "date: Thu, 01 Jan 2026 00:00:00 GMT"], body),
    ]),
];

/** A success and a refusal of each operation, with Content-Length, chunked, and so on. */
export const goodAnswers: readonly WireAnswer[] = operationNames.flatMap((operation) =>
  [
    { line: "200 OK", body: JSON.stringify(sound[operation].response) },
    { line: "400 Bad Request", body: message },
  ].flatMap(({ line, body }) => framings.map((frame) => ({ operation, bytes: frame(line, Buffer.from(body)) }))),
);
