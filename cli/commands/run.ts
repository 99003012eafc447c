import { runAndReport } from "./run-and-report.ts";
import { configurationOf } from "../configuration/configuration.ts";
import { dryRun } from "../reference/dry-run.ts";
import type { Command } from "./command.ts";

/** Checks a target and writes the reports. */
export const run: Command = async (invocation, io, modules) => {
  const configuration = await configurationOf(invocation, io);
  if (configuration.values.dryRun?.value === true) return dryRun(configuration, io, modules);
  return runAndReport(configuration, "run", io, modules);
};
