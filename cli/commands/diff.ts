import type { Command } from "./command.ts";
import { diffTargets } from "./diff-targets.ts";
import { comparisonOf } from "../runs/comparison.ts";
import { comparisonText } from "../runs/comparison-text.ts";
import { flagOf, flagWordOf } from "../configuration/options.ts";
import { diffOptions } from "../configuration/targets/compared-targets.ts";
import type { Problem } from "../configuration/problem.ts";
import { exitCodes } from "../output/exit-code.ts";
import { readReports } from "../runs/report-input.ts";

/**
 * Prints what differs between two reports, or between two targets. Exit code 1 if a verdict differs, or an answer that
 * both runs observed.
 */
export const diff: Command = async (invocation, io, modules) => {
  const { words, flags, problems } = invocation;
  if (flags["targets"] !== undefined) return diffTargets(invocation, io, modules);
  const needless = ["config", ...diffOptions.map(flagWordOf)].filter((name) => flags[name] !== undefined);
  const known = [...problems, ...needless.map(needsTargets)];
  const [before, after] = await readReports(words, known, io, modules);
  if (before === undefined || after === undefined) throw new TypeError("a report without a problem is missing");
  const comparison = comparisonOf(before.run, after.run);
  io.stdout(flags["json"] === true ? `${JSON.stringify(comparison, undefined, 2)}\n` : comparisonText(comparison));
  return comparison.verdicts.length + comparison.answers.length > 0 ? exitCodes.fail : exitCodes.pass;
};

const needsTargets = (name: string): Problem => ({
  where: flagOf(name),
  what: "applies only to --targets: reports are compared as they are",
  advice: "Take it out, or name two targets with --targets.",
});
