import { setTimeout as pause } from "node:timers/promises";
import type { RunOptions } from "../../model/run-options.ts";
import type { RunControl, RunSoFar } from "../../engine/server/control.ts";
import { changeOf, scenariosOf } from "../../model/conclusion/comparison.ts";
import type { VerdictChange, RequirementResult, Run } from "../../model/run.ts";
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
  /**
   * Called once for each change: a requirement is fixed, fails newly or as before, or has lost its
   * verdict.
   */
  readonly onChange?: (change: VerdictChange, row: RequirementResult) => void;
  /**
   * Called when a run has ended. For a full run, `changes` also contains the changes of the short
   * run before it, if there was one.
   */
  readonly onEnd?: (
    run: Run,
    changes: ReadonlyMap<RequirementId, VerdictChange>,
    part?: readonly RequirementId[],
  ) => void;
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
  const rows = results.rows();
  const before = new Map(rows.map((row) => [row.id, row]));
  const changes = new Map<RequirementId, VerdictChange>();
  const note = (row: RequirementResult): void => {
    const change = failureChange(before.get(row.id), row);
    if (change === undefined || changes.get(row.id) === change) return;
    changes.set(row.id, change);
    if (before.size > 0) view.onChange?.(change, row);
  };
  const control: RunControl = {
    signal,
    onUpdate: (soFar) => {
      results.updated(soFar);
      if (before.size > 0 && !signal.aborted)
        for (const row of newFailures(soFar, changes)) note(row);
    },
  };
  const started = (ids?: readonly RequirementId[]): void => {
    results.started(ids);
    view.onStart?.(ids);
  };
  const ended = (run: Run, ids?: readonly RequirementId[]): void => {
    const isTested = ids === undefined || !isUntested(run);
    // If the target cannot be tested now, what failed before still counts as failed.
    results.ended(run, isTested ? ids : []);
    if (isTested) for (const row of run.requirements) note(row);
    view.onEnd?.(run, changes, ids);
  };
  const chosen = rows.filter(({ id, verdict }) =>
    typeof what === "string" ? verdict === "fail" : what.includes(id),
  );
  if (what !== "everything" && chosen.length > 0) {
    const ids = chosen.map(({ id }) => id);
    started(ids);
    const run = await testedAgain(() => part(partOptions(options, chosen), control), signal);
    if (signal.aborted) return;
    ended(run, ids);
    // If the target could not be tested, a full run cannot test it now either.
    if (isUntested(run)) return;
  }
  if (what !== "everything" && what !== "failed first") return;
  started();
  const run = await whole(options, control);
  if (run !== undefined) ended(run);
}

/**
 * Returns how a requirement changed, or undefined if it neither failed before nor fails now. A
 * failure with another cause counts as the same failure, because a run may still find the earlier
 * cause.
 */
function failureChange(
  before: RequirementResult | undefined,
  row: RequirementResult,
): VerdictChange | undefined {
  if (row.verdict !== "fail" && before?.verdict !== "fail") return undefined;
  const change = changeOf(before, row);
  return change === "another cause" ? "still failing" : change;
}

/** The result of a run, or of a second run if the first could not test the target. */
async function testedAgain(run: () => Promise<Run>, signal: AbortSignal): Promise<Run> {
  const first = await run();
  if (!isUntested(first) || signal.aborted) return first;
  await pause(secondTry, undefined, { signal }).catch(() => undefined);
  return signal.aborted ? first : run();
}

const isUntested = (run: Run): boolean => run.outcome === "error" || !hasVerdict(run);

/** Returns the requirements that fail now and whose failure is not in `known`. */
function newFailures(
  soFar: RunSoFar,
  known: ReadonlyMap<RequirementId, VerdictChange>,
): readonly RequirementResult[] {
  const isNews = (id: RequirementId): boolean =>
    !["new failure", "still failing"].includes(known.get(id) ?? "");
  const ids = new Set([...soFar.failing()].filter(isNews));
  return ids.size === 0
    ? []
    : soFar.run().requirements.filter(({ id, verdict }) => ids.has(id) && verdict === "fail");
}

/**
 * The options of a short run that checks these requirements with the scenarios that found their
 * failures.
 */
function partOptions(options: RunOptions, rows: readonly RequirementResult[]): RunOptions {
  const selection = rows.map(({ id }) => id);
  const scenarios = scenariosOf(rows);
  const { bail: _, ...rest } = options;
  return {
    ...rest,
    settings: { ...options.settings, selection, scenarios, fewest: true },
    selected: { only: selection },
  };
}
