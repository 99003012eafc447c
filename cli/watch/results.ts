import { EventEmitter } from "node:events";
import { expectedOf } from "../../engine/server/bounds.ts";
import type { RunSoFar } from "../../engine/server/control.ts";
import { nothingFound, runOf } from "../../engine/server/run-of.ts";
import { newRunId, toolVersion } from "../../engine/version.ts";
import { mergedRun } from "../../model/conclusion/merging.ts";
import type { RunOptions } from "../../model/run-options.ts";
import type { RequirementResult, Run } from "../../model/run.ts";
import type { LiveState } from "../../reports/html/live-page.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { doneOf, timeLeft } from "../output/progress.ts";

export type WatchResults = ReturnType<typeof createResults>;

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

/** What a session knows of the target: the last run, and how far the run in progress is. */
export function createResults(options: RunOptions) {
  const notBegun = notBegunRun(options);
  /** The last full run, with the results of what was checked again since. */
  let last: Run | undefined;
  let current: CurrentRun | undefined = { startedAt: Date.now() };
  let again: readonly RequirementId[] = [];
  const news = new EventEmitter().setMaxListeners(0);

  return {
    /** Emits the event `news` whenever `state` changes. */
    news,
    /** The last result of each requirement. */
    rows: (): readonly RequirementResult[] => last?.requirements ?? [],
    state: (): LiveState => {
      if (current === undefined) return { run: last ?? notBegun, again };
      const { part, soFar } = current;
      const isPart = part !== undefined && last !== undefined;
      const run = isPart ? last : (soFar?.run() ?? notBegun);
      const checking = isPart ? part : "everything";
      return { run: run ?? notBegun, checking, again, progress: progressOf(current, options) };
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
      last = ids === undefined || last === undefined ? run : joined(last, run, ids, options);
      again = ids === undefined ? [] : [...new Set([...again, ...ids])];
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
  return runOf(options, nothingFound(), {
    started: new Date(),
    runId: newRunId(),
    version: toolVersion(),
    errors: [],
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
  if (progress === undefined) return { done: 0, left: expected.seconds * 1000, requests: 0 };
  const rest = expected.seconds * 1000 - elapsed;
  // The time left is unknown once the run takes longer than expected, if it has sent too few
  // requests for an estimate.
  const left = timeLeft(progress, elapsed, expected.requests) ?? (rest > 0 ? rest : undefined);
  const { requests, waiting } = progress;
  return { done: doneOf(progress, expected.requests), left, requests, waiting };
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
