import type { RunSoFar } from "../../engine/options.ts";
import { defined } from "../../model/defined.ts";
import type { Run } from "../../model/run.ts";
import type { LiveState } from "../../reports/html/live/page.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { GateRules } from "../../model/gate.ts";
import { mergedRun } from "../runs/merging.ts";
import type { SessionView } from "./session.ts";

/** What a page shows of a session. */
interface LiveStateView {
  readonly stateOf: () => LiveState | undefined;
  readonly view: Pick<SessionView, "onStart" | "onUpdate" | "onEnd" | "onRest">;
}

/** Follows a session; calls `changed` when the page shows something else. */
export function createLiveState(rules: Omit<GateRules, "today">, changed: () => void): LiveStateView {
  /** The last full run, updated with what was checked again since. */
  let base: Run | undefined;
  let soFar: RunSoFar | undefined;
  let part: readonly RequirementId[] | undefined;
  let again: ReadonlySet<RequirementId> = new Set();
  let isRunning = true;
  const withBase = (run: Run, ids: readonly RequirementId[] | undefined): Run =>
    ids === undefined || base === undefined ? run : joined(base, run, ids, rules);
  return {
    stateOf: () => {
      const now = soFar?.run();
      const run = now === undefined ? base : withBase(now, part);
      if (run === undefined) return undefined;
      const open = isRunning && now !== undefined ? now.requirements : [];
      const concerned = new Set(part ?? run.requirements.map(({ id }) => id));
      const rows = open.filter(({ id, verdict }) => verdict === "inconclusive" && concerned.has(id));
      return { run, isRunning, pending: new Set(rows.map(({ id }) => id)), again };
    },
    view: {
      onStart: (ids) => {
        [part, isRunning, soFar] = [ids, true, undefined];
        changed();
      },
      onUpdate: (update) => {
        soFar = update;
        changed();
      },
      onEnd: (run, _, ids) => {
        base = withBase(run, ids);
        again = new Set(ids === undefined ? [] : [...again, ...ids]);
        soFar = undefined;
        changed();
      },
      onRest: () => {
        [isRunning, soFar] = [false, undefined];
        changed();
      },
    },
  };
}

/** A run with the rows of a later one in the place of its own. It ended as the later one did. */
const joined = (run: Run, later: Run, ids: readonly RequirementId[], rules: Omit<GateRules, "today">): Run => {
  const requirements = run.requirements.map((row) =>
    ids.includes(row.id) ? ({ ...row, verdict: "skip", asked: 0, findings: [] } as const) : row,
  );
  const { error: _, ...base } = run;
  const { outcome, gate, summary, error } = later;
  return mergedRun([{ ...base, outcome, gate, summary, ...defined({ error }), requirements }, later], rules);
};
