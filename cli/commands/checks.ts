import { randomBytes } from "node:crypto";
import { program } from "../../settings/command-line.ts";
import { configurationOf } from "../../settings/configuration.ts";
import { accessOptions, optionNames } from "../../settings/options.ts";
import { knownDeviations, optionsFor, withReferenceTarget } from "./reference-target.ts";
import { runAndReport } from "../runs/run-and-report.ts";
import type { Command } from "./command.ts";

/**
 * Checks a target and writes the reports. With `--watch`, the command does not end after that: it
 * checks again when the server was restarted or the user asks for it.
 */
export const run: Command = async ({ flags }, io) => {
  const configuration = await configurationOf(flags, io);
  if (!configuration.values.watch.value) return runAndReport(configuration, "run", io);
  const { watch } = await import("../runs/watch.ts");
  return watch(configuration, "run", io);
};

/**
 * Starts the reference server over HTTPS on a free port, with the faults that `--fault` names, and
 * runs every check against it.
 */
export const demo: Command = async ({ flags }, io) => {
  const faults = await knownDeviations("fault", flags["fault"]);
  const apiKey = `demo-${randomBytes(12).toString("hex")}`;
  const customerId = `customer-${randomBytes(4).toString("hex")}`;
  const configuration = await configurationOf(flags, io, {
    open: optionNames.filter((name) => !accessOptions.includes(name)),
    namedFileOnly: true,
    // Stands for the real address, which is known only after the server has started.
    defaults: {
      apiKey,
      customerId,
      profile: "full",
      ...optionsFor(faults),
      baseUrl: "https://localhost",
    },
  });
  const ids = faults.map(({ id }) => id);
  return withReferenceTarget({ apiKey, customerId, faults: ids }, async ({ baseUrl, ca }) => {
    const { target, settings, ...options } = configuration.options;
    // The server ends with this command, and `replay` would find no server: `demo` checks again.
    const replayCommand = `${program()} demo${ids.map((id) => ` --fault ${id}`).join("")} --seed ${settings.seed}`;
    const own = { ...options, settings, replayCommand, target: { ...target, baseUrl, ...ca } };
    return runAndReport({ ...configuration, options: own }, "demo", io);
  });
};
