import { closeSync, createReadStream, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname } from "node:path";
import { createInterface } from "node:readline";
import { toolVersion } from "../../engine/version.ts";
import { wrong } from "../../settings/problem.ts";
import type { Io } from "./io.ts";
import { codeOf, isFolder, makeFolder, removeLeftovers, temporaryPath } from "../../model/files.ts";
import { secretSearch, secretsIn } from "../../engine/secrets.ts";

/** Opens a HAR file under a temporary name before anything is sent. Throws `UsageError` if it cannot be written. */
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
    throw wrong(where, what, `Give ${where} a file such as run.har.`, path);
  }
  const creator = { name: "fxconform", version: toolVersion() };
  // Ends with the empty list of entries.
  const head = JSON.stringify({ log: { version: "1.2", creator, pages: [], entries: [] } });
  write(`${head.slice(0, -3)}\n`);
  return {
    /** Takes an entry as a JSON text on one line. */
    add: (entry: string): void => {
      write(`${entries === 0 ? "" : ",\n"}${entry}`);
      entries += 1;
    },
    /** Renames the file. False if it could not be written or contains a secret: then there is no file. */
    finish: async (secrets: readonly string[], io: Io): Promise<boolean> => {
      write("\n]}}\n");
      closeSync(file);
      const isRefused = failure === undefined && (await holdsSecret(temporary, secrets));
      if (failure === undefined && !isRefused) {
        renameSync(temporary, path);
        io.stderr(`Recording of ${entries} exchanges: ${path}\n`);
        return true;
      }
      rmSync(temporary, { force: true });
      io.stderr(`fxconform: ${path} is not written: ${isRefused ? "a secret was found in it" : codeOf(failure)}.\n`);
      return false;
    },
  };
}

/** Searches each entry, which is a line. */
async function holdsSecret(path: string, secrets: readonly string[]): Promise<boolean> {
  const holds = secretSearch(secrets);
  for await (const line of createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Infinity }))
    if (holds(line) && !isHead(line) && secretsIn(JSON.parse(line.replace(/,$/, "")), secrets).length > 0) return true;
  return false;
}

const isHead = (line: string): boolean => line.startsWith('{"log":');
