import { defined } from "../../model/defined.ts";
import { expectedOf } from "../../engine/bounds.ts";
import type { RunOptions } from "../../model/run-options.ts";
import type { RunControl } from "../../engine/options.ts";
import type { Run } from "../../model/run.ts";
import { secretsOf } from "../../model/target.ts";
import { withoutSecrets } from "../../engine/secrets.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { reportMishap } from "../output/error-file.ts";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import { stopSignal } from "../output/interruption.ts";
import type { Io } from "../output/io.ts";
import type { Modules } from "../modules.ts";
import { planText } from "../output/announcement.ts";
import { progressView } from "../output/progress.ts";
import { recordingFile } from "../output/recording-file.ts";
import { isSilent } from "../output/silence.ts";
import { stepsView } from "../output/step-text.ts";
import { factsOf, reportingOf, reportRun, type Result } from "./reporting.ts";

/** How a command differs from `run`. */
export interface Particulars {
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
export type Engine = (options: RunOptions, control?: RunControl) => Promise<Run>;

/** Runs the scenarios, writes the reports, prints the result, and returns the exit code. */
export async function runAndReport(
  configuration: Configuration,
  command: string,
  io: Io,
  modules: Modules,
  particulars: Particulars = {},
): Promise<number> {
  const { options, values } = configuration;
  const reporting = await reportingOf(configuration, command, io, modules, particulars.isBrief);
  const { notes } = reporting;
  const recording = values.record === undefined ? undefined : recordingFile(values.record.value, values.record.where);
  notes.stderr(planText(options));

  const secrets = particulars.secrets ?? new Set();
  for (const { value } of secretsOf(options.target)) secrets.add(value);
  const stop = stopSignal(notes);
  const progress = progressView(isSilent(values) ? notes : io, expectedOf(options.settings).requests);
  try {
    const start = particulars.start ?? (await modules.run());
    const run = await start(options, {
      signal: AbortSignal.any([stop.signal, ...(particulars.signal === undefined ? [] : [particulars.signal])]),
      onProgress: progress.show,
      onStep: stepsView(values.verbose?.value === true, (line) => {
        progress.end();
        notes.stderr(`${withoutSecrets(line, [...secrets])}\n`);
      }),
      onSecret: (secret) => void secrets.add(secret),
      ...defined({ onUpdate: particulars.onUpdate, onRecorded: recording?.add }),
    });
    progress.end();
    if (particulars.isDropped?.(run) === true) return exitCodeOf(run);
    const isRecorded = (await recording?.finish([...secrets], notes)) ?? true;
    const code = await reportRun(run, [...secrets], reporting, io, modules, particulars.resultOf);
    return isRecorded ? code : exitCodes.error;
  } catch (error) {
    progress.end();
    await recording?.finish([...secrets], io);
    return reportMishap({ error, command, facts: factsOf(configuration), secrets: [...secrets] }, io);
  } finally {
    stop.release();
  }
}
