// Runs jobs on a few child processes and passes each result on as it arrives.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const worker = fileURLToPath(new URL("./worker.mjs", import.meta.url));

/** Resolves to the results in the order of the jobs. A job that takes longer than `limit` ms counts as crashed. */
export const measureAll = (jobs, { processes, limit, onResult }) =>
  new Promise((resolve) => {
    const results = [];
    let next = 0;
    let running = 0;
    const start = () => {
      running += 1;
      const child = fork(worker, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
      let index = -1;
      let timer;
      const done = (result) => {
        clearTimeout(timer);
        if (index >= 0 && results[index] === undefined) {
          results[index] = result;
          onResult?.(result);
        }
      };
      const give = () => {
        if (next >= jobs.length) return child.disconnect();
        index = next++;
        timer = setTimeout(() => {
          done({ job: jobs[index], crashed: `took longer than ${limit} ms` });
          child.kill("SIGKILL");
        }, limit);
        child.send(jobs[index]);
      };
      child.on("message", (message) => {
        if (message !== "ready") done(message);
        give();
      });
      child.on("exit", () => {
        done({ job: jobs[index], crashed: "the process ended" });
        running -= 1;
        if (next < jobs.length) start();
        else if (running === 0) resolve(results);
      });
    };
    for (let i = 0; i < Math.min(processes, jobs.length); i++) start();
    if (jobs.length === 0) resolve([]);
  });
