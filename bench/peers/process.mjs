// Runs a program with a hard time limit, in a process group of its own. Kills the group at the end, so that no child
// process stays.
import { spawn } from "node:child_process";

const most = 64 * 1024;
const groups = new Set();
process.on("exit", () => groups.forEach(end));

/** Resolves to `{ code, timedOut, ms, output }`, also if the program does not exist. `limit` is in ms. */
export const runLimited = (command, args, { cwd, env = {}, limit }) =>
  new Promise((resolve) => {
    const start = performance.now();
    let output = "";
    let timedOut = false;
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (child.pid !== undefined) groups.add(child.pid);
    const timer = setTimeout(() => {
      timedOut = true;
      end(child.pid);
    }, limit);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output = (output + text).slice(-most)));
    const done = (code) => {
      clearTimeout(timer);
      if (child.pid !== undefined) end(child.pid);
      groups.delete(child.pid);
      resolve({ code, timedOut, ms: Math.round(performance.now() - start), output });
    };
    child.once("error", (error) => {
      output += error.message;
      done(null);
    });
    child.once("exit", (code) => setImmediate(() => done(code)));
  });

function end(group) {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // The group is gone.
  }
}
