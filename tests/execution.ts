import { execFile, type ExecFileOptions } from "node:child_process";
import { promisify } from "node:util";

/** How a program ended, and what it wrote. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, for a minute at most. */
export const executed = (program: string, words: readonly string[], options: ExecFileOptions = {}): Promise<Ended> =>
  promisify(execFile)(program, [...words], { timeout: 60_000, ...options, encoding: "utf8" }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  );
