import { realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { codeOf, fileBytes, FileProblem, InputError } from "../../model/files.ts";
import { isLoopback } from "../../model/target.ts";
import { limits, tooLarge } from "./budget.ts";

/**
 * Reads a regular file. Opens nothing that could block or have an effect, such as a device or a
 * FIFO. `name`: what errors call the file. Throws InputError, which quotes nothing of the file.
 */
export function readRegularFile(path: string, name: string): Uint8Array {
  return withReason(name, () => fileBytes(path, { most: limits.bytes }));
}

/** Whether a path is this folder itself or lies below it. Links are not followed. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && !/^\.\.(?:[/\\]|$)/.test(way);
}

/** Returns the path after all links are followed. Throws InputError if nothing is at the path. */
export function pathThroughLinks(path: string, name: string): string {
  return withReason(name, () => realpathSync(path));
}

/**
 * Calls `read`, and turns an error of the system into an InputError with its code, such as ENOENT.
 * The text of the error is left out, because it contains the path of the folder.
 */
function withReason<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileProblem) {
      if (error.isTooLarge) throw tooLarge(name);
      throw new InputError(
        name,
        `${error.message}. Save the document in a regular file, and name that`,
      );
    }
    throw new InputError(name, `cannot be read (${codeOf(error)})`);
  }
}

/**
 * Fetches a document over https, or from this machine. `name`: what errors call the document.
 * Throws InputError if the document cannot be fetched or is too large.
 */
export async function fetchDocument(address: string, name: string): Promise<Uint8Array> {
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== "" || password !== "")
    throw new InputError(name, "has a user or a password in its address");
  if (protocol !== "https:" && !isLoopback(hostname)) {
    const what = "is a plain http: address of another machine. Give an https: address or a file";
    throw new InputError(name, what);
  }
  try {
    const response = await fetch(address, {
      redirect: "manual",
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) {
      void response.body?.cancel();
      throw new InputError(name, `cannot be read: it is answered with status ${response.status}`);
    }
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body ?? []) {
      size += part.byteLength;
      if (size > limits.bytes) throw tooLarge(name);
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { cause, message } = error as Error;
    throw new InputError(name, `cannot be read (${cause === undefined ? message : codeOf(cause)})`);
  }
}
