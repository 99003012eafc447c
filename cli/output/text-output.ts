import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Io } from "./io.ts";
import { UsageError } from "../../settings/problem.ts";

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
    const what = `cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
    throw new UsageError([{ where: file, what, advice: "Check the path." }]);
  }
  io.stderr(`Written: ${path}\n`);
}
