import { closeSync, createReadStream, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname } from "node:path";
import { createInterface } from "node:readline";
import { toolVersion } from "../../engine/version.ts";
import { wrong } from "../../settings/problem.ts";
import type { Io } from "./io.ts";
import { codeOf, makeFolder, temporaryPath } from "../../model/files.ts";
import { secretSearch, secretsIn } from "../../engine/secrets.ts";

/** A HAR file that is written to a temporary file and renamed when it is whole. */
interface RecordingFile {
  /** Takes an entry as a JSON text on one line. */
  readonly add: (entry: string) => void;
  /** Renames the file. False if it could not be written or contains a secret: then there is no file. */
  readonly finish: (secrets: readonly string[], io: Io) => Promise<boolean>;
}

/** Opens a recording before anything is sent. Throws `UsageError` if it cannot be written. */
export function recordingFile(path: string, where: string): RecordingFile {
  const temporary = temporaryPath(dirname(path), basename(path));
  let file = 0;
  let failure: unknown;
  let entries = 0;
  const write = (text: string): void => {
    try {
      if (failure === undefined) writeSync(file, text);
    } catch (error) {
      failure = error;
    }
  };
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      throw Object.assign(new Error(), { code: "EISDIR" });
    makeFolder(dirname(path));
    file = openSync(temporary, "wx");
  } catch (error) {
    const what = `names a file that cannot be written (${codeOf(error)})`;
    throw wrong(where, what, `Give ${where} a file such as run.har.`, path);
  }
  write(`${JSON.stringify({ log: head() }).slice(0, -3)}\n`);
  return {
    add: (entry) => {
      write(`${entries === 0 ? "" : ",\n"}${entry}`);
      entries += 1;
    },
    finish: async (secrets, io) => {
      write("\n]}}\n");
      closeSync(file);
      const problem =
        failure !== undefined
          ? `is not written: ${codeOf(failure)}`
          : (await holdsSecret(temporary, secrets))
            ? "is not written: a secret was found in it"
            : undefined;
      if (problem === undefined) {
        renameSync(temporary, path);
        io.stderr(`Recording of ${entries} exchanges: ${path}\n`);
        return true;
      }
      rmSync(temporary, { force: true });
      io.stderr(`fxconform: ${path} ${problem}.\n`);
      return false;
    },
  };
}

/** Ends with the empty list of entries. */
const head = (): object => ({
  version: "1.2",
  creator: { name: "fxconform", version: toolVersion() },
  pages: [],
  entries: [],
});

/** Searches each entry, which is a line. */
async function holdsSecret(path: string, secrets: readonly string[]): Promise<boolean> {
  const holds = secretSearch(secrets);
  for await (const line of createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Infinity }))
    if (holds(line) && !isHead(line) && secretsIn(JSON.parse(line.replace(/,$/, "")), secrets).length > 0) return true;
  return false;
}

const isHead = (line: string): boolean => line.startsWith('{"log":');
