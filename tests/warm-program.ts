import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What came of a command. */
export interface Ended {
  /** Null where it did not end in time, or its process ended. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The most memory that its process has held until then. */
  readonly megabytes: number;
}

/** How a command is run. */
export interface Circumstances {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Seconds for which it may run. @defaultValue 120 */
  readonly within?: number;
}

/** The built program in a process that stays: later commands find its code compiled. One command at a time. */
export interface WarmProgram {
  readonly run: (words: readonly string[], circumstances: Circumstances) => Promise<Ended>;
  readonly close: () => void;
}

/** Megabytes from which on a process is replaced, so that the next command is measured by itself. */
const most = 400;

export const createWarmProgram = (): WarmProgram => {
  let child: ChildProcess | undefined;
  const close = (): void => {
    child?.kill("SIGKILL");
    child = undefined;
  };
  return {
    run: async (words, { cwd, env, within = 120 }) => {
      const running = (child ??= fork(runner, { stdio: ["ignore", "ignore", "pipe", "ipc"] }));
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
    },
    close,
  };
};

const runner = fileURLToPath(new URL("./warm-runner.mjs", import.meta.url));
