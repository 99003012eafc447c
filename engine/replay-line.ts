import type { RequirementId } from "../spec/catalogue.ts";
import type { RunOptions } from "../model/run-options.ts";

/** The command that checks a failed requirement again, quoted for a POSIX shell. */
export const replayLine = (
  requirement: RequirementId,
  { replayCommand = "npx fxconform replay fxconform-report/report.json" }: Pick<RunOptions, "replayCommand">,
): string => `${replayCommand} --only ${requirement}`;
