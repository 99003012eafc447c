import { causeGroups, type CauseMember } from "../model/causes.ts";
import type { Cause, RequirementResult } from "../model/run.ts";

/** What reports show as one failure or warning: a cause that breaks several requirements, or one requirement. */
export interface Failure {
  /** Absent where it is about one requirement alone. */
  readonly cause?: Cause;
  /** What it breaks, the requirement of the first finding first. */
  readonly rows: readonly RequirementResult[];
  /** All of it, the example first; at least one. */
  readonly members: readonly [CauseMember, ...CauseMember[]];
}

/** Failures or warnings by their cause. Causes of one requirement alone stand together under it. */
export function failuresOf(requirements: readonly RequirementResult[], verdict: "fail" | "warn"): readonly Failure[] {
  const alone = new Map<RequirementResult, CauseMember[]>();
  const failures: { cause?: Cause; members: CauseMember[] }[] = [];
  for (const { cause, members } of causeGroups(requirements)) {
    // A cause that breaks a MUST is shown once, among the failures.
    const worst = members.some(({ row }) => row.verdict === "fail") ? "fail" : "warn";
    const [first] = members;
    if (worst !== verdict || first === undefined) continue;
    const own = cause.requirements.length > 1 ? undefined : alone.get(first.row);
    if (own !== undefined) {
      own.push(...members);
      continue;
    }
    const failure = cause.requirements.length > 1 ? { cause, members: [...members] } : { members: [...members] };
    if (failure.cause === undefined) alone.set(first.row, failure.members);
    failures.push(failure);
  }
  return failures.flatMap(({ members: [first, ...others], ...rest }) => {
    if (first === undefined) return [];
    const all = [first, ...others] as const;
    return [{ ...rest, rows: [...new Set(all.map(({ row }) => row))], members: all }];
  });
}
