import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { RunControl, RunOptions } from "../../engine/options.ts";
import { runs } from "../../reports/testing/runs.ts";
import type { Run } from "../../model/run.ts";
import type { Io } from "../output/io.ts";
import { main } from "../main.ts";
import { parts, type Parts } from "../lazy-modules.ts";

/** What a test sees of a command. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Options of every run that was started. */
  readonly asked: readonly RunOptions[];
  /** Exit codes of forced exits. */
  readonly exits: readonly number[];
}

/** A working directory of its own, with the files that are named, and a target that answers as told. */
export interface RunContext {
  readonly folder: string;
  readonly file: (name: string, content: string) => string;
  readonly run: (argv: readonly string[] | string, env?: Record<string, string>) => Promise<Result>;
  /** What the last command that was started has written to standard output so far. */
  readonly output: () => string;
  /** Sends the signal to the commands that run. */
  readonly interrupt: () => void;
}

/** How the engine behaves. */
export type Engine = (options: RunOptions, control?: RunControl) => Promise<Run>;

/** Makes the world; it goes with the test. */
export function world(engine: Engine = () => Promise.resolve(runs.conformant), more: Partial<Parts> = {}): RunContext {
  const folder = mkdtempSync(join(tmpdir(), "fxconform-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const listeners = new Set<() => void>();
  let output = (): string => "";
  return {
    folder,
    file: (name, content) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
    output: () => output(),
    interrupt: () => {
      for (const listener of listeners) listener();
    },
    run: async (argv, env = {}) => {
      const written = { stdout: "", stderr: "" };
      output = () => written.stdout;
      const asked: RunOptions[] = [];
      const exits: number[] = [];
      const io: Io = {
        stdout: (text) => void (written.stdout += text),
        stderr: (text) => void (written.stderr += text),
        env,
        cwd: folder,
        stdoutIsTerminal: false,
        stderrIsTerminal: false,
        columns: 80,
        now: () => new Date("2030-01-01T00:00:00Z"),
        seed: () => 4711,
        onInterrupt: (listener) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
        exit: (code) => void exits.push(code),
      };
      const start: Engine = (options, control) => {
        asked.push(options);
        return engine(options, control);
      };
      const words = typeof argv === "string" ? argv.split(" ").filter((word) => word !== "") : argv;
      const code = await main(words, io, { ...parts, run: () => Promise.resolve(start), ...more });
      return { code, ...written, asked, exits };
    },
  };
}

/** What every run against a local target needs. */
export const local = "--base-url https://localhost:4010 --api-key key-0123456789 --customer-id c1";
