import type { Run } from "../../model/run.ts";
import type { Io } from "./io.ts";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Secrets } from "../../reports/saving.ts";
import { toolVersion } from "../../engine/version.ts";

export const exitCodes = {
  pass: 0,
  fail: 1,
  usage: 2,
  inconclusive: 3,
  error: 4,
  interrupted: 130,
} as const;

/** What each exit code means, for the help. */
export const exitCodeTexts: readonly (readonly [number, string])[] = [
  [exitCodes.pass, "the gate passes"],
  [
    exitCodes.fail,
    "the gate fails: a MUST failed, or because of --strict, --complete, --baseline, --statement or --max-latency; diff: something differs",
  ],
  [exitCodes.usage, "wrong usage or configuration; nothing was sent"],
  [exitCodes.inconclusive, "no verdict"],
  [exitCodes.error, "an error of fxconform itself"],
  [exitCodes.interrupted, "interrupted"],
];

export function exitCodeOf(run: Pick<Run, "outcome" | "gate" | "requirements">): number {
  if (run.outcome === "error") return exitCodes.error;
  if (run.outcome === "interrupted") return exitCodes.interrupted;
  const mustFailed = run.requirements.some(
    ({ level, verdict }) => level === "MUST" && verdict === "fail",
  );
  if (run.outcome === "inconclusive" && !mustFailed) return exitCodes.inconclusive;
  return run.gate.pass ? exitCodes.pass : exitCodes.fail;
}

/**
 * Returns a signal that aborts on the first SIGINT, SIGTERM or SIGHUP; the second one ends the
 * process at once. `release` stops listening for both.
 */
export function stopSignal(io: Io): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const release = io.onInterrupt(() => {
    if (controller.signal.aborted) return io.exit(exitCodes.interrupted);
    io.stderr("\nInterrupted: writing the reports. Press Ctrl-C again to end at once.\n");
    controller.abort();
  });
  return { signal: controller.signal, release };
}

/** Resolves when the process gets SIGINT, SIGTERM or SIGHUP. */
export function untilInterrupted(io: Io): Promise<void> {
  return new Promise((done) => {
    const release = io.onInterrupt(() => {
      release();
      done();
    });
  });
}

interface Mishap {
  readonly error: unknown;
  readonly command: string;
  /** The options without secrets. They are written as JSON. */
  readonly facts?: unknown;
  /** What is masked in the printed line and in the file. @defaultValue nothing */
  readonly secrets?: Secrets;
}

/**
 * Prints an internal error in one line, writes a file that the user can attach to an issue, and
 * returns exit code 4.
 */
export function reportMishap({ error, command, facts, secrets }: Mishap, io: Io): number {
  const masked = (whole: string): string => secrets?.redact(whole) ?? whole;
  const [summary] = masked(error instanceof Error ? error.message : String(error)).split("\n", 1);
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
      writeFileSync(path, masked(text), { flag: "wx" });
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * Returns the stack of an error and of its causes. Leaves out the other members of an error,
 * because they may hold a secret that is not in the list of secrets.
 */
function stackOf(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${own}\ncaused by ${stackOf(error.cause)}` : own;
}

/**
 * Ends the process by SIGINT at once, like a program without a handler. A shell reports 130 for
 * that, too.
 */
export function endBySignal(): void {
  process.removeAllListeners("SIGINT");
  process.kill(process.pid, "SIGINT");
}
