import { defined } from "../../model/defined.ts";
import { expectedOf, mostCreations, runBound } from "../../engine/bounds.ts";
import type { RunOptions } from "../../model/run-options.ts";
import type { RunControl } from "../../engine/options.ts";
import type { Run } from "../../model/run.ts";
import { secretsOf } from "../../model/target.ts";
import { withoutSecrets } from "../../engine/secrets.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { reportMishap } from "../output/error-file.ts";
import { exitCodeOf, exitCodes, stopSignal } from "../output/exit-code.ts";
import { type Io, isSilent } from "../output/io.ts";
import { progressView, stepsView } from "../output/progress.ts";
import { recordingFile } from "../output/recording-file.ts";
import { factsOf, reportingOf, reportRun, type Result } from "./reporting.ts";
import { judgedInSmoke } from "../../spec/catalogue.ts";
import { plural } from "../../model/plural.ts";
import { durationText } from "../../reports/headline.ts";

/** How a command differs from `run`. */
interface Particulars {
  /** Replaces the text and the exit code. */
  readonly resultOf?: (run: Run) => Result;
  /** Runs the scenarios instead of a new engine. */
  readonly start?: Engine;
  readonly signal?: AbortSignal;
  readonly onUpdate?: RunControl["onUpdate"];
  /** Takes the secrets of the run as they become known. */
  readonly secrets?: Set<string>;
  /** Prints neither the plan nor the steps before the run. */
  readonly isBrief?: boolean;
  /** Whether the result of a run is discarded: neither reported nor printed. */
  readonly isDropped?: (run: Run) => boolean;
}

/** What runs the scenarios. */
type Engine = (options: RunOptions, control?: RunControl) => Promise<Run>;

/** Runs the scenarios, writes the reports, prints the result, and returns the exit code. */
export async function runAndReport(
  configuration: Configuration,
  command: string,
  io: Io,
  particulars: Particulars = {},
): Promise<number> {
  const { options, values } = configuration;
  const reporting = await reportingOf(configuration, command, io, particulars.isBrief);
  const { notes } = reporting;
  const recording = values.record === undefined ? undefined : recordingFile(values.record.value, values.record.where);
  notes.stderr(planText(options));

  const secrets = particulars.secrets ?? new Set();
  for (const { value } of secretsOf(options.target)) secrets.add(value);
  const stop = stopSignal(notes);
  try {
    const start = particulars.start ?? (await io.modules.run());
    const run = await start(options, {
      signal: AbortSignal.any([stop.signal, ...(particulars.signal === undefined ? [] : [particulars.signal])]),
      onProgress: progressView(isSilent(values) ? notes : io, expectedOf(options.settings).requests),
      onStep: stepsView(values.verbose?.value === true, (line) =>
        notes.stderr(`${withoutSecrets(line, [...secrets])}\n`),
      ),
      onSecret: (secret) => void secrets.add(secret),
      ...defined({ onUpdate: particulars.onUpdate, onRecorded: recording?.add }),
    });
    if (particulars.isDropped?.(run) === true) return exitCodeOf(run);
    const isRecorded = (await recording?.finish([...secrets], notes)) ?? true;
    const code = await reportRun(run, [...secrets], reporting, io, particulars.resultOf);
    return isRecorded ? code : exitCodes.error;
  } catch (error) {
    await recording?.finish([...secrets], io);
    return reportMishap({ error, command, facts: factsOf(configuration), secrets: [...secrets] }, io);
  } finally {
    stop.release();
  }
}

/** What the run is about to do: its target, how much it checks, and what it creates. */
function planText({ target, settings }: RunOptions): string {
  const { profile, selection, seed, concurrency, rate } = settings;
  const checked = profile === "smoke" ? selection.filter(judgedInSmoke) : selection;
  const limit = rate === undefined ? "" : `, at most ${plural(rate, "request")} per second`;
  const { requests, seconds } = expectedOf(settings);
  const lines = [
    `Checking ${plural(checked.length, "requirement")} at ${target.baseUrl}: profile ${profile}, seed ${seed}, ${concurrency} in flight${limit}.`,
    creationText(settings),
    `Takes about ${plural(requests, "request")} and ${durationText(seconds * 1000)} if each response takes 50 ms; ends after ${plural(Math.ceil(runBound(settings) / 60_000), "minute")} at the latest.`,
  ];
  return `${lines.join("\n")}\n`;
}

const creationText = (settings: RunOptions["settings"]): string =>
  settings.profile === "smoke"
    ? "Creates nothing: sends only POST /auth/token and GET /batches."
    : `Creates counterparties, operations, ACAM items and batches with at most ${mostCreations(settings)} requests; ` +
      "the report lists them.";
