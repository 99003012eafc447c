import { execFile } from "node:child_process";

/** Runs a program for at most `limit` seconds. Resolves to how it ended, also if it does not exist. */
export const finished = (command, args, { cwd, env, limit }) =>
  new Promise((resolve) => {
    const start = performance.now();
    const bounds = { timeout: limit * 1000, killSignal: "SIGKILL", maxBuffer: 1024 ** 3 };
    execFile(command, args, { cwd, env: { ...process.env, ...env }, ...bounds }, (error, stdout, stderr) => {
      const ms = Math.round(performance.now() - start);
      const output = stdout + stderr || (error?.message ?? "");
      resolve({ code: error?.code ?? (error ? null : 0), timedOut: error?.killed === true, ms, output });
    });
  });
