import type { Run } from "../../model/run.ts";
import type { Io } from "./io.ts";

/** The exit codes. */
export const exitCodes = {
  pass: 0,
  fail: 1,
  usage: 2,
  inconclusive: 3,
  error: 4,
  interrupted: 130,
} as const;

/** The meaning of each code, for the help. */
export const exitCodeTexts: readonly (readonly [number, string])[] = [
  [exitCodes.pass, "the gate passes"],
  [
    exitCodes.fail,
    "the gate fails: a MUST failed, or because of --strict, --baseline, --statement or --max-latency; diff: something differs",
  ],
  [exitCodes.usage, "wrong usage or configuration; nothing was sent"],
  [exitCodes.inconclusive, "no verdict"],
  [exitCodes.error, "an error of fxconform itself"],
  [exitCodes.interrupted, "interrupted"],
];

/** The exit code that a run ends with. */
export function exitCodeOf(run: Pick<Run, "outcome" | "gate" | "requirements">): number {
  if (run.outcome === "error") return exitCodes.error;
  if (run.outcome === "interrupted") return exitCodes.interrupted;
  if (run.outcome === "inconclusive" && !mustFailed(run)) return exitCodes.inconclusive;
  return run.gate.pass ? exitCodes.pass : exitCodes.fail;
}

const mustFailed = ({ requirements }: Pick<Run, "requirements">): boolean =>
  requirements.some(({ level, verdict }) => level === "MUST" && verdict === "fail");

/** Aborts on the first SIGINT or SIGTERM; a second one ends the process at once. */
export function stopSignal(io: Io): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const release = io.onInterrupt(() => {
    if (controller.signal.aborted) return io.exit(exitCodes.interrupted);
    io.stderr("\nInterrupted: writing the reports. Press Ctrl-C again to end at once.\n");
    controller.abort();
  });
  return { signal: controller.signal, release };
}

/** Resolves on SIGINT or SIGTERM. */
export const untilInterrupted = (io: Io): Promise<void> =>
  new Promise((done) => {
    const release = io.onInterrupt(() => {
      release();
      done();
    });
  });
