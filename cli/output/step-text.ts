import type { PreflightStep } from "../../engine/preflight/step.ts";
import { plain } from "../../reports/sanitize.ts";

/** A step of the preflight: what was found, and below it what to change. */
export function stepText({ step, ok, found, advice }: PreflightStep): string {
  const line = `${ok ? "✓" : "✗"} ${step.padEnd(11)} ${plain(found)}`;
  return advice === undefined ? line : `${line}\n${" ".repeat(14)}${plain(advice)}`;
}
