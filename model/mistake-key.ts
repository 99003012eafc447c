import type { RequirementId } from "../spec/catalogue.ts";
import type { Deviation, Finding } from "./run.ts";

type Keyed = Pick<
  Finding,
  "expected" | "actual" | "cause" | "deviation" | "operation" | "document"
>;

/**
 * Equal for findings that one change of the server mends: findings with the same deviation.
 * Findings without a deviation have the same operation and class, or without a class the same
 * operation and requirement.
 */
export function mistakeKeyOf(finding: Keyed, requirement: RequirementId): string {
  const { deviation, cause, operation } = finding;
  // One place of a document is one mistake, whichever operations refer to it.
  if (finding.document !== undefined) {
    const { file, pointer, isOneCause } = finding.document;
    return JSON.stringify([
      isOneCause === true ? "any place" : [file, pointer],
      finding.expected,
      finding.actual,
    ]);
  }
  if (deviation !== undefined) return deviationKey(deviation);
  const parts =
    cause === undefined ? [requirement] : [cause.expected, cause.actual, cause.input ?? "class"];
  return JSON.stringify([operation, parts]);
}

/** Equal for deviations that are one mistake. */
export function deviationKey({ kind, of, expected, actual }: Deviation): string {
  return JSON.stringify([kind, of, expected, actual]);
}
