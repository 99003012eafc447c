import { randomBytes } from "node:crypto";
import { withoutSecrets } from "../../engine/secrets.ts";
import type { PreflightStep } from "../../model/evidence.ts";
import type { Run } from "../../model/run.ts";
import { secretsOf } from "../../model/target.ts";
import { program } from "../../settings/command-line.ts";
import { configurationOf, type Configuration } from "../../settings/configuration.ts";
import { accessOptions, optionNames } from "../../settings/options.ts";
import { exitCodes, reportMishap, stopSignal } from "../output/exit-code.ts";
import type { Io } from "../output/io.ts";
import { stepText } from "../output/progress.ts";
import { knownDeviations, optionsFor, withReferenceTarget } from "../reference/reference-target.ts";
import { factsOf, runAndReport } from "../runs/run-and-report.ts";
import type { Command } from "./command.ts";

/** Checks a target and writes the reports; with `--watch` and `--ui`, again and again. */
export const run: Command = async ({ flags }, io) =>
  checked(await configurationOf(flags, io, { sparesFuller: true }), "run", io);

/** Starts the reference server over HTTPS on a free port, with faults if some are named, and runs every check against it. */
export const demo: Command = async ({ flags }, io) => {
  const faults = await knownDeviations("fault", flags["fault"]);
  const apiKey = `demo-${randomBytes(12).toString("hex")}`;
  const customerId = `customer-${randomBytes(4).toString("hex")}`;
  const configuration = await configurationOf(flags, io, {
    open: optionNames.filter((name) => !accessOptions.includes(name)),
    namedFileOnly: true,
    sparesFuller: true,
    // The address is known once the server has started.
    defaults: { apiKey, customerId, profile: "full", ...optionsFor(faults), baseUrl: "https://localhost" },
  });
  const ids = faults.map(({ id }) => id);
  return withReferenceTarget({ apiKey, customerId, faults: ids }, async ({ baseUrl, ca }) => {
    const { target, settings, ...options } = configuration.options;
    // The server ends with this command, so a report cannot be replayed against it.
    const replayCommand = `${program} demo${ids.map((id) => ` --fault ${id}`).join("")} --seed ${settings.seed}`;
    const own = { ...options, settings, replayCommand, target: { ...target, baseUrl, ...ca } };
    return checked({ ...configuration, options: own }, "demo", io);
  });
};

async function checked(configuration: Configuration, command: string, io: Io): Promise<number> {
  const { watch, ui } = configuration.values;
  if (watch?.value !== true && ui?.value !== true) return runAndReport(configuration, command, io);
  const { runAndStay } = await import("../watch/staying.ts");
  return runAndStay(configuration, command, io);
}

/** What says whether the list and, in `full`, an operation work: a run of two scenarios that send three requests. */
const steps = { list: "BATCH-20", operation: "OPER-01" } as const;

/** Prints each step of reaching the target, and what to fix if one fails. */
export const doctor: Command = async ({ flags }, io) => {
  const configuration = await configurationOf(flags, io);
  const { options, warnings } = configuration;
  for (const warning of warnings) io.stderr(`Warning: ${warning}\n`);
  const { target, settings } = options;
  const selection = settings.profile === "full" ? [steps.list, steps.operation] : [steps.list];
  if (settings.profile === "full") {
    io.stderr(
      `Creates one counterparty and one operation at ${target.baseUrl}, and more operations if their response is wrong; ` +
        "their ids are printed below. With --profile smoke nothing is created.\n",
    );
  }
  const stop = stopSignal(io);
  try {
    const before: PreflightStep[] = [];
    const start = await io.modules.run();
    const run = await start(
      { ...options, settings: { ...settings, selection, fewest: true } },
      { signal: stop.signal, onStep: (step) => before.push(step) },
    );
    const secrets = secretsOf(target).map(({ value }) => value);
    const all = before.some(({ stops }) => stops === true) ? before : [...before, ...stepsOf(run)];
    io.stdout(`${withoutSecrets(all.map(stepText).join("\n"), secrets)}\n`);
    if (stop.signal.aborted) return exitCodes.interrupted;
    if (run.outcome === "error")
      return reportMishap({ error: run.error, command: "doctor", facts: factsOf(configuration), secrets }, io);
    const ready = all.every(({ ok }) => ok);
    io.stdout(ready ? `\nReady for ${program} run.\n` : "\nNot ready: fix the steps marked with ✗.\n");
    return ready ? exitCodes.pass : exitCodes.inconclusive;
  } finally {
    stop.release();
  }
};

/** Whether what a scenario needs works. A wrong response is no obstacle for a run, which judges it. */
const stepsOf = ({ requirements, created }: Run): readonly PreflightStep[] =>
  (["list", "operation"] as const).flatMap((step) => {
    const row = requirements.find(({ id }) => id === steps[step]);
    if (row === undefined || row.verdict === "skip") return [];
    const { verdict, statement, reason = statement, findings } = row;
    const ids = step === "operation" ? created.map(({ kind, id }) => `created ${kind} ${id}`) : [];
    const found = [(findings[0]?.message ?? reason).replace(/\.$/, ""), ...ids].join("; ");
    return [{ step, ok: verdict !== "inconclusive", found }];
  });
