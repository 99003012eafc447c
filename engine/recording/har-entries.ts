import { fileBounds, InputError, openFile } from "../../model/files.ts";
import { createReadStream } from "node:fs";
import { asHeaderWords } from "../../model/evidence/redaction.ts";
import { memberOf, type Json } from "../../spec/json.ts";
import { parsedJson } from "../../model/exchange.ts";

/**
 * The entries of a HAR file (`log.entries`), one after the other, so that memory holds only one of
 * them. Counts brackets to find an entry; what is around the entries is kept, and must be JSON too.
 * Throws InputError if the file is not a HAR file.
 */
export async function* entriesOf(path: string, name: string): AsyncGenerator<Json> {
  const broken = new InputError(
    name,
    "is not well-formed JSON: it was cut, or is still being written",
  );
  const parsed = (bytes: readonly Buffer[]): Json => {
    const json = parsedJson(
      asHeaderWords(
        Buffer.concat(bytes)
          .toString()
          .replace(/^\uFEFF/, ""),
      ),
    );
    if (json === undefined) throw broken;
    return json;
  };
  const frame = createParts(name);
  const entry = createParts(name);
  let isNext = false;
  let depth = 0;
  let inText = false;
  let isEscaped = false;
  const fd = openFile(path, { most: fileBounds.recording });
  for await (const chunk of createReadStream("", {
    fd,
    highWaterMark: 2 ** 18,
  }) as AsyncIterable<Buffer>) {
    if (frame.all().length === 0) refuseOther(chunk, name);
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (inText) {
        inText = isEscaped || byte !== quote;
        isEscaped = !isEscaped && byte === backslash;
      } else if (byte === quote) inText = true;
      else if (byte === openObject || byte === openList) {
        depth += 1;
        if (depth !== entryDepth) continue;
        // Of a long list of entries, the frame shows the first one.
        isNext = chunk.toString("latin1", from, at).trim() === ",";
        if (!isNext) frame.add(chunk.subarray(from, at));
        from = at;
      } else if (byte === closeObject || byte === closeList) {
        depth -= 1;
        if (depth !== entryDepth - 1) continue;
        entry.add(chunk.subarray(from, at + 1));
        const json = parsed(entry.taken());
        // Pages (`log.pages`) are nested as deep as entries, but have no request.
        if (memberOf(json, "request") !== undefined) yield json;
        if (!isNext) frame.add(Buffer.from("0"));
        from = at + 1;
      }
    }
    (depth < entryDepth ? frame : entry).add(chunk.subarray(from));
  }
  if (frame.all().length === 0) throw new InputError(name, "is empty");
  if (
    !Array.isArray(memberOf(memberOf(parsed([...frame.all(), ...entry.all()]), "log"), "entries"))
  )
    throw new InputError(name, "is JSON, but no HAR file: it has no log.entries");
}

/** Parts of a recording that are held in memory. `add` throws InputError if they are too long. */
function createParts(name: string) {
  let parts: Buffer[] = [];
  let size = 0;
  const longest = `${fileBounds.entry / 2 ** 20} MiB`;
  return {
    all: (): readonly Buffer[] => parts,
    add: (part: Buffer): void => {
      size += part.length;
      if (size > fileBounds.entry)
        throw new InputError(name, `has more than ${longest} in one entry, or around its entries`);
      // A short part must not keep the whole chunk in memory.
      parts.push(part.length < 2 ** 12 ? Buffer.from(part) : part);
    },
    taken: (): readonly Buffer[] => {
      const taken = parts;
      [parts, size] = [[], 0];
      return taken;
    },
  };
}

/**
 * How many brackets are open inside an entry: of the file's object, of `log`, of the list, and its
 * own.
 */
const entryDepth = 4;

const [quote, backslash, openObject, closeObject, openList, closeList] = Buffer.from('"\\{}[]');

function refuseOther(start: Buffer, name: string): void {
  // Playwright writes a recording into an archive if the name ends with .zip.
  if (start.toString("latin1", 0, 4) === "PK\u0003\u0004")
    throw new InputError(
      name,
      "is a zip archive: unpack it into a folder, and judge the .har file in it",
    );
  if (!/^\uFEFF?\s*\{/.test(start.toString("utf8", 0, 1000)))
    throw new InputError(name, "is not a HAR file: it is not one JSON object");
}
