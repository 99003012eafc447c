import { setTimeout as passed } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { endBySignal, exitCodes, reportMishap } from "./output/exit-code.ts";
import type { GuardedCommand, Io } from "./output/io.ts";
import { plain } from "../reports/sanitize.ts";
import { timeText } from "./output/time-text.ts";

/** What the thread of a command is started with. */
export interface GuardedCall {
  /** All words after the name of the program. */
  readonly words: readonly string[];
  /** The path of the program as the user wrote it. */
  readonly script: string;
  readonly terminal: Pick<
    Io,
    "stdinIsTerminal" | "stdoutIsTerminal" | "stderrIsTerminal" | "columns" | "cwd"
  >;
}

/** What the thread of a command tells, in the order in which it happens. */
export type ThreadMessage =
  | { readonly [stream in "stdout" | "stderr" | "status"]?: string }
  /** What is read from now on: the word of a file, and the place in it. */
  | { readonly reads: string; readonly place: string }
  /** Whether the command ends by itself on a signal, as a run does. */
  | { readonly listens: boolean }
  | { readonly exit: number };

/**
 * Carries out a command that reads what others wrote, in a thread of its own, and returns its exit
 * code. Whatever the thread is busy with, it is ended on a signal, and once its time is up.
 * That time stands still while the command listens to signals itself, as a run has bounds of its
 * own.
 */
export function guardedCommand(
  { name, words, files, mostSeconds }: GuardedCommand,
  io: Io,
): Promise<number> {
  const { stdinIsTerminal, stdoutIsTerminal, stderrIsTerminal, columns, cwd } = io;
  const call: GuardedCall = {
    words,
    script: process.argv[1] ?? "",
    terminal: { stdinIsTerminal, stdoutIsTerminal, stderrIsTerminal, columns, cwd },
  };
  const worker = new Worker(new URL("./guarded-thread.js", import.meta.url), {
    workerData: call,
    // The thread must not inherit flags of this process, such as `--eval`.
    execArgv: [],
  });
  const begun = new Set<string>();
  let place = "";
  let listens = false;
  let timer: NodeJS.Timeout | undefined;
  /** What was read and what was not, as sentences. */
  const readSoFar = (): string => {
    const left = files.filter((file) => !begun.has(file));
    const sentences = [
      ...(place === "" ? [] : [` It had come to ${place}.`]),
      ...(left.length === 0 ? [] : [` Not read: ${left.join(", ")}.`]),
    ];
    return plain(sentences.join(""), longestNames);
  };
  return new Promise<number>((resolve) => {
    const end = (code: number, line?: string): void => {
      clearTimeout(timer);
      release();
      if (line !== undefined) io.stderr(`fxconform: ${line}${readSoFar()}\n`);
      // A thread that is inside a long call of Node itself, such as parsing 200 MB, ends only after
      // that call.
      const ended = worker.terminate().then(() => "ended");
      void Promise.race([ended, passed(longestEnd, "busy")]).then((how) => {
        if (how === "busy" && code === exitCodes.interrupted) endBySignal();
        resolve(code);
      });
    };
    const startTime = (): void => {
      const text = `${name} takes longer than ${timeText(mostSeconds)}, and was ended.`;
      timer = setTimeout(() => end(exitCodes.usage, text), mostSeconds * 1000);
    };
    let isAsked = false;
    const release = io.onInterrupt(() => {
      if (!listens || isAsked) return end(exitCodes.interrupted, "interrupted.");
      isAsked = true;
      worker.postMessage("interrupt");
    });
    worker.on("message", (message: ThreadMessage) => {
      if ("exit" in message) return end(message.exit);
      if ("reads" in message) {
        begun.add(message.reads);
        place = message.place;
      } else if ("listens" in message) {
        listens = message.listens;
        clearTimeout(timer);
        if (!listens) startTime();
      } else for (const [stream, text] of Object.entries(message)) io[stream as "stdout"](text);
    });
    worker.once("error", (error) => {
      if ((error as NodeJS.ErrnoException).code !== "ERR_WORKER_OUT_OF_MEMORY")
        return end(reportMishap({ error, command: name }, io));
      end(exitCodes.usage, `${name} needs more memory than there is, and was ended.`);
    });
    startTime();
  });
}

/** How many characters of the names of files a message has at most. */
const longestNames = 1000;

/** How long the end of the thread is waited for, in milliseconds. */
const longestEnd = 300;
