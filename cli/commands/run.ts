import { ask } from "./run-and-report.ts";
import { configurationOf } from "../configuration/configuration.ts";
import type { Command } from "./command.ts";

/** Asks a target and writes the reports. */
export const run: Command = async (invocation, io, parts) =>
  ask(await configurationOf(invocation, io), "run", io, parts);
