import { setTimeout as pause } from "node:timers/promises";
import type { RunOptions } from "../../model/run-options.ts";
import type { RunControl, RunSoFar } from "../../engine/options.ts";
import type { RequirementResult, Run, Verdict } from "../../model/run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";

/** What a session runs: everything, the failed requirements, these and then everything, or the given requirements. */
type Wanted = "everything" | "failed" | "failed first" | readonly RequirementId[];

export interface SessionParts {
  readonly options: RunOptions;
  /** Runs a part of the requirements, without reports. */
  readonly part: (options: RunOptions, control: RunControl) => Promise<Run>;
  /** Runs everything and writes the reports. Undefined if the signal ended the run. */
  readonly whole: (options: RunOptions, control: RunControl) => Promise<Run | undefined>;
  readonly view: SessionView;
}

export interface SessionView {
  /** A run starts; `part` has the requirements of one that does not check everything. */
  readonly onStart?: (part?: readonly RequirementId[]) => void;
  readonly onUpdate?: (soFar: RunSoFar) => void;
  /** A requirement is fixed, broken, fails as before, or has no verdict any more. Called once for each change. */
  readonly onChange?: (change: Change, row: RequirementResult) => void;
  /** A run has ended. `changes` has those since the session last rested. */
  readonly onEnd?: (run: Run, changes: ReadonlyMap<RequirementId, Change>, part?: readonly RequirementId[]) => void;
  readonly onRest?: (rows: Rows) => void;
}

export type Session = ReturnType<typeof createSession>;

/** Milliseconds after which a target that could not be tested is tried once more: it may have been restarting. */
const secondTry = 1_000;

/** Runs one thing at a time. A new request ends the current run. */
export function createSession(parts: SessionParts) {
  let rows: Rows = new Map();
  let wanted: Wanted | undefined;
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
      rows = await performed(parts, rows, what, current.signal);
      current = undefined;
      if (wanted === undefined && !isPaused && !over.signal.aborted) parts.view.onRest?.(rows);
    }
  };
  const stop = (): void => {
    current?.abort();
    wake();
  };
  return {
    start: (what: Wanted): void => {
      wanted = what;
      stop();
    },
    /** Stops the current run and starts nothing until `resume`. Requests in the meantime wait. */
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
    /** Resolves once the session was ended and nothing runs. Rejects with an internal error. */
    ended: loop(),
  };
}

/** Runs what is wanted, tells the view, and gives the rows with the new results in their place. */
async function performed(
  { options, part, whole, view }: SessionParts,
  before: Rows,
  what: Wanted,
  signal: AbortSignal,
): Promise<Rows> {
  let rows = before;
  const changes = new Map<RequirementId, Change>();
  const note = (row: RequirementResult): void => {
    const change = changeOf(before.get(row.id)?.verdict, row.verdict);
    if (change === undefined || changes.get(row.id) === change) return;
    changes.set(row.id, change);
    if (before.size > 0) view.onChange?.(change, row);
  };
  const control: RunControl = {
    signal,
    onUpdate: (soFar) => {
      view.onUpdate?.(soFar);
      if (before.size > 0 && !signal.aborted) for (const row of newFailures(soFar, changes)) note(row);
    },
  };
  const ended = (run: Run, ids?: readonly RequirementId[]): void => {
    rows = updatedRows(rows, run.requirements);
    for (const row of run.requirements) if (row.verdict !== "skip") note(row);
    view.onEnd?.(run, changes, ids);
  };
  const failed = [...before.values()].filter(({ verdict }) => verdict === "fail");
  const chosen = typeof what === "string" ? failed : [...before.values()].filter(({ id }) => what.includes(id));
  if (what !== "everything" && chosen.length > 0) {
    const ids = chosen.map(({ id }) => id);
    view.onStart?.(ids);
    const run = await testedAgain(() => part(partOptions(options, chosen), control), signal);
    if (signal.aborted) return rows;
    // What failed before still counts as failed: a full run cannot test the target now either.
    if (isUntested(run)) {
      view.onEnd?.(run, changes, ids);
      return rows;
    }
    ended(run, ids);
  }
  if (what !== "everything" && what !== "failed first") return rows;
  view.onStart?.();
  const run = await whole(options, control);
  if (run !== undefined) ended(run);
  return rows;
}

/** The run, or a second one if the first could not test the target. */
async function testedAgain(run: () => Promise<Run>, signal: AbortSignal): Promise<Run> {
  const first = await run();
  if (!isUntested(first) || signal.aborted) return first;
  await pause(secondTry, undefined, { signal }).catch(() => undefined);
  return signal.aborted ? first : run();
}

const isUntested = ({ outcome }: Run): boolean => outcome === "inconclusive" || outcome === "error";

/** Requirements that fail now, and did not when this was asked last. */
const newFailures = (soFar: RunSoFar, known: ReadonlyMap<RequirementId, Change>): readonly RequirementResult[] => {
  const isNews = (id: RequirementId): boolean => !["broken", "still failing"].includes(known.get(id) ?? "");
  const ids = new Set([...soFar.failing()].filter(isNews));
  return ids.size === 0 ? [] : soFar.run().requirements.filter(({ id, verdict }) => ids.has(id) && verdict === "fail");
};

/** Options of a short run that checks these requirements by the scenarios that found their failures. */
function partOptions(options: RunOptions, rows: readonly RequirementResult[]): RunOptions {
  const selection = rows.map(({ id }) => id);
  const scenarios = [...new Set(rows.flatMap(({ findings }) => findings.flatMap(({ scenario }) => scenario ?? [])))];
  const { bail: _, ...rest } = options;
  return {
    ...rest,
    settings: { ...options.settings, selection, scenarios, fewest: true },
    selected: { only: selection },
  };
}

/** How a requirement differs from the last time, or that it fails as it did. */
export type Change = "fixed" | "broken" | "still failing" | "no verdict";

export type Rows = ReadonlyMap<RequirementId, RequirementResult>;

/** The change of a requirement; undefined if there is nothing to say, for example because it was not checked. */
export function changeOf(before: Verdict | undefined, after: Verdict): Change | undefined {
  if (after === "fail") return before === "fail" ? "still failing" : "broken";
  if (before !== "fail") return undefined;
  return after === "pass" || after === "warn" ? "fixed" : after === "inconclusive" ? "no verdict" : undefined;
}

export const updatedRows = (before: Rows, newer: readonly RequirementResult[]): Rows =>
  new Map([...before, ...newer.filter(({ verdict }) => verdict !== "skip").map((row) => [row.id, row] as const)]);
