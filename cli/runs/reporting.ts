import { join } from "node:path";
import { reportText, secretsIn, withoutSecrets } from "../../engine/secrets.ts";
import type { ConsoleStyle } from "../../reports/console.ts";
import type { Run } from "../../model/run.ts";
import { shownTarget } from "../../model/target.ts";
import type { Renderer } from "../../reports/index.ts";
import { program, shortPath } from "../../settings/command-line.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { prepareReportFolder } from "../../settings/report-folder.ts";
import type { Modules } from "../modules.ts";
import { baselineUpdate } from "../output/baseline-update.ts";
import { colorOn, type Io, isSilent } from "../output/io.ts";
import { reportMishap } from "../output/error-file.ts";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import { appendStepSummary, writeReportFiles } from "../output/report-files.ts";
import { tally } from "../../reports/verdict-symbols.ts";

/** What a command makes of a run. */
export interface Result {
  readonly text: string;
  readonly code: number;
}

/** What is done with a run. */
interface Reporting {
  readonly configuration: Configuration;
  readonly command: string;
  readonly renderers: readonly Renderer[];
  /** Prints what is neither the result nor an error. */
  readonly notes: Io;
}

/** Makes the report folder and prints the warnings, before anything is sent; `isBrief` prints none. Throws `UsageError`. */
export async function reportingOf(
  configuration: Configuration,
  command: string,
  io: Io,
  modules: Modules,
  isBrief = false,
): Promise<Reporting> {
  const { reportDir, reports, values, warnings } = configuration;
  const all = await modules.renderers();
  const renderers = reports.map((name) => all[name]);
  prepareReportFolder(reportDir, values.reportDir?.where ?? "--report-dir", renderers);
  const notes = isBrief || isSilent(values) ? { ...io, stderr: () => undefined } : io;
  for (const warning of warnings) notes.stderr(`Warning: ${warning}\n`);
  return { configuration, command, renderers, notes };
}

/** Writes the reports of a run, prints the result (of `resultOf`, if it is given), and returns the exit code. */
export async function reportRun(
  run: Run,
  secrets: readonly string[],
  reporting: Reporting,
  io: Io,
  modules: Modules,
  resultOf?: (run: Run) => Result,
): Promise<number> {
  const { configuration, renderers, command, notes } = reporting;
  const held = secretsIn(run, secrets);
  const { markdown } = await modules.renderers();
  const usual = await usualResult(configuration, io, modules);
  const complete = writeReportFiles(run, { folder: configuration.reportDir, renderers, secrets }, io, notes);
  const failure = appendStepSummary(
    io.env["GITHUB_STEP_SUMMARY"],
    () => reportText(run, markdown.render, secrets),
    secrets,
  );
  if (failure !== undefined) notes.stderr(`Warning: ${failure}\n`);
  const mishap = (error: unknown, facts: unknown): number => reportMishap({ error, command, facts, secrets }, io);
  if (run.outcome === "error") {
    mishap(run.error ?? run.summary, { options: factsOf(configuration), warnings: run.warnings });
  }
  let result: Result;
  try {
    result = (resultOf ?? usual)(run);
  } catch (error) {
    return mishap(error, factsOf(configuration));
  }
  const masked = withoutSecrets(result.text, held);
  if (masked !== result.text) io.stderr("fxconform: a secret was found in the result and is masked there.\n");
  const { baselineFile, options } = configuration;
  const update = baselineFile === undefined ? undefined : await baselineUpdate(run, options, baselineFile, held, io);
  if (update !== undefined) (update.failed ? io : notes).stderr(`${update.text}\n`);
  io.stdout(masked.endsWith("\n") ? masked : `${masked}\n`);
  return complete && masked === result.text && update?.failed !== true ? result.code : exitCodes.error;
}

/** The options without secrets. */
export const factsOf = ({ options }: Configuration): unknown => ({
  ...options,
  settings: { ...options.settings, selection: options.settings.selection.join(" ") },
  target: shownTarget(options.target),
});

/** What the options of the console make of a run. */
async function usualResult(configuration: Configuration, io: Io, modules: Modules) {
  const { values, reportDir } = configuration;
  const { consoleText, quietText } = await modules.console();
  return (run: Run): Result => {
    const code = exitCodeOf(run);
    if (values.json?.value === true) return { text: summaryText(run, { exitCode: code, reportDir }), code };
    if (values.quiet?.value === true) return { text: quietText(run), code };
    return { text: consoleText(run, consoleStyle(configuration, io)), code };
  };
}

/** How the result is written to the console. */
export const consoleStyle = ({ values, reports, reportDir }: Configuration, io: Io): ConsoleStyle => ({
  color: colorOn(io, values.color?.value),
  program,
  page: reports.includes("html") ? shortPath(join(reportDir, "report.html"), io.cwd) : undefined,
  verbose: values.verbose?.value === true,
  ...(io.stdoutIsTerminal ? { width: io.columns } : {}),
});

/** What the summary adds to the run. */
interface Ending {
  readonly exitCode: number;
  readonly reportDir: string;
}

/** What `--json` prints: the run without its evidence, as one line of JSON. Members have the names of `report.json`. */
const summaryText = (run: Run, { exitCode, reportDir }: Ending): string =>
  JSON.stringify({
    outcome: run.outcome,
    exitCode,
    summary: run.summary,
    gate: run.gate,
    verdicts: tally(run.requirements),
    judged: run.judged,
    complete: run.complete,
    target: run.target,
    certificate: run.certificate,
    profile: run.profile,
    seed: run.seed,
    startedAt: run.startedAt,
    durationMs: run.durationMs,
    requests: run.requests,
    badCredentials: run.badCredentials,
    latency: run.latency.map((latency) => ({ ...latency, histogram: undefined })),
    warnings: run.warnings,
    runId: run.runId,
    tool: run.tool,
    reportDir,
  });
