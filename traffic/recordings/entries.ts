import { createReadStream } from "node:fs";

/** Why a file cannot be judged. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
  /** What is wrong: words that follow the name of the file. */
  readonly what: string;
  /** Name of the file, if it is known. */
  readonly file: string;

  constructor(what: string, file = "") {
    super(file === "" ? what : `${file}: ${what}`);
    this.what = what;
    this.file = file;
  }
}

/** An entry of a recording, or a mark that it is too long to be read. */
export type EntryText = { readonly text: string } | { readonly tooLong: true };

/** The longest entry that is read, in bytes. */
const longestEntry = 64 * 2 ** 20;

const [quote, backslash, openObject, closeObject, openList, closeList, comma, colon] = [...'"\\{}[],:'].map((one) =>
  one.charCodeAt(0),
);

/**
 * The entries of a HAR file (`log.entries`) one after the other: no more of the file is in memory than one of them.
 * Throws RecordingError if the file is no JSON object, ends early, or has no entries.
 */
export async function* entriesOf(path: string): AsyncGenerator<EntryText> {
  const scan = createScan();
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 18 })) yield* scan.take(chunk as Buffer);
  scan.end();
}

interface Scan {
  readonly take: (chunk: Buffer) => Iterable<EntryText>;
  readonly end: () => void;
}

const createScan = (): Scan => {
  /** The closing brackets of the open ones, outermost first. */
  const open: number[] = [];
  /** The last key of each of the outer objects. */
  const keys: string[] = [];
  let inText = false;
  let isEscaped = false;
  let isKey = false;
  let word: Buffer[] = [];
  let entry: Buffer[] | undefined;
  let size = 0;
  let count = 0;
  let isDone = false;
  let hasEntries = false;
  let isFirst = true;

  const isEntries = (): boolean =>
    open.length === 3 && open[2] === closeList && keys[0] === "log" && keys[1] === "entries";

  /** Keeps the bytes of the entry that is open. */
  const hold = (bytes: Buffer): void => {
    if (entry === undefined) return;
    size += bytes.length;
    if (size <= longestEntry) entry.push(Buffer.from(bytes));
    else entry = [];
  };

  function* take(whole: Buffer): Iterable<EntryText> {
    const chunk = isFirst && whole.subarray(0, 3).equals(mark) ? whole.subarray(3) : whole;
    if (isFirst && whole.subarray(0, 4).equals(zip)) throw new RecordingError(isZip);
    isFirst = false;
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (inText) {
        const end = endOfText(chunk, at);
        if (isKey && open.length <= 2) word.push(Buffer.from(chunk.subarray(at, Math.min(end, at + 20))));
        at = end;
        if (end >= chunk.length) break;
        inText = false;
        if (isKey && open.length <= 2) keys[open.length - 1] = Buffer.concat(word).toString();
        continue;
      }
      const byte = chunk[at];
      if (byte === quote) {
        inText = true;
        word = [];
        continue;
      }
      if (byte === openObject || byte === openList) {
        if (isDone || (open.length === 0 && byte !== openObject)) throw new RecordingError(notJson);
        if (byte === openObject && isEntries()) {
          entry = [];
          size = 0;
          from = at;
        }
        open.push(byte === openObject ? (closeObject ?? 0) : (closeList ?? 0));
        hasEntries ||= isEntries();
        isKey = byte === openObject;
      } else if (byte === closeObject || byte === closeList) {
        if (open.pop() !== byte) throw new RecordingError(notJson);
        isKey = false;
        if (open.length === 0) isDone = true;
        if (isEntries() && entry !== undefined) {
          hold(chunk.subarray(from, at + 1));
          count += 1;
          yield size > longestEntry ? { tooLong: true } : { text: Buffer.concat(entry).toString() };
          entry = undefined;
        }
      } else if (byte === comma) isKey = open.at(-1) === closeObject;
      else if (byte === colon) isKey = false;
      else if (open.length === 0 && byte !== undefined && byte > 32) throw new RecordingError(notJson);
    }
    hold(chunk.subarray(from));
  }

  /** The place of the quote that ends a text, or the end of the chunk. */
  const endOfText = (chunk: Buffer, start: number): number => {
    let at = start;
    if (isEscaped) {
      isEscaped = false;
      at += 1;
    }
    for (;;) {
      const end = chunk.indexOf(quote ?? 0, at);
      const stop = end < 0 ? chunk.length : end;
      let slashes = 0;
      while (stop - 1 - slashes >= at && chunk[stop - 1 - slashes] === backslash) slashes += 1;
      if (slashes % 2 === 0) return stop;
      if (end < 0) {
        isEscaped = true;
        return stop;
      }
      at = end + 1;
      if (at >= chunk.length) return chunk.length;
    }
  };

  return {
    take,
    end: () => {
      if (isFirst) throw new RecordingError("is empty");
      if (!isDone) {
        throw new RecordingError(
          open.length === 0
            ? notJson
            : `ends early, after ${count} whole entries: it was cut, or is still being written`,
        );
      }
      if (!hasEntries) throw new RecordingError("is JSON, but no HAR file: it has no log.entries");
    },
  };
};

const notJson = "is not a HAR file: it is not one JSON object";

/** A byte order mark, which some tools write. */
const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Playwright writes its recordings into an archive where their name ends with .zip. */
const zip = Buffer.from("PK\u0003\u0004");

const isZip = "is a zip archive: unpack it into a folder, and judge the .har file in it";
