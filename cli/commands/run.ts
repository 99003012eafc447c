import { runAndReport } from "./run-and-report.ts";
import { configurationOf } from "../configuration/configuration.ts";
import type { Command } from "./command.ts";

/** Checks a target and writes the reports. */
export const run: Command = async (invocation, io, modules) =>
  runAndReport(await configurationOf(invocation, io), "run", io, modules);
