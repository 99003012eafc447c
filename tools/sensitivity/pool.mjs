// Runs jobs on a few child processes and passes each result on as it arrives.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const usualWorker = fileURLToPath(new URL("./worker.mjs", import.meta.url));

/**
 * Runs the jobs, and resolves to their results in the same order. A job that takes longer than
 * `limit` milliseconds for each of its servers counts as crashed. One process begins with the jobs that mostly wait, while
 * the others keep the processor busy.
 */
export async function measureAll(jobs, { processes, limit, onResult, worker = usualWorker }) {
  const results = [];
  const waiting = [...jobs.entries()].toSorted(([, a], [, b]) => waits(a) - waits(b));
  const lane = async (number) => {
    let child;
    const take = () => (number === 0 ? waiting.shift() : waiting.pop());
    for (let next = take(); next !== undefined; next = take()) {
      const [index, job] = next;
      child ??= fork(worker, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
      child.send(job);
      const message = await messageOf(child, limit * (job.members?.length ?? 1));
      if (typeof message === "string") {
        child.kill("SIGKILL");
        child = undefined;
      }
      results[index] = typeof message === "string" ? { job, crashed: message } : message;
      onResult?.(results[index]);
    }
    child?.disconnect();
  };
  await Promise.all(
    Array.from({ length: Math.min(processes, jobs.length) }, (_, number) => lane(number)),
  );
  return results;
}

/** Returns 0 for a job that mostly waits and 1 for any other, so that the first come first. */
const waits = ({ needs, settings }) => (needs?.slow || settings?.timeout !== undefined ? 0 : 1);

/** Resolves to the next message of a process, or to a text that says why there is none. */
async function messageOf(child, limit) {
  const stop = new AbortController();
  const message = once(child, "message", stop).then(([result]) => result);
  const end = once(child, "exit", stop).then(() => "the process ended");
  const last = pause(limit, `took longer than ${limit} ms`, stop);
  return Promise.race([message, end, last]).finally(() => stop.abort());
}
