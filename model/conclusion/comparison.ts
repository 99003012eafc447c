import { mistakeKey } from "../mistake.ts";
import type { VerdictChange, Finding, RequirementResult, Run, SinceLast } from "../run.ts";
import { hasVerdict } from "./outcome.ts";

/** All changes that a requirement can have, in the order in which reports count them. */
const changeKinds = [
  "new failure",
  "another cause",
  "still failing",
  "no verdict",
  "fixed",
] as const satisfies readonly VerdictChange[];

/** The members of a requirement's result that a comparison reads. */
type Compared = Pick<RequirementResult, "id" | "verdict" | "findings">;

/**
 * What became of a requirement from one run to a later one. Every command that compares runs uses
 * this function. Undefined if the requirement failed in neither run, or if the later run left it
 * out.
 */
export function changeOf(before: Compared | undefined, after: Compared): VerdictChange | undefined {
  if (hasFailed(after)) {
    if (before === undefined || !hasFailed(before)) return "new failure";
    return shareFinding(before, after) ? "still failing" : "another cause";
  }
  if (before === undefined || !hasFailed(before) || after.verdict === "skip") return undefined;
  return after.verdict === "pass" ? "fixed" : "no verdict";
}

const hasFailed = ({ verdict }: Compared): boolean => verdict === "fail" || verdict === "warn";

/**
 * Whether both runs have a finding with the same kind of request and the same cause. Samples and ids
 * may differ.
 */
function shareFinding(before: Compared, after: Compared): boolean {
  // What crashes share is found out from all requests of a run, so that it is not compared.
  const nameOf = ({ mistake }: Finding): string =>
    mistakeKey(mistake.kind === "crash" ? { ...mistake, of: "" } : mistake);
  const keyOf = (one: Finding): string => JSON.stringify([one.intent, one.operation, nameOf(one)]);
  const known = new Set(before.findings.map(keyOf));
  return after.findings.some((one) => known.has(keyOf(one)));
}

/**
 * The requirements that failed in at least one of two runs, each with its change, in the order of
 * the later run. A requirement with a warning alone is left out.
 */
export function changesBetween(before: Run, after: Run): SinceLast["changes"] {
  const earlier = new Map(before.requirements.map((row) => [row.id, row]));
  return after.requirements.flatMap((row) => {
    const old = earlier.get(row.id);
    const change =
      row.verdict === "fail" || old?.verdict === "fail" ? changeOf(old, row) : undefined;
    return change === undefined ? [] : [{ requirement: row.id, change }];
  });
}

function nameOf(kind: VerdictChange, count: number): string {
  if (kind === "another cause") return "failing for another cause";
  return kind === "new failure" && count > 1 ? "new failures" : kind;
}

/**
 * The numbers of changes by kind: `2 new failures, 1 still failing, 3 fixed`. Empty without
 * changes.
 */
export function countsText(changes: readonly VerdictChange[]): string {
  const texts = changeKinds.flatMap((kind) => {
    const count = changes.filter((change) => change === kind).length;
    return count === 0 ? [] : [`${count} ${nameOf(kind, count)}`];
  });
  return texts.join(", ");
}

/**
 * What changed since an earlier run. Undefined if the runs differ in target, profile or selection,
 * or if one of them has no verdict.
 */
export function sinceLast(before: Run, after: Run): SinceLast | undefined {
  if (!hasVerdict(before) || !hasVerdict(after) || scopeOf(before) !== scopeOf(after))
    return undefined;
  return { startedAt: before.startedAt, changes: changesBetween(before, after) };
}

/**
 * A run that checks some requirements of an earlier run again, with what became of each: one that
 * the later run left out has no verdict.
 */
export function comparedWith(before: Run, after: Run): Run {
  const now = new Map(after.requirements.map((row) => [row.id, row]));
  const changes = before.requirements.map((row) => {
    const later = now.get(row.id);
    const change = (later && changeOf(row, later)) ?? "no verdict";
    return { requirement: row.id, change };
  });
  return { ...after, sinceLast: { startedAt: before.startedAt, changes } };
}

function scopeOf({ target, profile, selection }: Run): string {
  return JSON.stringify([target.baseUrl, profile, selection?.only ?? [], selection?.exclude ?? []]);
}

/**
 * The ids of the scenarios that found the failures of these requirements, each once, so that a
 * replay can run them again.
 */
export function scenariosOf(
  rows: readonly Pick<RequirementResult, "findings">[],
): readonly string[] {
  return [
    ...new Set(rows.flatMap(({ findings }) => findings.flatMap(({ scenario }) => scenario ?? []))),
  ];
}
