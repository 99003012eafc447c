import { stackOf } from "../../harness/errors.ts";
import type { WorkerInput } from "./worker/run-context.ts";
import type { Parcel, Evidence, Progress, TargetStep } from "../../model/evidence/evidence.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";
import { judgedInSmoke } from "../../spec/catalogue.ts";
import { runBound } from "./announcement.ts";
import type { RunOptions } from "../../model/run-options.ts";
import { timeBoundOf } from "../../model/target.ts";
import { createRecorder } from "../../model/evidence/recorder.ts";
import type { PreparedWorker, WorkerEnd } from "./thread.ts";

export interface RunControl {
  readonly onProgress?: (progress: Progress) => void;
  readonly onStep?: (step: TargetStep) => void;
  /**
   * Aborts the run, which then resolves to what was found so far, with the outcome `interrupted`.
   */
  readonly signal?: AbortSignal;
  /**
   * Learns each secret of the run (the key, tokens, values derived from them), so that reports can
   * be searched for it. @defaultValue one that ends with the run
   */
  readonly redaction?: Redaction;
  /** Called with each exchange as an entry of a HAR file, if the settings ask for a recording. */
  readonly onRecorded?: (entry: string) => void;
}

/**
 * How long a stopped worker may take to end, in milliseconds. After an interruption the time is
 * short, because the user waits for it.
 */
const stopTimes = { interrupted: 700, overdue: 3000 };

/** After what time a run of slow responses is looked at again, in milliseconds. */
const again = 1000;

/** Runs a worker, and resolves to what it found last and how it ended, however it ends. */
export async function supervised(
  worker: PreparedWorker,
  input: WorkerInput,
  options: RunOptions,
  control: RunControl,
) {
  const { signal } = control;
  let evidence = createRecorder().evidence();
  let told = 0;
  let isSlow = false;
  const take = (parcel: Parcel): void => {
    if (isOver) return;
    for (const secret of parcel.secrets ?? []) control.redaction?.add(secret, "token");
    for (const entry of parcel.har ?? []) control.onRecorded?.(entry);
    isSlow = parcel.isSlow ?? isSlow;
    if (parcel.progress !== undefined) control.onProgress?.(parcel.progress);
    if (parcel.evidence === undefined) return;
    ({ evidence } = parcel);
    const { steps } = evidence.progress;
    for (const step of steps.slice(told)) control.onStep?.(step);
    told = steps.length;
  };
  let isOver = false;
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, act: () => void): void => void timers.push(setTimeout(act, ms));
  let giveUp = (): void => undefined;
  const givenUp = new Promise<WorkerEnd>((resolve) => {
    // A large body of the server can keep the worker busy for longer than it has time to end. That it
    // is ended then is no error of the worker.
    giveUp = () => {
      resolve({ errors: [] });
      void worker.end();
    };
  });
  /** Gives the worker time to end by itself, then ends it and goes on without it. */
  const stop = (within: number): void => {
    worker.stop();
    after(within, () => giveUp());
  };
  const interrupt = (): void => stop(stopTimes.interrupted);
  signal?.addEventListener("abort", interrupt, { once: true });
  const bound = runBound(options.settings);
  const usual = timeBoundOf(options.settings)?.whole ?? bound;
  let overdue: string | undefined;
  /** Ends a run in time for what was announced: for slow responses, that is the longer bound. */
  const endAfter = (within: number): void => {
    if (overdue !== undefined) return;
    if (isSlow && within < bound) return after(again, () => endAfter(within));
    overdue = `the run did not end within ${Math.round(within / 1000)} s (--max-time)`;
    stop(stopTimes.overdue);
  };
  for (const within of [usual, bound])
    after(Math.max(within / 2, within - stopTimes.overdue), () => endAfter(within));
  try {
    const running = worker.run(input, take);
    if (signal?.aborted === true) interrupt();
    const end = await Promise.race([running, givenUp]);
    const left = overdue === undefined ? undone(options, evidence) : [];
    // If an interruption left out scenarios, that is no error.
    const errors = signal?.aborted === true ? [] : [...end.errors, ...left];
    return { evidence, errors, overdue };
  } catch (error) {
    return { evidence, errors: [stackOf(error)], overdue };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", interrupt);
    isOver = true;
  }
}

function undone(options: RunOptions, { progress }: Evidence): readonly string[] {
  const { done, planned, isEnded, steps } = progress;
  const { selection, profile } = options.settings;
  const isNothing =
    planned === 0 && selection.some((id) => profile === "full" || judgedInSmoke(id));
  const isWhole = isEnded && done === planned && !isNothing;
  return isWhole || steps.some(({ stops }) => stops === true)
    ? []
    : [`the run ended after ${done} of ${planned} scenarios`];
}
