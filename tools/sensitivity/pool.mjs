import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { membersOf } from "./jobs.mjs";

const worker = fileURLToPath(new URL("./worker.mjs", import.meta.url));

/**
 * Runs the jobs, and resolves to all their results. A job that takes longer than `limit`
 * milliseconds for each of its deviations counts as crashed. One process begins with the jobs that
 * mostly wait, while the others keep the processor busy.
 */
export async function measureAll(jobs, { processes, limit, onResults }) {
  const results = [];
  const waits = (job) => (membersOf(job).some(({ needs }) => needs?.slow) ? 0 : 1);
  const waiting = jobs.toSorted((a, b) => waits(a) - waits(b));
  const lane = async (number) => {
    let child;
    const take = () => (number === 0 ? waiting.shift() : waiting.pop());
    for (let job = take(); job !== undefined; job = take()) {
      child ??= fork(worker, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
      child.send(job);
      const message = await messageOf(child, limit * Math.max(1, job.ids.length));
      const isCrash = typeof message === "string";
      if (isCrash) {
        child.kill("SIGKILL");
        child = undefined;
      }
      const own = isCrash ? [{ job, crashed: message }] : message;
      results.push(...own);
      onResults(own);
    }
    child?.disconnect();
  };
  await Promise.all(
    Array.from({ length: Math.min(processes, jobs.length) }, (_, number) => lane(number)),
  );
  return results;
}

/** Resolves to the next message of a process, or to a text that says why there is none. */
async function messageOf(child, limit) {
  const stop = new AbortController();
  const message = once(child, "message", stop).then(([results]) => results);
  const end = once(child, "exit", stop).then(() => "the process ended");
  const last = pause(limit, `took longer than ${limit} ms`, stop);
  return Promise.race([message, end, last]).finally(() => stop.abort());
}
