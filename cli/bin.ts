#!/usr/bin/env node
import { tmpdir } from "node:os";
import { reportMishap } from "./output/error-file.ts";
import { exitCodes } from "./output/exit-code.ts";
import { processIo } from "./output/io.ts";

let io = processIo(tmpdir());
let lost = false;

const mishap = (error: unknown): number =>
  reportMishap({ error, command: "unknown", secrets: [process.env["FXCONFORM_API_KEY"] ?? ""] }, io);

for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => process.exit(mishap(error)));
}
// Of what goes to standard error, the exit code tells the essence.
process.stderr.on("error", () => undefined);
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // The reader of a pipe may have seen enough, as in `fxconform list | head`; the exit code is told all the same.
  if (code === "EPIPE" || lost) return;
  lost = true;
  io.stderr(`fxconform: standard output cannot be written to (${code}): what it holds is not whole.\n`);
});

const code = await ended();
// Workers and sockets may linger; what was written must be out before the process ends.
for (const stream of [process.stdout, process.stderr]) {
  if (stream.writableLength > 0) await new Promise<void>((done) => void stream.write("", () => done()));
}
await new Promise((done) => setImmediate(done));
if (code === exitCodes.interrupted && isHeldUp()) endBySignal();
process.exit(lost ? exitCodes.error : code);

/** Whatever cannot be loaded or found before a command begins is an error of ours, too. */
async function ended(): Promise<number> {
  try {
    io = processIo();
    const { main } = await import("./main.ts");
    return await main(process.argv.slice(2), io);
  } catch (error) {
    return mishap(error);
  }
}

/** Node ends only once the system has answered which address a name has. */
function isHeldUp(): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource.startsWith("GetAddrInfo"));
}

/** Ends at once, as a program does that has no handler of its own; a shell tells it as 130, too. */
function endBySignal(): void {
  process.removeAllListeners("SIGINT");
  process.kill(process.pid, "SIGINT");
}
