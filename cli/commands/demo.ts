import { randomBytes } from "node:crypto";
import { runAndReport } from "../runs/run-and-report.ts";
import type { Command } from "./command.ts";
import { configurationOf } from "../../settings/configuration.ts";
import { accessOptions } from "../../settings/options.ts";
import { problemCollector } from "../../settings/problem.ts";
import { program } from "../../settings/command-line.ts";
import { withReferenceTarget } from "../reference/reference-target.ts";
import { knownDeviations, optionsFor } from "../reference/deviations.ts";

/** Starts the reference server over HTTPS on a free port, with faults if some are named, and runs every check against it. */
export const demo: Command = async (invocation, io, modules) => {
  const collected = problemCollector(invocation.problems);
  const faults = await knownDeviations("fault", invocation.flags["fault"], modules.faults);
  collected.add(faults.problems);
  const apiKey = `demo-${randomBytes(12).toString("hex")}`;
  const customerId = `customer-${randomBytes(4).toString("hex")}`;
  const defaults = { apiKey, customerId, profile: "full", ...optionsFor(faults.found) } as const;
  const presets = { owned: accessOptions, namedFileOnly: true } as const;
  const given = { ...invocation, problems: collected.problems };
  // Wrong options are reported before a server is started.
  await configurationOf(given, io, { ...presets, defaults: { ...defaults, baseUrl: "https://localhost" } });

  const ids = faults.found.map(({ id }) => id);
  return withReferenceTarget({ apiKey, customerId, faults: ids }, modules, async ({ baseUrl, caFile }) => {
    const own = { ...presets, defaults: { ...defaults, baseUrl, ca: caFile } };
    const configuration = await configurationOf(given, io, own);
    // The server ends with this command, so a report cannot be replayed against it.
    const faultWords = ids.map((id) => ` --fault ${id}`).join("");
    const replayCommand = `${program} demo${faultWords} --seed ${configuration.options.settings.seed}`;
    const options = { ...configuration.options, replayCommand };
    if (configuration.values.ui?.value !== true) {
      return runAndReport({ ...configuration, options }, "demo", io, modules);
    }
    const { runAndStay } = await import("../watch/staying.ts");
    return runAndStay({ ...configuration, options }, "demo", io, modules);
  });
};
