import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { codeOf, temporaryPath } from "../../model/files.ts";
import { UsageError } from "../../settings/problem.ts";
import type { Io } from "./io.ts";

/** Writes a text to standard output or to a file, which it replaces only where that is wanted. Throws `UsageError`. */
export function writeText(text: string, file: string | undefined, replace: boolean, io: Io): void {
  if (file === undefined) return io.stdout(text);
  const path = resolve(io.cwd, file);
  if (!replace && existsSync(path)) {
    throw new UsageError([{ where: file, what: "exists already", advice: "Name another file, or add --force." }]);
  }
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError([{ where: file, what: `cannot be written (${codeOf(error)})`, advice: "Check the path." }]);
  }
  io.stderr(`Written: ${path}\n`);
}

/** The path of a file of this package from a folder: relative in a checkout; else its place in an installed package. */
export function packagePlace(folder: string, name: string): string {
  const path = relative(folder, fileURLToPath(new URL(`../../../${name}`, import.meta.url))).replaceAll("\\", "/");
  // pnpm installs behind a link, in a folder whose name has the version in it.
  return path.startsWith("..") || path.includes("node_modules/") ? `./node_modules/fxconform/${name}` : `./${path}`;
}

/** Writes a file whole or not at all: to a temporary file, which is renamed. Throws an error of the system. */
export function replaceFile(path: string, text: string, mode?: number): void {
  const temporary = temporaryPath(dirname(path), basename(path));
  try {
    writeFileSync(temporary, text, { mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
