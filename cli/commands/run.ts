import { runAndReport } from "./run-and-report.ts";
import { configurationOf } from "../configuration/configuration.ts";
import type { Command } from "./command.ts";

/** Checks a target and writes the reports; with `--watch`, again and again; with `--dry-run`, not at all. */
export const run: Command = async (invocation, io, modules) => {
  const configuration = await configurationOf(invocation, io);
  if (configuration.values.dryRun?.value === true) {
    const { dryRun } = await import("../reference/dry-run.ts");
    return dryRun(configuration, io, modules);
  }
  if (configuration.values.watch?.value !== true) return runAndReport(configuration, "run", io, modules);
  const { watch } = await import("../watch/watch.ts");
  return watch(configuration, io, modules);
};
