import { ask } from "../asking.ts";
import { configurationOf } from "../configuration.ts";
import type { Command } from "../command.ts";

/** Asks a target and writes the reports. */
export const run: Command = async (invocation, io, parts) =>
  ask(await configurationOf(invocation, io), "run", io, parts);
