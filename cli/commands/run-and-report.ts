import { defined } from "../../model/defined.ts";
import { expectedOf } from "../../engine/bounds.ts";
import type { RunOptions } from "../../model/run-options.ts";
import type { RunControl } from "../../engine/options.ts";
import type { Renderer } from "../../reports/index.ts";
import { secretsOf, shownTarget } from "../../model/target-secrets.ts";
import type { Run } from "../../model/run.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { baselineUpdate } from "../output/baseline-update.ts";
import { colorOn } from "../output/color.ts";
import { program } from "../../settings/command-line.ts";
import { reportMishap } from "../output/error-file.ts";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import { stopSignal } from "../output/interruption.ts";
import type { Io } from "../output/io.ts";
import type { Modules } from "../modules.ts";
import { planText } from "../output/announcement.ts";
import { progressView } from "../output/progress.ts";
import { recordingFile } from "../output/recording-file.ts";
import { appendStepSummary, writeReportFiles } from "../output/report-files.ts";
import { prepareReportFolder } from "../../settings/report-folder.ts";
import { reportText, secretsIn, withoutSecrets } from "../../engine/secrets.ts";
import { isSilent } from "../output/silence.ts";
import { stepText } from "../output/step-text.ts";
import { summaryText } from "../output/summary-text.ts";

/** What a command makes of a run. */
export interface Result {
  readonly text: string;
  readonly code: number;
}

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
  const { options, reportDir, reports, values } = configuration;
  const notes = isSilent(values) || particulars.isBrief === true ? { ...io, stderr: () => undefined } : io;
  const all = await modules.renderers();
  const renderers = reports.map((name) => all[name]);
  prepareReportFolder(
    reportDir,
    values.reportDir?.where ?? "--report-dir",
    renderers.map(({ file }) => file),
  );
  const recording = values.record === undefined ? undefined : recordingFile(values.record.value, values.record.where);
  for (const warning of configuration.warnings) notes.stderr(`Warning: ${warning}\n`);
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
      onStep: (step) => {
        progress.end();
        notes.stderr(`${withoutSecrets(stepText(step), [...secrets])}\n`);
      },
      onSecret: (secret) => void secrets.add(secret),
      ...defined({ onUpdate: particulars.onUpdate, onRecorded: recording?.add }),
    });
    progress.end();
    if (particulars.isDropped?.(run) === true) return exitCodeOf(run);
    const isRecorded = (await recording?.finish([...secrets], notes)) ?? true;
    const { resultOf } = particulars;
    const reporting = { configuration, renderers, command, secrets: [...secrets], resultOf, notes };
    const code = await reportRun(run, reporting, io, modules);
    return isRecorded ? code : exitCodes.error;
  } catch (error) {
    progress.end();
    await recording?.finish([...secrets], io);
    return reportMishap({ error, command, facts: factsOf(configuration), secrets: [...secrets] }, io);
  } finally {
    stop.release();
  }
}

/** What is done with a run. */
export interface Reporting {
  readonly configuration: Configuration;
  readonly renderers: readonly Renderer[];
  readonly command: string;
  readonly secrets: readonly string[];
  /** Replaces the text and the exit code. */
  readonly resultOf?: ((run: Run) => Result) | undefined;
  /** Prints what is neither the result nor an error. */
  readonly notes: Io;
}

/** Writes the reports of a run, prints the result, and returns the exit code. */
export async function reportRun(run: Run, reporting: Reporting, io: Io, modules: Modules): Promise<number> {
  const { configuration, renderers, command, secrets, notes } = reporting;
  const held = secretsIn(run, secrets);
  const { markdown } = await modules.renderers();
  const consoleText = await modules.consoleText();
  const complete = writeReportFiles(run, { folder: configuration.reportDir, renderers, secrets }, io, notes);
  const failure = appendStepSummary(
    io.env["GITHUB_STEP_SUMMARY"],
    () => reportText(run, markdown.render, secrets),
    secrets,
  );
  if (failure !== undefined) notes.stderr(`Warning: ${failure}\n`);
  if (run.outcome === "error") {
    const facts = { options: factsOf(configuration), warnings: run.warnings };
    reportMishap({ error: run.error ?? run.summary, command, facts, secrets }, io);
  }
  const result = resultOrMishap();
  if (result === undefined) return exitCodes.error;
  const masked = withoutSecrets(result.text, held);
  if (masked !== result.text) io.stderr("fxconform: a secret was found in the result and is masked there.\n");
  const { baselineFile, options } = configuration;
  const update = baselineFile === undefined ? undefined : await baselineUpdate(run, options, baselineFile, held, io);
  if (update !== undefined) (update.failed ? io : notes).stderr(`${update.text}\n`);
  io.stdout(masked.endsWith("\n") ? masked : `${masked}\n`);
  return complete && masked === result.text && update?.failed !== true ? result.code : exitCodes.error;

  function resultOrMishap(): Result | undefined {
    try {
      if (reporting.resultOf !== undefined) return reporting.resultOf(run);
      const { values, reportDir } = configuration;
      const code = exitCodeOf(run);
      if (values.json?.value === true) return { text: summaryText(run, { exitCode: code, reportDir }), code };
      const color = colorOn(io, values.color?.value);
      const text = consoleText(run, { color, program, ...(io.stdoutIsTerminal ? { width: io.columns } : {}) });
      return { text: values.quiet?.value === true ? lastLine(text) : text, code };
    } catch (error) {
      reportMishap({ error, command, facts: factsOf(configuration), secrets }, io);
      return undefined;
    }
  }
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";

/** The options without secrets. */
const factsOf = ({ options }: Configuration): unknown => ({
  ...options,
  settings: { ...options.settings, selection: options.settings.selection.join(" ") },
  target: shownTarget(options.target),
});
