import { setTimeout as pause } from "node:timers/promises";
import type { RunOptions } from "../../model/run-options.ts";
import type { RunControl } from "../../engine/server/control.ts";
import { scenariosOf } from "../../model/conclusion/comparison.ts";
import type { RequirementResult, Run } from "../../model/run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { WatchResults } from "./results.ts";
import { hasVerdict } from "../../model/conclusion/outcome.ts";

/**
 * What a session runs: everything, the failed requirements, the failed ones and then everything, or
 * the given requirements.
 */
type WantedRun = "everything" | "failed" | "failed first" | readonly RequirementId[];

export interface WatchSessionParts {
  readonly options: RunOptions;
  /** Checks some requirements, and writes no reports. */
  readonly part: (options: RunOptions, control: RunControl) => Promise<Run>;
  /** Checks everything, and writes the reports. Returns undefined if the signal ended the run. */
  readonly whole: (options: RunOptions, control: RunControl) => Promise<Run | undefined>;
  readonly results: WatchResults;
  readonly view: SessionView;
}

export interface SessionView {
  /** Called when a run starts. `part`: the requirements that it checks, if not all. */
  readonly onStart?: (part?: readonly RequirementId[]) => void;
  /** Called when a run has ended. `before`: the earlier results of what it checked, if not all. */
  readonly onEnd?: (run: Run, before?: readonly RequirementResult[]) => void;
  readonly onRest?: () => void;
}

export type WatchSession = ReturnType<typeof createSession>;

/**
 * A target that could not be tested is tried once more after this many milliseconds, as it may have
 * been restarting.
 */
const secondTry = 1_000;

/**
 * Makes a session. It performs one request (`WantedRun`) at a time, and a new request ends the
 * current run.
 */
export function createSession(parts: WatchSessionParts) {
  let wanted: WantedRun | undefined;
  let current: AbortController | undefined;
  const over = new AbortController();
  let isPaused = false;
  let wake = (): void => undefined;

  const loop = async (): Promise<void> => {
    while (!over.signal.aborted) {
      if (wanted === undefined || isPaused) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      const what = wanted;
      wanted = undefined;
      current = new AbortController();
      await performed(parts, what, current.signal);
      current = undefined;
      if (wanted !== undefined || isPaused || over.signal.aborted) continue;
      parts.results.rested();
      parts.view.onRest?.();
    }
  };
  const stop = (): void => {
    current?.abort();
    wake();
  };
  return {
    start: (what: WantedRun): void => {
      wanted = what;
      stop();
    },
    /**
     * Stops the current run and starts nothing until `resume`. Then performs the last request, or
     * `failed first` if there was none and a run was stopped.
     */
    pause: (): void => {
      isPaused = true;
      if (current !== undefined) wanted ??= "failed first";
      stop();
    },
    resume: (): void => {
      isPaused = false;
      wake();
    },
    end: (): void => {
      over.abort();
      stop();
    },
    isRunning: (): boolean => current !== undefined,
    /** Resolves when the session was ended and nothing runs. Rejects with an internal error. */
    ended: loop(),
  };
}

/** Runs what is wanted (`what`), and tells the results and the view. */
async function performed(
  { options, part, whole, results, view }: WatchSessionParts,
  what: WantedRun,
  signal: AbortSignal,
): Promise<void> {
  const control: RunControl = { signal, onUpdate: results.updated };
  const started = (ids?: readonly RequirementId[]): void => {
    results.started(ids);
    view.onStart?.(ids);
  };
  const chosen = results
    .rows()
    .filter(({ id, verdict }) =>
      typeof what === "string" ? verdict === "fail" : what.includes(id),
    );
  if (what !== "everything" && chosen.length > 0) {
    const ids = chosen.map(({ id }) => id);
    started(ids);
    const run = await testedAgain(() => part(partOptions(options, chosen), control), signal);
    if (signal.aborted) return;
    // If the target cannot be tested now, what failed before still counts as failed.
    results.ended(run, isUntested(run) ? [] : ids);
    view.onEnd?.(run, chosen);
    // If the target could not be tested, a full run cannot test it now either.
    if (isUntested(run)) return;
  }
  if (what !== "everything" && what !== "failed first") return;
  started();
  const run = await whole(options, control);
  if (run === undefined) return;
  results.ended(run);
  view.onEnd?.(run);
}

/** The result of a run, or of a second run if the first could not test the target. */
async function testedAgain(run: () => Promise<Run>, signal: AbortSignal): Promise<Run> {
  const first = await run();
  if (!isUntested(first) || signal.aborted) return first;
  await pause(secondTry, undefined, { signal }).catch(() => undefined);
  return signal.aborted ? first : run();
}

const isUntested = (run: Run): boolean => run.outcome === "error" || !hasVerdict(run);

/**
 * The options of a short run that checks these requirements with the scenarios that found their
 * failures.
 */
function partOptions(options: RunOptions, rows: readonly RequirementResult[]): RunOptions {
  const selection = rows.map(({ id }) => id);
  const scenarios = scenariosOf(rows);
  return {
    ...options,
    settings: { ...options.settings, selection, scenarios, fewest: true },
    selected: { only: selection },
  };
}
