import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Makes a folder and those above it. Node's own function never ends in a folder such as /proc. */
export function makeFolder(folder: string): void {
  const missing = withParents(folder).filter((path) => !existsSync(path));
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path);
    } catch (error) {
      // Another run may have made it just now.
      if (!isFolder(path)) throw error;
    }
  }
  if (!isFolder(folder)) throw Object.assign(new Error(`${folder} is not a folder`), { code: "ENOTDIR" });
}

export const withParents = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...withParents(dirname(folder))];

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
