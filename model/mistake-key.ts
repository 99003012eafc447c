import type { RequirementId } from "../spec/catalogue.ts";
import type { Deviation, Finding } from "./run.ts";

type Keyed = Pick<
  Finding,
  "expected" | "actual" | "cause" | "deviation" | "operation" | "document"
>;

/**
 * A key that is equal for findings which one change of the server mends, such as findings with the
 * same deviation. Findings without a deviation share a key if their operation and `cause` are
 * equal, or, without a `cause`, their operation and requirement.
 */
export function mistakeKeyOf(finding: Keyed, requirement: RequirementId): string {
  const { deviation, cause, operation } = finding;
  // A place in a document is a single mistake, however many operations refer to it.
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

/** A text that is equal for deviations that are one mistake. */
export function deviationKey({ kind, of, expected, actual }: Deviation): string {
  return JSON.stringify([kind, of, expected, actual]);
}
