import { EventEmitter } from "node:events";
import type { RunSoFar } from "../../engine/server/control.ts";
import type { GateRules } from "../../model/run-options.ts";
import type { RequirementResult, Run } from "../../model/run.ts";
import type { LiveState } from "../../reports/html/live-page.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { mergedRun } from "../../model/conclusion/merging.ts";

export type WatchKnowledge = ReturnType<typeof createKnowledge>;

/** What a session knows of the target: the last full run with what was checked again since, and the run in progress. */
export function createKnowledge(rules: Omit<GateRules, "today">) {
  let base: Run | undefined;
  /** The last result of each requirement: a run that left one out, such as by --bail, says nothing of it. */
  const rows = new Map<RequirementId, RequirementResult>();
  let soFar: RunSoFar | undefined;
  let part: readonly RequirementId[] | undefined;
  let again: ReadonlySet<RequirementId> = new Set();
  let isRunning = true;
  const news = new EventEmitter().setMaxListeners(0);
  const withBase = (run: Run, ids: readonly RequirementId[] | undefined): Run =>
    ids === undefined || base === undefined ? run : joined(base, run, ids, rules);
  return {
    /** Emits `news` when `state` is something else. */
    news,
    rows: (): readonly RequirementResult[] => [...rows.values()],
    state: (): LiveState | undefined => {
      const now = soFar?.run();
      const run = now === undefined ? base : withBase(now, part);
      if (run === undefined) return undefined;
      const open = isRunning && now !== undefined ? now.requirements : [];
      const concerned = new Set(part ?? run.requirements.map(({ id }) => id));
      const pending = open.filter(({ id, verdict }) => verdict === "inconclusive" && concerned.has(id));
      return { run, isRunning, pending: new Set(pending.map(({ id }) => id)), again, part };
    },
    /** A run has started, of these requirements or of all. */
    started: (ids?: readonly RequirementId[]): void => {
      [part, isRunning, soFar] = [ids, true, undefined];
      news.emit("news");
    },
    updated: (update: RunSoFar): void => {
      soFar = update;
      news.emit("news");
    },
    /** A run has ended that checked these requirements again, or all. */
    ended: (run: Run, ids?: readonly RequirementId[]): void => {
      base = withBase(run, ids);
      const told = run.requirements.filter(({ id, verdict }) => verdict !== "skip" && (ids?.includes(id) ?? true));
      for (const row of told) rows.set(row.id, row);
      again = new Set(ids === undefined ? [] : [...again, ...ids]);
      soFar = undefined;
      news.emit("news");
    },
    rested: (): void => {
      [isRunning, soFar] = [false, undefined];
      news.emit("news");
    },
  };
}

/** A run with the rows of a later one in the place of its own. It ended as the later one did. */
const joined = (run: Run, later: Run, ids: readonly RequirementId[], rules: Omit<GateRules, "today">): Run => {
  const requirements = run.requirements.map((row) =>
    ids.includes(row.id) ? ({ ...row, verdict: "skip", asked: 0, findings: [] } as const) : row,
  );
  const shown = new Set(
    requirements.flatMap(({ sample, findings }) => [sample, ...findings.map((one) => one.exchange)]),
  );
  const exchanges = run.exchanges.filter(({ id }) => shown.has(id));
  const { error: _, ...base } = run;
  const { outcome, gate, summary, error } = later;
  return mergedRun([{ ...base, outcome, gate, summary, error, requirements, exchanges }, later], rules);
};
