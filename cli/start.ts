import { tmpdir } from "node:os";
import { endBySignal, exitCodes, reportMishap } from "./output/exit-code.ts";
import { processIo, type Io } from "./output/io.ts";

let io: Io = processIo(tmpdir());
let isCut = false;
/** The exit code after an error that nothing handles, once that is reported. */
let broken: Promise<number> | undefined;

/** Reports an error. If the program cannot be loaded, its own error is all that is reported. */
async function reported(error: unknown): Promise<number> {
  try {
    const { mishap } = await import("./main.ts");
    return await mishap(error, io);
  } catch (own) {
    return reportMishap({ error: own, command: "unknown" }, io);
  }
}

async function endFor(error: unknown): Promise<void> {
  broken ??= reported(error);
  process.exit(await broken);
}

for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.on(event, (error: unknown) => void endFor(error));
// Standard error may be closed, so that writing fails. That does not change the exit code.
process.stderr.on("error", () => undefined);
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // The reader of a pipe may have read enough, as in `fxconform list | head`. That does not change
  // the exit code.
  if (code === "EPIPE" || isCut) return;
  isCut = true;
  io.stderr(`fxconform: standard output cannot be written to (${code}): it is not complete.\n`);
});

const code = await ended();
// Workers and sockets may still be open and would keep the process alive, so that it is ended here.
// All output is flushed before.
for (const stream of [process.stdout, process.stderr]) {
  if (stream.writableLength > 0 && !stream.destroyed)
    await new Promise<void>((done) => void stream.write("", () => done()));
}
await new Promise((done) => setImmediate(done));
if (code === exitCodes.interrupted && isHeldUp()) endBySignal();
process.exit((await broken) ?? (isCut ? exitCodes.error : code));

/**
 * Runs the program and returns the exit code. A module that cannot be loaded is an internal error,
 * too.
 */
async function ended(): Promise<number> {
  try {
    io = processIo();
    const { main } = await import("./main.ts");
    return await main(process.argv.slice(2), io);
  } catch (error) {
    return reported(error);
  }
}

/** Whether Node cannot end yet, because the system still looks up a name. */
function isHeldUp(): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource.startsWith("GetAddrInfo"));
}
