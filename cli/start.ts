import { tmpdir } from "node:os";
import { redactionOf } from "../model/evidence/redaction.ts";
import { endBySignal, exitCodes, reportMishap } from "./output/exit-code.ts";
import { processIo, type Io } from "./output/io.ts";

let io: Io = processIo(tmpdir());
let isCut = false;

function mishap(error: unknown): number {
  return reportMishap(
    { error, command: "unknown", secrets: redactionOf([process.env["FXCONFORM_API_KEY"] ?? ""]) },
    io,
  );
}

for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => process.exit(mishap(error)));
}
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
process.exit(isCut ? exitCodes.error : code);

/**
 * Runs the program and returns the exit code. A module that cannot be loaded is an internal error,
 * too.
 */
async function ended(): Promise<number> {
  try {
    io = processIo();
    const { main } = await import("./main.ts");
    const here = io;
    return await main(process.argv.slice(2), {
      ...here,
      guarded: async (command) => (await import("./guarded.ts")).guardedCommand(command, here),
    });
  } catch (error) {
    return mishap(error);
  }
}

/** Whether Node cannot end yet, because the system still looks up a name. */
function isHeldUp(): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource.startsWith("GetAddrInfo"));
}
