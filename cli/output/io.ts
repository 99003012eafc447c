import { fstatSync, writeFileSync } from "node:fs";
import type { OptionValues } from "../../settings/sources.ts";

/** The streams, environment, clock and signals that commands use. Tests bring their own. */
export type Io = Readonly<ReturnType<typeof processIo>>;

/**
 * The streams, environment, clock and signals of this process. Throws if the process has no working
 * directory.
 */
export function processIo(cwd = workingDirectory()) {
  return {
    ...outputs(),
    env: process.env as Readonly<Record<string, string | undefined>>,
    cwd,
    stdinIsTerminal: process.stdin.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    stderrIsTerminal: process.stderr.isTTY === true,
    columns: process.stderr.columns || 80,
    now: () => new Date(),
    seed: () => Math.floor(Math.random() * (2 ** 31 - 1)),
    /** Calls the listener on SIGINT, SIGTERM and SIGHUP, until the returned function is called. */
    onInterrupt: (listener: () => void) => {
      const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
      for (const signal of signals) process.on(signal, listener);
      return (): void => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    onKey,
    exit: (code: number): void => process.exit(code),
    modules,
  };
}

function outputs() {
  const stdout = writerTo(process.stdout);
  const stderr = writerTo(process.stderr);
  let isShown = false;
  const cleared = (write: (text: string) => void) => (text: string) => {
    if (isShown) stderr("\r\u001b[K");
    isShown = false;
    write(text);
  };
  const status = cleared(stderr);
  return {
    stdout: cleared(stdout),
    stderr: cleared(stderr),
    /**
     * Shows a line on standard error until something else is shown or printed. Standard error must
     * be a terminal.
     */
    status: (line: string): void => {
      status(line);
      isShown = true;
    },
  };
}

/**
 * Calls the listener with each key that is pressed, including Ctrl-C, until the returned function
 * is called.
 */
function onKey(listener: (key: string) => void): () => void {
  const { stdin } = process;
  const take = (text: string): void => {
    for (const key of text) listener(key);
  };
  stdin.setRawMode(true);
  stdin.setEncoding("utf8").on("data", take).resume();
  return () => {
    stdin.off("data", take).pause();
    stdin.setRawMode(false);
  };
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new Error(
      `the working directory cannot be read (${reason}); change to one that exists.`,
      { cause },
    );
  }
}

/**
 * Returns a function that writes a whole text. It writes to a file itself, because on an almost
 * full disk a stream of Node writes a part of the text and reports no error.
 */
function writerTo(stream: NodeJS.WriteStream & { readonly fd: number }): (text: string) => void {
  if (!isFile(stream.fd)) return (text) => void stream.write(text);
  return (text) => {
    try {
      writeFileSync(stream.fd, text);
    } catch (error) {
      stream.emit("error", error);
    }
  };
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/**
 * Whether texts are coloured. The option decides, or else FORCE_COLOR (0 and false mean no), or
 * else NO_COLOR, or else whether standard output is a terminal.
 */
export function colorOn(
  { env, stdoutIsTerminal }: Pick<Io, "env" | "stdoutIsTerminal">,
  option: boolean | undefined,
): boolean {
  if (option !== undefined) return option;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return stdoutIsTerminal && !env["NO_COLOR"];
}

/** Whether only the result is printed. */
export function isSilent({ quiet, json }: OptionValues): boolean {
  return quiet.value || json.value;
}

/**
 * Heavy modules. A command loads those that it needs, so that `list` and `--help` start at once.
 * Tests bring their own.
 */
export const modules = {
  run: async () => (await import("../../engine/server/run.ts")).run,
  renderers: async () => (await import("../../reports/index.ts")).renderers,
  judgeRecordings: async () => (await import("../../engine/recording/har-file.ts")).judgeRecordings,
} as const;
