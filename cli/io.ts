import { randomInt } from "node:crypto";

/** What a command knows of the world: tests bring their own. */
export interface Io {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Width of the terminal. */
  readonly columns: number;
  readonly now: () => Date;
  /** A fresh seed. */
  readonly seed: () => number;
  /** Calls the listener on SIGINT and SIGTERM until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** The world of this process. */
export const processIo = (): Io => ({
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  stdoutIsTerminal: process.stdout.isTTY === true,
  stderrIsTerminal: process.stderr.isTTY === true,
  columns: process.stderr.columns || 80,
  now: () => new Date(),
  seed: () => randomInt(2 ** 31 - 1),
  onInterrupt: (listener) => {
    const signals = ["SIGINT", "SIGTERM"] as const;
    for (const signal of signals) process.on(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  },
  exit: (code) => process.exit(code),
});
