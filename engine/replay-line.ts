import type { RequirementId } from "../spec/catalogue.ts";
import type { RunOptions } from "./options.ts";

/** The command that checks a failed requirement again, quoted for a POSIX shell. */
export const replayLine = (
  requirement: RequirementId,
  {
    program = "npx fxconform",
    reportPath = "fxconform-report/report.json",
  }: Pick<RunOptions, "program" | "reportPath">,
): string => `${program} replay ${shellWord(reportPath)} --only ${requirement}`;

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
