import type { PreflightStep } from "../../engine/preflight/step.ts";
import { plain } from "../../reports/sanitize.ts";

/** A step of the preflight: what was found, and below it what to change. */
export function stepText({ step, ok, found, advice }: PreflightStep): string {
  const line = `${ok ? "✓" : "✗"} ${step.padEnd(11)} ${plain(found)}`;
  return advice === undefined ? line : `${line}\n${" ".repeat(14)}${plain(advice)}`;
}

/** Prints what is wrong before a run as it is found, and what is well in one line. */
export const stepsView = (isVerbose: boolean, print: (line: string) => void) => {
  let well: readonly string[] = [];
  const printWell = (): void => {
    if (well.length > 0) print(`✓ ${well.join(", ")}`);
    well = [];
  };
  return (step: PreflightStep): void => {
    const { step: name, ok, advice } = step;
    if (isVerbose || !ok || advice !== undefined) {
      printWell();
      print(stepText(step));
    } else if (!isInRun.has(name)) well = [...well, name];
    if (name === "token") printWell();
  };
};

/** The steps that are the first successes of the run itself. */
const isInRun: ReadonlySet<string> = new Set(["list", "operation"]);
