import { runAndReport } from "./run-and-report.ts";
import { configurationOf } from "../configuration/configuration.ts";
import type { Command } from "./command.ts";

/** Checks a target and writes the reports; with `--watch` and `--ui`, again and again; with `--dry-run`, not at all. */
export const run: Command = async (invocation, io, modules) => {
  const configuration = await configurationOf(invocation, io);
  const { watch, ui, dryRun: dry } = configuration.values;
  if (dry?.value === true) {
    const { dryRun } = await import("../reference/dry-run.ts");
    return dryRun(configuration, io, modules);
  }
  if (watch?.value !== true && ui?.value !== true) return runAndReport(configuration, "run", io, modules);
  const { runAndStay } = await import("../watch/staying.ts");
  return runAndStay(configuration, "run", io, modules);
};
