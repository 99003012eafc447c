import { EventEmitter } from "node:events";
import { expectedOf } from "../../engine/server/bounds.ts";
import type { RunSoFar } from "../../engine/server/control.ts";
import { runOf } from "../../engine/server/run-of.ts";
import { newRunId, toolVersion } from "../../engine/version.ts";
import { mergedRun } from "../../model/conclusion/merging.ts";
import { createStore } from "../../model/evidence/store.ts";
import type { RunOptions } from "../../model/run-options.ts";
import type { RequirementResult, Run } from "../../model/run.ts";
import type { LiveState } from "../../reports/html/live-page.ts";
import { knownMistakes } from "../../reports/html/failures.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { doneOf, timeLeft } from "../output/progress.ts";

export type WatchKnowledge = ReturnType<typeof createKnowledge>;

/** The run in progress. `part`: the requirements that it checks, if not all. */
interface CurrentRun {
  readonly part?: readonly RequirementId[] | undefined;
  /**
   * When the run started, in milliseconds since 1970. It moves on until the first request is
   * counted, so that the time for loading the code is left out.
   */
  startedAt: number;
  soFar?: RunSoFar;
}

/**
 * What a session knows of the target: the last full run, updated with what was checked again since,
 * and the run in progress.
 */
export function createKnowledge(options: RunOptions) {
  const notBegun = notBegunRun(options);
  let base: Run | undefined;
  /** The last full run as it was, without what was checked again since. */
  let whole: Run | undefined;
  /**
   * The last result of each requirement. A run that left a requirement out, such as by --bail, does
   * not change its result.
   */
  const rows = new Map<RequirementId, RequirementResult>();
  let current: CurrentRun | undefined = { startedAt: Date.now() };
  let again: ReadonlySet<RequirementId> = new Set();
  const news = new EventEmitter().setMaxListeners(0);

  /**
   * Returns the state while some requirements are checked again: as soon as a requirement has a
   * verdict, its new result replaces the last one.
   */
  const partState = (
    last: Run,
    { part = [], soFar }: CurrentRun,
  ): Pick<LiveState, "run" | "pending" | "checking"> => {
    const now = soFar?.run();
    const isOpen = (id: RequirementId): boolean =>
      now?.requirements.find((row) => row.id === id)?.verdict === "inconclusive";
    const checking = new Set(now === undefined ? part : part.filter(isOpen));
    const checked = part.filter((id) => !checking.has(id));
    const run =
      now === undefined || checked.length === 0 ? last : joined(last, now, checked, options);
    return { run, pending: new Set(), checking };
  };
  const wholeState = ({ soFar }: CurrentRun): Pick<LiveState, "run" | "pending"> => {
    const run = soFar?.run() ?? notBegun;
    const open = run.requirements.filter(({ verdict }) => verdict === "inconclusive");
    return { run, pending: new Set(open.map(({ id }) => id)) };
  };

  return {
    /** Emits the event `news` whenever `state` changes. */
    news,
    rows: (): readonly RequirementResult[] => [...rows.values()],
    state: (): LiveState => {
      const known = { again, whole, before: whole && knownMistakes(whole) };
      if (current === undefined)
        return { run: base ?? notBegun, isRunning: false, pending: new Set(), ...known };
      const { part } = current;
      const last = part === undefined ? undefined : base;
      const shown = last === undefined ? wholeState(current) : partState(last, current);
      return { ...shown, ...known, part, isRunning: true, progress: progressOf(current, options) };
    },
    /** Notes that a run of these requirements, or of all, has started. */
    started: (part?: readonly RequirementId[]): void => {
      current = { part, startedAt: Date.now() };
      news.emit("news");
    },
    updated: (update: RunSoFar): void => {
      if (current !== undefined) {
        if ((current.soFar?.progress().requests ?? 0) === 0) current.startedAt = Date.now();
        current.soFar = update;
      }
      news.emit("news");
    },
    /** Notes that a run of these requirements, or of all, has ended. */
    ended: (run: Run, ids?: readonly RequirementId[]): void => {
      if (ids === undefined) whole = run;
      base = ids === undefined || base === undefined ? run : joined(base, run, ids, options);
      const told = run.requirements.filter(
        ({ id, verdict }) => verdict !== "skip" && (ids?.includes(id) ?? true),
      );
      for (const row of told) rows.set(row.id, row);
      again = new Set(ids === undefined ? [] : [...again, ...ids]);
      current = undefined;
      news.emit("news");
    },
    rested: (): void => {
      current = undefined;
      news.emit("news");
    },
  };
}

/**
 * Returns a run in which nothing has happened yet, so that the page shows the map before the first
 * request.
 */
function notBegunRun(options: RunOptions): Run {
  return runOf(options, createStore().draft(), {
    started: new Date(),
    runId: newRunId(),
    version: toolVersion(),
    errors: [],
    bailed: false,
    interrupted: false,
  });
}

function progressOf(
  { part, startedAt, soFar }: CurrentRun,
  { settings }: RunOptions,
): LiveState["progress"] {
  const own = part === undefined ? settings : { ...settings, selection: part, fewest: true };
  const expected = expectedOf(own);
  const progress = soFar?.progress();
  const elapsed = Date.now() - startedAt;
  if (progress === undefined) return { done: 0, left: expected.seconds * 1000 };
  const rest = expected.seconds * 1000 - elapsed;
  // The time left is unknown once the run takes longer than expected, if it has sent too few
  // requests for an estimate.
  const left = timeLeft(progress, elapsed, expected.requests) ?? (rest > 0 ? rest : undefined);
  return { done: doneOf(progress, expected.requests), left, waiting: progress.waiting };
}

/**
 * Returns a run in which the results of a later run replace those of the requirements in `ids`. How
 * the run ended, for example with an error, is taken from the later run.
 */
function joined(run: Run, later: Run, ids: readonly RequirementId[], rules: RunOptions): Run {
  const requirements = run.requirements.map((row) =>
    ids.includes(row.id) ? ({ ...row, verdict: "skip", asked: 0, findings: [] } as const) : row,
  );
  const shown = new Set(
    requirements.flatMap(({ sample, findings }) => [
      sample,
      ...findings.map((one) => one.exchange),
    ]),
  );
  const exchanges = run.exchanges.filter(({ id }) => shown.has(id));
  const { error: _, ...base } = run;
  const { outcome, gate, summary, error } = later;
  return mergedRun(
    [{ ...base, outcome, gate, summary, error, requirements, exchanges }, later],
    rules,
  );
}
