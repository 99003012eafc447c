import { execFile, type ExecFileOptions } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The folder of the project. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** The text of a file of the project. */
export const fileText = (path: string): Promise<string> => readFile(join(root, path), "utf8");

/** The exit code and the output of a program. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program. The time limit is a minute, unless `options` has another. */
export function executed(
  program: string,
  words: readonly string[],
  options: ExecFileOptions = {},
): Promise<Ended> {
  return promisify(execFile)(program, [...words], {
    timeout: 60_000,
    ...options,
    encoding: "utf8",
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  );
}
