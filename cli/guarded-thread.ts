/** Carries out a command in a thread of its own, which `guarded.ts` starts and can end. */
import { parentPort, workerData } from "node:worker_threads";
import type { GuardedCall, ThreadMessage } from "./guarded.ts";
import { main } from "./main.ts";
import { processIo } from "./output/io.ts";

const { words, script, terminal } = workerData as GuardedCall;
// The messages of the program name it as it was started.
process.argv[1] = script;

const tell = (message: ThreadMessage): void => parentPort?.postMessage(message);
const listeners = new Set<() => void>();
parentPort?.on("message", () => {
  for (const listener of listeners) listener();
});

const code = await main(words, {
  ...processIo(),
  ...terminal,
  stdout: (text) => tell({ stdout: text }),
  stderr: (text) => tell({ stderr: text }),
  status: (text) => tell({ status: text }),
  reads: (file, place = file) => tell({ reads: file, place }),
  onInterrupt: (listener) => {
    listeners.add(listener);
    tell({ listens: true });
    return () => {
      listeners.delete(listener);
      tell({ listens: listeners.size > 0 });
    };
  },
  exit: (exit) => tell({ exit }),
});
tell({ exit: code });
