import { closeSync, createReadStream, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname } from "node:path";
import { createInterface } from "node:readline";
import { toolVersion } from "../../engine/version.ts";
import { quoted, wrong } from "../../settings/problem.ts";
import type { Io } from "./io.ts";
import {
  codeOf,
  losesForeign,
  makeFolder,
  removeLeftovers,
  temporaryPath,
} from "../../model/files.ts";
import { holdsSecret, type Secrets } from "../../reports/saving.ts";

/**
 * Opens a HAR file under a temporary name, before anything is sent. Returns the functions that fill
 * and finish the file. Throws `UsageError` if it cannot be written.
 */
export function recordingFile(path: string, where: string) {
  const temporary = temporaryPath(dirname(path), basename(path));
  let file = 0;
  let isForeign = false;
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
    makeFolder(dirname(path));
    removeLeftovers(dirname(path));
    isForeign = losesForeign(path, ".har");
    if (!isForeign) file = openSync(temporary, "wx");
  } catch (error) {
    const what = `names a file that cannot be written (${codeOf(error)})`;
    throw wrong(where, what, `Give ${where} a file such as run.har.`, quoted(path));
  }
  if (isForeign) {
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
     * Searches the file for secrets, and renames it to its final name. If that must not be or fails,
     * it removes the file, prints the reason and returns false.
     */
    finish: async (secrets: Secrets, io: Io): Promise<boolean> => {
      write("\n]}}\n");
      closeSync(file);
      const isRefused = failure === undefined && (await hasSecret(temporary, secrets));
      if (failure === undefined && !isRefused) {
        renameSync(temporary, path);
        io.stderr(`Recording of ${entries} exchanges: ${path}\n`);
        return true;
      }
      rmSync(temporary, { force: true });
      const reason = isRefused ? "a secret was found in it" : codeOf(failure);
      io.stderr(`fxconform: ${path} is not written: ${reason}.\n`);
      return false;
    },
  };
}

/** Whether a line of a recording after the first, which is an entry, contains a secret. */
async function hasSecret(path: string, secrets: Secrets): Promise<boolean> {
  const lines = createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Infinity });
  for await (const line of lines)
    if (
      secrets.wholeIn(line).size > 0 &&
      !line.startsWith('{"log":') &&
      holdsSecret(JSON.parse(line.replace(/,$/, "")), secrets)
    )
      return true;
  return false;
}
