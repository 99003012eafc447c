import type { Command } from "./command.ts";
import { comparisonOf, comparisonText } from "../runs/comparison.ts";
import { exitCodes } from "../output/exit-code.ts";
import { readReports } from "../runs/report-input.ts";

/** Prints what differs between two reports. Exit code 1 if a verdict differs, or an answer that both runs observed. */
export const diff: Command = async ({ words, flags, problems }, io, modules) => {
  const [before, after] = await readReports(words, problems, io, modules);
  if (before === undefined || after === undefined) throw new TypeError("a report without a problem is missing");
  const comparison = comparisonOf(before.run, after.run);
  io.stdout(flags["json"] === true ? `${JSON.stringify(comparison, undefined, 2)}\n` : comparisonText(comparison));
  return comparison.verdicts.length + comparison.answers.length > 0 ? exitCodes.fail : exitCodes.pass;
};
