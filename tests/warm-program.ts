import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Ended as Executed } from "./execution.ts";

/** The result of a command. */
export interface Ended extends Omit<Executed, "code"> {
  /** The exit code. Null if the command did not end in time, or if its process ended. */
  readonly code: number | null;
  /** The most memory that the process has held until then. */
  readonly megabytes: number;
}

/** In which folder and with which variables a command runs. */
export interface Circumstances {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The time limit of the command in seconds. @defaultValue 120 */
  readonly within?: number;
}

/**
 * The built program in a process that stays, so that later commands start faster. Each command
 * waits until the one before it has ended.
 */
export interface WarmProgram {
  readonly run: (words: readonly string[], circumstances: Circumstances) => Promise<Ended>;
  readonly close: () => void;
}

/** How the process of a warm program is started. */
interface Start {
  /** The path of the program, as its messages name it. @defaultValue none */
  readonly program?: string;
  /** Variables that Node itself reads, such as `NODE_EXTRA_CA_CERTS`. @defaultValue none */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A process that has held more memory than this, in megabytes, is replaced, so that the next
 * command is measured on its own.
 */
const most = 250;

export function createWarmProgram({ program, env: own = {} }: Start = {}): WarmProgram {
  const named = program === undefined ? [] : [program];
  const start = (): ChildProcess =>
    fork(runner, named, {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      env: { ...process.env, ...own },
    });
  let child: ChildProcess | undefined;
  const close = (): void => {
    child?.kill("SIGKILL");
    child = undefined;
  };
  const run: WarmProgram["run"] = async (words, { cwd, env, within = 120 }) => {
    child ??= start();
    const running = child;
    let said = "";
    const listen = (text: Buffer): void => void (said += text.toString());
    running.stderr?.on("data", listen);
    const ended = await new Promise<Ended>((resolve) => {
      const timer = setTimeout(() => running.kill("SIGKILL"), within * 1000);
      const end = (how: Ended): void => {
        clearTimeout(timer);
        running.removeAllListeners("exit").removeAllListeners("message");
        resolve(how);
      };
      running.once("message", (message) => end(message as Ended));
      running.once("exit", () => end({ code: null, stdout: "", stderr: said, megabytes: most }));
      running.send({ words, cwd, env });
    });
    running.stderr?.off("data", listen);
    if (ended.code === null || ended.megabytes >= most) close();
    return ended;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (...command) => {
      const ended = last.then(() => run(...command));
      last = ended.catch(() => undefined);
      return ended;
    },
    close,
  };
}

let shared: WarmProgram | undefined;

/**
 * The program of the test files that follow one another in this process. It starts once, as the
 * first run of a program takes three times as long as a later one, and ends with this process.
 */
export function sharedWarmProgram(): WarmProgram {
  shared ??= createWarmProgram();
  return shared;
}

const runner = fileURLToPath(new URL("./warm-runner.mjs", import.meta.url));
