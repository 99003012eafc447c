import { runAndReport } from "../runs/run-and-report.ts";
import { configurationOf } from "../../settings/configuration.ts";
import type { Command } from "./command.ts";

/** Checks a target and writes the reports; with `--watch` and `--ui`, again and again. */
export const run: Command = async (invocation, io, modules) => {
  const configuration = await configurationOf(invocation, io);
  const { watch, ui } = configuration.values;
  if (watch?.value !== true && ui?.value !== true) return runAndReport(configuration, "run", io, modules);
  const { runAndStay } = await import("../watch/staying.ts");
  return runAndStay(configuration, "run", io, modules);
};
