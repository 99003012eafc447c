import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { reportText, secretsIn, withoutSecrets } from "../../engine/secrets.ts";
import { codeOf } from "../../model/files.ts";
import type { Run } from "../../model/run.ts";
import { shownTarget } from "../../model/target.ts";
import type { ConsoleStyle } from "../../reports/console.ts";
import type { Renderer } from "../../reports/index.ts";
import { saveReports, textOrError, WriteError } from "../../reports/saving.ts";
import { tally } from "../../reports/verdict-symbols.ts";
import { program, shortPath } from "../../settings/command-line.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { prepareReportFolder } from "../../settings/report-folder.ts";
import { baselineUpdate } from "../output/baseline-update.ts";
import { reportMishap } from "../output/error-file.ts";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import { colorOn, type Io, isSilent } from "../output/io.ts";

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
  isBrief = false,
): Promise<Reporting> {
  const { reportDir, reports, values, warnings } = configuration;
  const all = await io.modules.renderers();
  const renderers = reports.map((name) => all[name]);
  prepareReportFolder(reportDir, values.reportDir?.where ?? "--report-dir", renderers);
  const notes = isBrief || isSilent(values) ? { ...io, stderr: () => undefined, status: () => undefined } : io;
  for (const warning of warnings) notes.stderr(`Warning: ${warning}\n`);
  return { configuration, command, renderers, notes };
}

/** Writes the reports of a run, prints the result (of `resultOf`, if it is given), and returns the exit code. */
export async function reportRun(
  run: Run,
  secrets: readonly string[],
  { configuration, renderers, command, notes }: Reporting,
  io: Io,
  resultOf?: (run: Run) => Result,
): Promise<number> {
  const { baselineFile, options, reportDir } = configuration;
  const held = secretsIn(run, secrets);
  const { markdown } = await io.modules.renderers();
  const usual = await usualResult(configuration, io);
  const complete = writeReportFiles(run, reportDir, renderers, secrets, io, notes);
  const failure = appendStepSummary(io, () => reportText(run, markdown.render, secrets), secrets);
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
  const update = baselineFile === undefined ? undefined : await baselineUpdate(run, options, baselineFile, held, io);
  if (update !== undefined) (update.failed ? io : notes).stderr(`${update.text}\n`);
  io.stdout(masked.endsWith("\n") ? masked : `${masked}\n`);
  return complete && masked === result.text && update?.failed !== true ? result.code : exitCodes.error;
}

/**
 * Writes the reports and prints their names to `notes`; errors go to `io`. Each report is written whole or not at all.
 * False if one is missing: the command then ends with 4.
 */
export function writeReportFiles(
  run: Run,
  folder: string,
  renderers: readonly Renderer[],
  secrets: readonly string[],
  io: Io,
  notes = io,
): boolean {
  try {
    const textOf = (render: Renderer["render"]) => reportText(run, render, secrets);
    const { files, refused, broken } = saveReports(run, { folder, renderers, textOf });
    if (files.length > 0) notes.stderr(`Reports in ${folder}: ${files.join(" ")}\n`);
    for (const file of refused) io.stderr(`fxconform: ${file} is not written: a secret was found in it.\n`);
    const [error, ...others] = broken;
    if (error !== undefined) reportMishap({ error, command: "reports", secrets }, io);
    for (const { message } of others) io.stderr(`fxconform: ${withoutSecrets(message, secrets)}\n`);
    return refused.length === 0 && error === undefined;
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    io.stderr(`fxconform: ${error.message}\n`);
    return false;
  }
}

/**
 * Appends the summary to the page of a GitHub Actions step, if GITHUB_STEP_SUMMARY names one. Returns what went wrong,
 * because a page that cannot be written does not change the exit code.
 */
function appendStepSummary(
  { env }: Io,
  render: () => string | undefined,
  secrets: readonly string[],
): string | undefined {
  const path = env["GITHUB_STEP_SUMMARY"] ?? "";
  if (path === "") return undefined;
  const text = textOrError("The summary for GITHUB_STEP_SUMMARY", render);
  if (text instanceof Error) return `${withoutSecrets(text.message, secrets)}.`;
  try {
    if (text !== undefined) appendFileSync(path, text);
    return undefined;
  } catch (error) {
    return `GITHUB_STEP_SUMMARY names a file that cannot be written to (${codeOf(error)}).`;
  }
}

/** The options without secrets. */
export const factsOf = ({ options }: Configuration): unknown => ({
  ...options,
  settings: { ...options.settings, selection: options.settings.selection.join(" ") },
  target: shownTarget(options.target),
});

/** What the options of the console make of a run. */
async function usualResult(configuration: Configuration, io: Io) {
  const { values, reportDir } = configuration;
  const { consoleText, quietText } = await io.modules.console();
  return (run: Run): Result => {
    const code = exitCodeOf(run);
    if (values.json?.value === true) return { text: summaryText(run, code, reportDir), code };
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

/** What `--json` prints: the run without its evidence, as one line of JSON. Members have the names of `report.json`. */
const summaryText = (run: Run, exitCode: number, reportDir: string): string =>
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
