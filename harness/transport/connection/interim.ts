import type { Socket } from "node:net";
import type { buildConnector } from "undici";

/** An interim response (1xx), or the beginning of one; not 101, after which no HTTP follows. */
const isInterim = (bytes: Buffer): boolean => {
  const beginning = bytes.toString("latin1", 0, statusLine.length);
  return /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]$/.test(beginning + statusLine.slice(beginning.length));
};

const statusLine = "HTTP/1.1 100 ";

/** A longer head is passed on as it is: the parser reports it. */
const longestHead = 16_384;

/**
 * The connector, with sockets that drop interim responses. A server may send `100 Continue` without being asked to, and
 * every client must be able to parse it (RFC 9110, 15.2); undici ends the connection instead.
 */
export const withoutInterim =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) => {
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null) leaveOutInterim(socket);
      callback(...result);
    });
  };

const leaveOutInterim = (socket: Socket): void => {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  /** The beginning of a possible interim response. */
  let held: Buffer | null = null;
  socket.read = (size?: number): Buffer | null => {
    for (let rest: Buffer | null = null; ;) {
      const next: Buffer | null = rest ?? read(size);
      const chunk: Buffer | null = held === null || next === null ? next : Buffer.concat([held, next]);
      if (chunk === null) return null;
      held = null;
      if (!isInterim(chunk) || chunk.length > longestHead) return chunk;
      const end: number = chunk.indexOf("\r\n\r\n");
      if (end < 0) held = chunk;
      rest = end < 0 || end + 4 === chunk.length ? null : chunk.subarray(end + 4);
    }
  };
};
