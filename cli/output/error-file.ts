import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitCodes } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { withoutSecretWords } from "../../engine/secrets.ts";
import { toolVersion } from "../../engine/version.ts";

/** An internal error, and what the program was doing. */
interface Mishap {
  readonly error: unknown;
  readonly command: string;
  /** The options without secrets, as JSON. */
  readonly facts?: unknown;
  /** Masked everywhere. */
  readonly secrets: readonly string[];
}

/** Prints an internal error in a line, writes a file to attach to an issue, and returns exit code 4. */
export function reportMishap({ error, command, facts, secrets }: Mishap, io: Io): number {
  const [summary] = withoutSecretWords(error instanceof Error ? error.message : String(error), secrets).split("\n", 1);
  const text = [
    `fxconform ${toolVersion()}, command ${command}`,
    `Node.js ${process.version}, ${process.platform} ${process.arch}`,
    `at ${io.now().toISOString()}`,
    "",
    error instanceof Error ? stackOf(error) : String(error),
    "",
    ...(facts === undefined ? [] : [`options ${JSON.stringify(facts, undefined, 2)}`, ""]),
  ].join("\n");
  const name = `fxconform-error-${io.now().toISOString().replace(/[:.]/g, "-")}.txt`;
  const file = [io.cwd, tmpdir()].map((folder) => join(folder, name)).find((path) => written(path));
  io.stderr(`fxconform: internal error, no verdict: ${summary}\n`);
  if (file !== undefined) io.stderr(`Details, without secrets, are in ${file}\n`);
  return exitCodes.error;

  function written(path: string): boolean {
    try {
      writeFileSync(path, withoutSecretWords(text, secrets), { flag: "wx" });
      return true;
    } catch {
      return false;
    }
  }
}

function stackOf(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${own}\ncaused by ${stackOf(error.cause)}` : own;
}
