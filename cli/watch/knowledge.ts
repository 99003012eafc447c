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

/** A run in progress: of these requirements, or of all. */
interface CurrentRun {
  readonly part?: readonly RequirementId[] | undefined;
  /**
   * Milliseconds since 1970; from the first response on, when that came: before it, the code is
   * loaded.
   */
  startedAt: number;
  soFar?: RunSoFar;
}

/**
 * What a session knows of the target: the last full run with what was checked again since, and the
 * run in progress.
 */
export function createKnowledge(options: RunOptions) {
  const notBegun = notBegunRun(options);
  let base: Run | undefined;
  /** The last full run, which nothing that was checked since changes. */
  let whole: Run | undefined;
  /**
   * The last result of each requirement: a run that left one out, such as by --bail, says nothing
   * of it.
   */
  const rows = new Map<RequirementId, RequirementResult>();
  let current: CurrentRun | undefined = { startedAt: Date.now() };
  let again: ReadonlySet<RequirementId> = new Set();
  const news = new EventEmitter().setMaxListeners(0);

  /** What was checked again stands in the place of the last result as soon as it has a verdict. */
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
    /** Emits `news` when `state` is something else. */
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
    /** A run has started, of these requirements or of all. */
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
    /** A run has ended that checked these requirements again, or all. */
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

/** A run of which nothing has begun: the map is there before the first request. */
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
  const left =
    timeLeft(progress, elapsed, expected.requests) ??
    Math.max(0, expected.seconds * 1000 - elapsed);
  return { done: doneOf(progress, expected.requests), left, waiting: progress.waiting };
}

/** A run with the rows of a later one in the place of its own. It ended as the later one did. */
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
