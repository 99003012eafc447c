import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { RunOptions } from "../../model/run-options.ts";
import type { RunControl } from "../../engine/server/supervision.ts";
import { runs } from "../../reports/testing/runs.ts";
import type { Run } from "../../model/run.ts";
import { processIo, type Io } from "../output/io.ts";
import { main } from "../main.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

/** What a test sees of a command. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The options of all runs that were started. */
  readonly started: readonly RunOptions[];
  /** The exit codes with which the command wanted to end the process at once (`io.exit`). */
  readonly exits: readonly number[];
}

/** A temporary working directory, and functions that start and steer commands in it. */
export interface TestContext {
  readonly folder: string;
  readonly file: (name: string, content: string) => string;
  /** The text of a report in the usual folder. */
  readonly read: (report: string) => string;
  /** The names of the reports there. */
  readonly reports: () => readonly string[];
  readonly run: (argv: readonly string[] | string, env?: Record<string, string>) => Promise<Result>;
  /** What the last started command has written to standard output so far. */
  readonly output: () => string;
  /** Presses a key in the running commands. */
  readonly press: (key: string) => void;
  /** Sends the signal to the running commands. */
  readonly interrupt: () => void;
}

/** Makes a run from options, in place of the real engine. */
export type Engine = (options: RunOptions, control?: RunControl) => Promise<Run>;

/**
 * Makes a context, whose folder is removed after the test. `engine` makes each run, and `more`
 * replaces other modules.
 */
export function testContext(
  engine: Engine = () => Promise.resolve(runs.conformant),
  more: Partial<Io["modules"]> = {},
  { isTerminal = false }: { readonly isTerminal?: boolean } = {},
): TestContext {
  const folder = temporaryFolder();
  const reports = join(folder, "fxconform-report");
  const listeners = new Set<() => void>();
  const keys = new Set<(key: string) => void>();
  let written = { stdout: "", stderr: "" };
  return {
    folder,
    file: (name, content) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
    read: (report) => readFileSync(join(reports, report), "utf8"),
    reports: () => readdirSync(reports).toSorted(),
    output: () => written.stdout,
    press: (key) => [...keys].forEach((listener) => listener(key)),
    interrupt: () => [...listeners].forEach((listener) => listener()),
    run: async (argv, env = {}) => {
      const own = { stdout: "", stderr: "" };
      written = own;
      const started: RunOptions[] = [];
      const exits: number[] = [];
      const start: Engine = (options, control) => {
        started.push(options);
        return engine(options, control);
      };
      const io: Io = {
        stdout: (text) => void (own.stdout += text),
        stderr: (text) => void (own.stderr += text),
        status: () => undefined,
        env,
        cwd: folder,
        stdinIsTerminal: isTerminal,
        stdoutIsTerminal: isTerminal,
        stderrIsTerminal: false,
        columns: 80,
        now: () => new Date("2030-01-01T00:00:00Z"),
        seed: () => 4711,
        onInterrupt: (listener) => added(listeners, listener),
        onKey: (listener) => added(keys, listener),
        exit: (code) => void exits.push(code),
        modules: {
          ...processIo().modules,
          run: () => Promise.resolve(start),
          ...more,
        },
      };
      const words = typeof argv === "string" ? argv.split(" ").filter((word) => word !== "") : argv;
      const code = await main(words, io);
      return { code, ...own, started, exits };
    },
  };
}

/** Adds a listener, and returns the function that removes it. */
function added<T>(all: Set<T>, one: T): () => void {
  all.add(one);
  return () => void all.delete(one);
}

/** The flags that every run against a local target needs. */
export const local = "--base-url https://localhost:4010 --api-key key-0123456789 --customer-id c1";

/** Expects wrong usage: exit code 2 before any request, and these words on standard error. */
export function expectRefused(
  { code, started, stderr }: Result,
  ...says: readonly (string | RegExp)[]
): void {
  expect({ code, started }).toEqual({ code: 2, started: [] });
  for (const words of says) expect(stderr).toMatch(words);
}
