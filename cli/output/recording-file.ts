import { closeSync, createReadStream, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname } from "node:path";
import { createInterface } from "node:readline";
import { toolVersion } from "../../engine/version.ts";
import { quoted, wrong } from "../../settings/problem.ts";
import type { Io } from "./io.ts";
import {
  codeOf,
  isFolder,
  losesForeign,
  makeFolder,
  removeLeftovers,
  temporaryPath,
} from "../../model/files.ts";
import { holdsSecret, type Secrets } from "../../reports/secrets.ts";

/**
 * Opens a HAR file under a temporary name, before anything is sent. Returns the functions that fill
 * and finish the file. Throws `UsageError` if it cannot be written.
 */
export function recordingFile(path: string, where: string) {
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
    if (isFolder(path)) throw Object.assign(new Error(), { code: "EISDIR" });
    makeFolder(dirname(path));
    removeLeftovers(dirname(path));
    file = openSync(temporary, "wx");
  } catch (error) {
    const what = `names a file that cannot be written (${codeOf(error)})`;
    throw wrong(where, what, `Give ${where} a file such as run.har.`, quoted(path));
  }
  if (losesForeign(path, ".har")) {
    rmSync(temporary, { force: true });
    const what = `names ${path}, which fxconform did not write and which would be lost`;
    throw wrong(where, what, "Move it away, or name another file.");
  }
  const creator = { name: "fxconform", version: toolVersion() };
  // The beginning of the file, up to the entries.
  const head = JSON.stringify({ log: { version: "1.2", creator, pages: [], entries: [] } });
  write(`${head.slice(0, -3)}\n`);
  return {
    /** Adds an entry, given as a JSON text on one line. */
    add: (entry: string): void => {
      write(`${entries === 0 ? "" : ",\n"}${entry}`);
      entries += 1;
    },
    /**
     * Searches the file for secrets, and renames it to its final name. For any result but
     * `written`, it removes the file and prints the reason.
     */
    finish: async (secrets: Secrets, io: Io, stop?: AbortSignal): Promise<RecordingEnd> => {
      write("\n]}}\n");
      closeSync(file);
      const refusal =
        failure === undefined ? await refusalOf(temporary, secrets, stop) : codeOf(failure);
      if (refusal === undefined) {
        renameSync(temporary, path);
        io.stderr(`Recording of ${entries} exchanges: ${path}\n`);
        return "written";
      }
      rmSync(temporary, { force: true });
      io.stderr(`fxconform: ${path} is not written: ${refusal}.\n`);
      return refusal === interruptedSearch ? "interrupted" : "refused";
    },
  };
}

/** What became of a recording. `interrupted`: `stop` ended the search for secrets in it. */
type RecordingEnd = "written" | "refused" | "interrupted";

const interruptedSearch = "the search for secrets in it was interrupted";

/**
 * Returns why a recording must not be kept, or undefined if it may. Searches each line, which is an
 * entry, for secrets. If the user interrupts the run, the search ends after `longestSearch`.
 */
async function refusalOf(
  path: string,
  secrets: Secrets,
  stop?: AbortSignal,
): Promise<string | undefined> {
  let stoppedAt: number | undefined;
  for await (const line of createInterface({
    input: createReadStream(path, "utf8"),
    crlfDelay: Infinity,
  })) {
    if (stop?.aborted === true) stoppedAt ??= performance.now();
    if (performance.now() - (stoppedAt ?? Infinity) > longestSearch) return interruptedSearch;
    if (
      secrets.wholeIn(line).size > 0 &&
      !isHead(line) &&
      holdsSecret(JSON.parse(line.replace(/,$/, "")), secrets)
    )
      return "a secret was found in it";
  }
  return undefined;
}

/**
 * How long the search may last after the user has interrupted the run, in milliseconds. It is
 * short, because the user waits for the reports as well.
 */
const longestSearch = 400;

const isHead = (line: string): boolean => line.startsWith('{"log":');
