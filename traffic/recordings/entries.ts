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

/**
 * The entries of a HAR file (`log.entries`) one after the other: no more of the file is in memory than one of them.
 * Throws RecordingError if the file is no JSON object, ends early, or has no entries.
 */
export async function* entriesOf(path: string): AsyncGenerator<string> {
  const scan = createScan();
  let chunks = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 18 })) {
    const bytes = chunk as Buffer;
    const isFirst = (chunks += 1) === 1;
    if (isFirst && bytes.subarray(0, zip.length).equals(zip)) throw new RecordingError(isZip);
    yield* scan.take(isFirst && bytes.subarray(0, mark.length).equals(mark) ? bytes.subarray(mark.length) : bytes);
  }
  if (chunks === 0) throw new RecordingError("is empty");
  scan.end();
}

/** Finds the entries by the brackets of the file. The texts of an entry are not parsed, only passed over. */
const createScan = () => {
  /** The closing brackets of the open ones, outermost first, and the last text of each of the outer objects. */
  const open: number[] = [];
  const keys: string[] = [];
  let [inText, isEscaped, word] = [false, false, ""];
  /** The bytes of the entry that is open. */
  let entry: Buffer[] | undefined;
  let [count, isDone, hasEntries] = [0, false, false];
  const isEntries = (): boolean =>
    open.length === 3 && open[2] === closeList && keys[0] === "log" && keys[1] === "entries";

  const takeText = (byte: number): void => {
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) isEscaped = true;
    else if (byte === quote) inText = false;
    if (open.length > 2) return;
    if (inText && word.length < longestKey) word += String.fromCharCode(byte);
  };
  const takeOther = (byte: number): void => {
    if (byte === quote) [inText, word] = [true, ""];
    else if (byte === colon && open.length <= 2) keys[open.length - 1] = word;
    else if (open.length === 0 && byte > space) throw new RecordingError(notJson);
  };

  return {
    *take(chunk: Buffer): Generator<string> {
      let from = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] ?? 0;
        if (inText) takeText(byte);
        else if (byte === openObject || byte === openList) {
          if (isDone || (open.length === 0 && byte === openList)) throw new RecordingError(notJson);
          if (byte === openObject && isEntries()) [entry, from] = [[], at];
          // In ASCII, a closing bracket comes two after the opening one.
          open.push(byte + 2);
          hasEntries ||= isEntries();
        } else if (byte === closeObject || byte === closeList) {
          if (open.pop() !== byte) throw new RecordingError(notJson);
          isDone = open.length === 0;
          if (!isEntries() || entry === undefined) continue;
          count += 1;
          yield Buffer.concat([...entry, chunk.subarray(from, at + 1)]).toString();
          entry = undefined;
        } else takeOther(byte);
      }
      entry?.push(chunk.subarray(from));
    },
    end: (): void => {
      if (!isDone && open.length > 0)
        throw new RecordingError(`ends early, after ${count} whole entries: it was cut, or is still being written`);
      if (!isDone) throw new RecordingError(notJson);
      if (!hasEntries) throw new RecordingError("is JSON, but no HAR file: it has no log.entries");
    },
  };
};

const [quote, backslash, openObject, closeObject, openList, closeList, colon, space] = [...'"\\{}[]: '].map((one) =>
  one.charCodeAt(0),
) as [number, number, number, number, number, number, number, number];

/** Characters of a key above which it is not one that is looked for. */
const longestKey = 20;

const notJson = "is not a HAR file: it is not one JSON object";

/** A byte order mark, which some tools write. */
const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Playwright writes its recordings into an archive where their name ends with .zip. */
const zip = Buffer.from("PK\u0003\u0004");

const isZip = "is a zip archive: unpack it into a folder, and judge the .har file in it";
