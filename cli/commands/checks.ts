import { randomBytes } from "node:crypto";
import { withoutSecrets } from "../../engine/secrets.ts";
import { secretsOf } from "../../model/target.ts";
import { program } from "../../settings/command-line.ts";
import { configurationOf, type Configuration } from "../../settings/configuration.ts";
import { accessOptions } from "../../settings/options.ts";
import { problemCollector } from "../../settings/problem.ts";
import { exitCodes, stopSignal } from "../output/exit-code.ts";
import type { Io } from "../output/io.ts";
import { stepText } from "../output/progress.ts";
import { knownDeviations, optionsFor, withReferenceTarget } from "../reference/reference-target.ts";
import { runAndReport } from "../runs/run-and-report.ts";
import type { Command } from "./command.ts";

/** Checks a target and writes the reports; with `--watch` and `--ui`, again and again. */
export const run: Command = async (invocation, io) => checked(await configurationOf(invocation, io), "run", io);

/** Starts the reference server over HTTPS on a free port, with faults if some are named, and runs every check against it. */
export const demo: Command = async (invocation, io) => {
  const collected = problemCollector(invocation.problems);
  const faults = await knownDeviations("fault", invocation.flags["fault"]);
  collected.add(faults.problems);
  const apiKey = `demo-${randomBytes(12).toString("hex")}`;
  const customerId = `customer-${randomBytes(4).toString("hex")}`;
  const defaults = { apiKey, customerId, profile: "full", ...optionsFor(faults.found) } as const;
  const presets = { owned: accessOptions, namedFileOnly: true } as const;
  const given = { ...invocation, problems: collected.problems };
  // Wrong options are reported before a server is started.
  await configurationOf(given, io, { ...presets, defaults: { ...defaults, baseUrl: "https://localhost" } });

  const ids = faults.found.map(({ id }) => id);
  return withReferenceTarget({ apiKey, customerId, faults: ids }, async ({ baseUrl, caFile }) => {
    const own = { ...presets, defaults: { ...defaults, baseUrl, ca: caFile } };
    const configuration = await configurationOf(given, io, own);
    // The server ends with this command, so a report cannot be replayed against it.
    const faultWords = ids.map((id) => ` --fault ${id}`).join("");
    const replayCommand = `${program} demo${faultWords} --seed ${configuration.options.settings.seed}`;
    return checked({ ...configuration, options: { ...configuration.options, replayCommand } }, "demo", io);
  });
};

async function checked(configuration: Configuration, command: string, io: Io): Promise<number> {
  const { watch, ui } = configuration.values;
  if (watch?.value !== true && ui?.value !== true) return runAndReport(configuration, command, io);
  const { runAndStay } = await import("../watch/staying.ts");
  return runAndStay(configuration, command, io);
}

/** The preflight without a run: prints each step of reaching the target, and what to fix if one fails. */
export const doctor: Command = async (invocation, io) => {
  const { options, warnings } = await configurationOf(invocation, io, { reportless: true });
  for (const warning of warnings) io.stderr(`Warning: ${warning}\n`);
  const { target, settings } = options;
  if (settings.profile === "full") {
    io.stderr(
      `Creates one counterparty and one operation at ${target.baseUrl}; their ids are printed below. ` +
        "With --profile smoke nothing is created.\n",
    );
  }
  const stop = stopSignal(io);
  try {
    const { preflight } = await import("../../engine/preflight.ts");
    const steps = await preflight(options, { signal: stop.signal });
    const secrets = secretsOf(target).map(({ value }) => value);
    io.stdout(`${withoutSecrets(steps.map(stepText).join("\n"), secrets)}\n`);
    if (stop.signal.aborted) return exitCodes.interrupted;
    const ready = steps.length > 0 && steps.every(({ ok }) => ok);
    io.stdout(ready ? `\nReady for ${program} run.\n` : "\nNot ready: fix the steps marked with ✗.\n");
    return ready ? exitCodes.pass : exitCodes.inconclusive;
  } finally {
    stop.release();
  }
};
