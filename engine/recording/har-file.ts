import { dirname } from "node:path";
import { bundledContract } from "../../spec/bundle.ts";
import { createRedaction, asHeaderWords } from "../../model/evidence/redaction.ts";
import {
  codeOf,
  fileBelow,
  fileBounds,
  fileBytes,
  FileProblem,
  InputError,
  openFile,
} from "../../model/files.ts";
import { plural } from "../../model/plural.ts";
import { addSecretsOf } from "./hidden-values.ts";
import { count, judgeTraffic, type TrafficOptions } from "./recording.ts";
import { compileSchemas, createLearnt, type Learnt } from "./reading.ts";
import { matchOf, type WatchedExchange } from "./watched.ts";
import { watchedOf, type FileBeside } from "./har-entry.ts";
import { createReadStream } from "node:fs";
import { memberOf, type Json } from "../../spec/json.ts";
import { parsedJson } from "../../model/exchange.ts";

export interface Recordings {
  /** The files, each with the name that messages use for it. */
  readonly files: readonly { readonly path: string; readonly name: string }[];
  /** The address of the server. Absent: the address that most entries have. */
  readonly baseUrl?: string | undefined;
}

let schemas: ReturnType<typeof compileSchemas> | undefined;

/**
 * Judges recordings as the traffic with one server. Each is read twice, entry by entry: first for
 * the address and for what the recordings show as a whole, then to judge them. Returns the run, and
 * the secrets in the recordings, which no report may contain. Throws InputError if a file is no
 * recording.
 */
export async function judgeRecordings(
  options: TrafficOptions,
  { files, baseUrl: wanted }: Recordings,
) {
  schemas ??= compileSchemas(await bundledContract());
  const redaction = createRedaction();
  const bases = new Map<string, number>();
  const learntAt = new Map<string, Learnt>();
  let startedAt = Infinity;
  let endedAt = 0;
  let entries = 0;
  for await (const watched of watchedIn(files)) {
    entries += 1;
    if (typeof watched === "string") continue;
    startedAt = Math.min(startedAt, watched.startedAt || startedAt);
    endedAt = Math.max(endedAt, watched.startedAt + watched.response.took);
    const match = matchOf(watched.request);
    if (match === undefined) continue;
    addSecretsOf(watched, options.secretHeaders, match.operation === "createToken", redaction);
    redaction.addOwn(match.baseUrl);
    count(bases, match.baseUrl);
    const learnt = learntAt.get(match.baseUrl) ?? createLearnt(schemas);
    learntAt.set(match.baseUrl, learnt);
    learnt.learn(watched, match);
  }
  const [[seen] = []] = [...bases].toSorted(([, a], [, b]) => b - a);
  const baseUrl = wanted ?? seen ?? "http://unknown.invalid";
  const parts = {
    document: schemas.document,
    baseUrl,
    startedAt: Number.isFinite(startedAt) ? startedAt : 0,
    endedAt,
    redaction,
    learnt: learntAt.get(baseUrl) ?? createLearnt(schemas),
    nothing: nothingIn(entries, wanted, seen),
  };
  return {
    run: await judgeTraffic(options, parts, watchedIn(files)),
    secrets: redaction.secrets(),
  };
}

/** Why there was nothing to judge, in words. */
function nothingIn(entries: number, wanted: string | undefined, seen: string | undefined): string {
  if (entries === 0) return "the recording has no entries.";
  const advice =
    wanted !== undefined && seen !== undefined
      ? `Is --base-url right? There are requests of the API at ${seen}.`
      : "Does the recording belong to this API?";
  const there = wanted === undefined ? "" : ` at ${wanted}`;
  return `none of ${plural(entries, "entry", "entries")} is a request of the API${there}. ${advice}`;
}

async function* watchedIn(files: Recordings["files"]): AsyncGenerator<WatchedExchange | string> {
  for (const { path, name } of files) {
    const attached = attachedTo(path);
    let number = 0;
    try {
      for await (const entry of entriesOf(path, name)) {
        number += 1;
        yield watchedOf(entry, `${name}, entry ${number}`, attached);
      }
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError(
        name,
        error instanceof FileProblem ? error.message : `cannot be read (${codeOf(error)})`,
      );
    }
  }
}

/**
 * Reads the files with bodies beside a recording. Playwright names them by the hash of their
 * content; for a file with another name, the result is undefined.
 */
function attachedTo(recording: string): FileBeside {
  return (name) => {
    if (!/^[\da-f]{40}\.\w+$/.test(name)) return undefined;
    try {
      return fileBytes(fileBelow(dirname(recording), name), { most: fileBounds.report });
    } catch {
      return undefined;
    }
  };
}

/**
 * The entries of a HAR file (`log.entries`), one after the other, so that memory holds only one of
 * them. Counts brackets to find an entry; what is around the entries is kept, and must be JSON too.
 * Throws InputError if the file is not a HAR file.
 */
async function* entriesOf(path: string, name: string): AsyncGenerator<Json> {
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
    throw new InputError(
      name,
      "is JSON, but no HAR file: it has no log.entries. Record the traffic as HAR, as the developer tools of browsers do",
    );
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

/** What a file is that begins with these bytes, in words that follow its name. */
const others: readonly (readonly [start: RegExp, what: string])[] = [
  // Playwright writes a recording into an archive if the name ends with .zip.
  [
    /^(PK\x03\x04|\x1f\x8b|\x28\xb5\x2f\xfd)/,
    "is packed: unpack it, and judge the .har file in it",
  ],
  [/^(\xff\xfe|\xfe\xff|\0|.\0)/s, "is UTF-16: save it as UTF-8"],
];

function refuseOther(start: Buffer, name: string): void {
  const first = start.toString("latin1", 0, 4);
  const other = others.find(([pattern]) => pattern.test(first));
  if (other !== undefined) throw new InputError(name, other[1]);
  if (!/^\uFEFF?\s*\{/.test(start.toString("utf8", 0, 1000)))
    throw new InputError(name, "is not a HAR file: it is not one JSON object");
}
