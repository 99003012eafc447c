#!/usr/bin/env node
// This file runs on every Node that supports modules, so that it can say that a Node is too old.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

const [other] = ["bun", "deno"].filter((name) => name in process.versions);

if (other !== undefined) {
  const runtime = `${other} ${process.versions[other]}`;
  const way = other === "bun" ? "with Node, without --bun" : "with Node";
  process.stderr.write(
    `fxconform runs on Node.js 20.19 or newer; this is ${runtime} in its name. Run it ${way}.\n`,
  );
  process.exitCode = 2;
} else if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `fxconform needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
} else {
  // A signal ends the process, whatever file it reads, until a run listens. The first process of a
  // container has no such default.
  if (process.pid === 1)
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => endAtOnce(signal));
  // The thread of a run begins to load first. If it cannot be loaded, the run says so.
  if (/^(run|demo|doctor)$/.test(process.argv[2] ?? ""))
    void import("../engine/server/thread.ts").then(({ startAhead }) => startAhead(), ignored);
  void import("./start.ts").catch(reportStart);
}

/** Ends the program, unless a command has taken over: it then has a listener of its own. */
function endAtOnce(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  process.stderr.write("fxconform: interrupted.\n");
  process.exit(130);
}

function ignored(): void {
  // The program imports the module again, and reports why it cannot be loaded.
}

/**
 * Reports that the modules of the program could not be loaded. At this point nothing else can
 * report it.
 */
function reportStart(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`fxconform could not start: ${reason}. Install it again.\n`);
  process.exitCode = 4;
}
