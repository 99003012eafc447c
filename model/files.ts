import { randomBytes } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Makes a folder and those above it. Node's own function never ends in a folder such as /proc. */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another run may have made it just now.
    if (!isFolder(folder)) throw error;
  }
}

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The path of the temporary file beside a file. */
export const temporaryPath = (folder: string, name: string): string =>
  join(folder, `.${name}.${randomBytes(6).toString("hex")}.tmp`);

/** The code of a system error, such as `ENOSPC`. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/** Why a file that the user named cannot be judged. */
export class InputError extends Error {
  override readonly name = "InputError";
  /** Name of the file. */
  readonly file: string;
  /** What is wrong: words that follow the name of the file. */
  readonly what: string;

  constructor(file: string, what: string) {
    super(`${file}: ${what}`);
    this.file = file;
    this.what = what;
  }
}
