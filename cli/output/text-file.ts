import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { codeOf, removeLeftovers, temporaryPath } from "../../model/files.ts";
import { shownFile } from "../../settings/file.ts";
import { UsageError, wrong } from "../../settings/problem.ts";
import type { Io } from "./io.ts";

/**
 * Writes a text to standard output or to a file. Throws `UsageError` if the file exists and
 * `replace` is false, if it is a link, or if it cannot be written.
 */
export function writeText(text: string, file: string | undefined, replace: boolean, io: Io): void {
  if (file === undefined) return io.stdout(text);
  const path = resolve(io.cwd, file);
  const where = shownFile(file, io.cwd);
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true)
      throw wrong(where, "is a link", "Name the file itself, or another one.");
    if (found !== undefined && !replace)
      throw wrong(where, "exists already", "Name another file, or add --force.");
    if (found === undefined || found.isFile()) replaceFile(path, text);
    else writeFileSync(path, text);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw wrong(where, `cannot be written (${codeOf(error)})`, "Check the path.");
  }
  io.stderr(`Written: ${path}\n`);
}

/**
 * Returns the path to a file of this package, for use in a file that stands in `folder`: relative
 * to `folder` in a checkout, and otherwise below `./node_modules/fxconform`.
 */
export function packagePlace(folder: string, name: string): string {
  const path = relative(
    folder,
    fileURLToPath(new URL(`../../../${name}`, import.meta.url)),
  ).replaceAll("\\", "/");
  // pnpm installs behind a link, in a folder whose name contains the version. Such a path would not
  // outlast an update.
  return path.startsWith("..") || path.includes("node_modules/")
    ? `./node_modules/fxconform/${name}`
    : `./${path}`;
}

/**
 * Writes a file whole or not at all: writes a temporary file, and renames it. Throws errors of the
 * system.
 */
export function replaceFile(path: string, text: string, mode?: number): void {
  removeLeftovers(dirname(path));
  const temporary = temporaryPath(dirname(path), basename(path));
  try {
    writeFileSync(temporary, text, { mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
