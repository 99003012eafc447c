#!/usr/bin/env node
import { reportMishap } from "./error-file.ts";
import { processIo } from "./io.ts";
import { main } from "./main.ts";

const io = processIo();
const secrets = [process.env["FXCONFORM_API_KEY"] ?? ""];

// The reader of a pipe may have seen enough, as in `fxconform list | head`; the exit code is told all the same.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => process.exit(reportMishap({ error, command: "unknown", secrets }, io)));
}

const code = await main(process.argv.slice(2), io);
// Workers and sockets may linger; what was written must be out before the process ends.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
