import { randomInt } from "node:crypto";
import type { Io } from "../cli/output/io.ts";

/** Replaces the console for programs that use the library: prints nothing and reads nothing. */
export const silentIo = (): Io => ({
  stdout: () => undefined,
  stderr: () => undefined,
  env: {},
  cwd: process.cwd(),
  stdinIsTerminal: false,
  stdoutIsTerminal: false,
  stderrIsTerminal: false,
  columns: 80,
  now: () => new Date(),
  seed: () => randomInt(2 ** 31 - 1),
  onKey: () => () => undefined,
  onInterrupt: () => () => undefined,
  exit: () => undefined,
});
