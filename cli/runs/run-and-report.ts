import {
  endText,
  expectedOf,
  mostCreations,
  mostRequests,
} from "../../engine/server/announcement.ts";
import type { RunOptions } from "../../model/run-options.ts";
import type { Run } from "../../model/run.ts";
import { proxyText } from "../../model/network.ts";
import { shownTarget } from "../../model/target.ts";
import { redactionFor } from "../../model/evidence/redaction.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { reportMishap, exitCodeOf, exitCodes, stopSignal } from "../output/exit-code.ts";
import { type Io, isSilent, colorOn } from "../output/io.ts";
import { progressView, stepText } from "../output/progress.ts";
import { recordingFile } from "../output/recording-file.ts";
import { judgedInSmoke } from "../../spec/catalogue.ts";
import { plural } from "../../model/plural.ts";
import { durationText } from "../../reports/wording.ts";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { annotations } from "../../reports/annotations.ts";
import { pageOf } from "../../reports/page.ts";
import { plainJson, plain } from "../../reports/sanitize.ts";
import { consoleText, quietText } from "../../reports/console.ts";
import { comparedWith } from "../../model/conclusion/comparison.ts";
import { lastReportIn, withChanges } from "../../reports/last-report.ts";
import {
  holdsSecret,
  reportText,
  saveReports,
  type SavePlan,
  type Secrets,
} from "../../reports/saving.ts";
import { signs, tally } from "../../reports/verdict-symbols.ts";
import { shortPath } from "../../settings/command-line.ts";
import { prepareReportFolder } from "../../settings/report-folder.ts";
import { baselineUpdate } from "./baseline-update.ts";

interface RunParticulars {
  /** An earlier run, of which this one checks some requirements again. */
  readonly before?: Run;
  /**
   * Ends the run in place of the signals of the system, for a caller that listens for them itself:
   * such a run leaves the earlier reports as they are.
   */
  readonly signal?: AbortSignal;
  /** The run is not the first of a session: it prints neither plan nor steps. */
  readonly isRepeated?: boolean;
}

/** Makes a run and its reports. */
export async function runAndReport(
  configuration: Configuration,
  command: string,
  io: Io,
  { before, signal, isRepeated = false }: RunParticulars = {},
): Promise<number> {
  const { options, values } = configuration;
  const reporting = await prepareReporting(configuration, command, io, isRepeated);
  const { notes } = reporting;
  const recording =
    values.record === undefined
      ? undefined
      : recordingFile(values.record.value, values.record.where);
  notes.stderr(planText(options) + wayText(configuration, io.cwd));

  const redaction = redactionFor(options.target);
  const stop = signal === undefined ? stopSignal(notes) : { signal, release: () => undefined };
  const view = progressView(isSilent(values) ? notes : io);
  try {
    const start = await io.modules.run();
    const run = await start(options, {
      signal: stop.signal,
      onProgress: view,
      onStep: (step) => {
        // The result says why a step ends the run.
        const isUsual = step.stops === true || (step.ok && step.advice === undefined);
        if (values.verbose.value || !isUsual) notes.stderr(`${redaction.redact(stepText(step))}\n`);
      },
      redaction,
      onRecorded: recording?.add,
    });
    if (signal?.aborted === true && run.outcome === "interrupted") return exitCodes.interrupted;
    const isKept = (await recording?.finish(redaction, notes)) !== false;
    const lost = isKept ? [] : [`${values.record?.value} is not written.`];
    return await finishReporting(run, redaction, reporting, io, { before, lost });
  } catch (error) {
    await recording?.finish(redaction, io);
    return reportMishap({ error, command, facts: factsOf(configuration), secrets: redaction }, io);
  } finally {
    stop.release();
  }
}

function planText({ target, settings }: RunOptions): string {
  const { profile, selection, seed, concurrency, rate } = settings;
  const checked = profile === "smoke" ? selection.filter(judgedInSmoke) : selection;
  const limit = rate === undefined ? "" : `, at most ${plural(rate, "request")} per second`;
  const { requests, seconds } = expectedOf(settings);
  const lines = [
    `Checking ${plural(checked.length, "requirement")} at ${target.baseUrl}: profile ${profile}, seed ${seed}, ${concurrency} in flight${limit}.`,
    creationText(settings),
    `Takes ${settings.fewest === true ? "at most" : "about"} ${plural(requests, "request")} and ${durationText(seconds * 1000)} if each response takes 50 ms, and more of both where the server is wrong, but at most ${mostRequests(settings)} requests; ends ${endText(settings)}.`,
  ];
  return `${lines.join("\n")}\n`;
}

function creationText(settings: RunOptions["settings"]): string {
  return settings.profile === "smoke"
    ? "Creates nothing: sends only POST /auth/token and GET /batches."
    : `Creates at most ${mostCreations(settings)} counterparties, operations, ACAM items and batches; the report lists them.`;
}

/**
 * What decides where key and token go, beside flags: the configuration file, a proxy, and whether
 * the server's certificate is verified. Empty if there is nothing to say, and otherwise a line.
 */
export function wayText({ configFile, options, values }: Configuration, cwd: string): string {
  const { proxy, insecure } = options.target;
  const sentences = [
    ...(configFile === undefined ? [] : [`Reads ${shortPath(configFile, cwd)}.`]),
    ...(proxy === undefined ? [] : [`Requests go through ${proxyText(proxy)}.`]),
    ...(insecure ? [`The server's certificate is not verified (${values.insecure.where}).`] : []),
  ];
  return sentences.length === 0 ? "" : `${plain(sentences.join(" "))}\n`;
}

type Reporting = Awaited<ReturnType<typeof prepareReporting>>;

/**
 * Makes the report folder and reads the last report in it, before anything is sent and while a
 * signal still ends the process, and prints the warnings unless `isBrief`. Returns what
 * `finishReporting` needs. Throws `UsageError` if the folder cannot be used.
 */
export async function prepareReporting(
  configuration: Configuration,
  command: string,
  io: Io,
  isBrief = false,
) {
  const { reportDir, reports, values, warnings } = configuration;
  const all = await io.modules.renderers();
  const renderers = reports.map((name) => all[name]);
  const { where, origin } = values.reportDir;
  prepareReportFolder(reportDir, where, renderers, origin !== undefined);
  const last = await lastReportIn(reportDir);
  // Prints notes: what is neither the result nor an error. A brief or silent output has none.
  const notes =
    isBrief || isSilent(values) ? { ...io, stderr: () => undefined, status: () => undefined } : io;
  for (const warning of warnings) notes.stderr(`Warning: ${warning}\n`);
  return { configuration, command, renderers, last, notes };
}

/**
 * Writes the reports of a run, prints the result and, in a GitHub job, the annotations, and returns
 * the exit code. The result ends with what could not be written, including what was lost before the
 * call (`lost`).
 */
export async function finishReporting(
  ended: Run,
  secrets: Secrets,
  { configuration, renderers, command, last, notes }: Reporting,
  io: Io,
  more: { readonly before?: Run | undefined; readonly lost?: readonly string[] } = {},
): Promise<number> {
  const { baselineFile, options, reportDir } = configuration;
  const run =
    more.before === undefined ? withChanges(ended, last) : comparedWith(more.before, ended);
  const isHeld = holdsSecret(run, secrets);
  const plan = { folder: reportDir, renderers, secrets, last };
  const lost = [...(more.lost ?? []), ...(await writeReportFiles(run, plan, io, notes))];
  await appendStepSummary(run, secrets, io, notes);
  if (run.outcome === "error") {
    const facts = { options: factsOf(configuration), warnings: run.warnings };
    reportMishap({ error: run.error ?? run.summary, command, facts, secrets }, io);
  }
  if (baselineFile !== undefined) {
    const searched = isHeld ? secrets : undefined;
    const { text, failed } = await baselineUpdate(run, options, baselineFile, searched, io);
    (failed ? io : notes).stderr(`${text}\n`);
    if (failed) lost.push(text);
  }
  const code = lost.length > 0 ? exitCodes.error : exitCodeOf(run);
  const maskedIn = (whole: string): string => (isHeld ? secrets.redact(whole) : whole);
  const text = resultText(run, configuration, io, code, lost);
  const masked = maskedIn(text);
  if (masked !== text)
    io.stderr("fxconform: a secret was found in the result and is masked there.\n");
  io.stdout(masked.endsWith("\n") ? masked : `${masked}\n`);
  if (io.env["GITHUB_ACTIONS"] === "true")
    for (const line of annotations(pageOf(run), io.cwd, io.env["GITHUB_WORKSPACE"]))
      io.stderr(`${maskedIn(line)}\n`);
  if (masked !== text) return exitCodes.error;
  const isOpen = run.sinceLast?.changes.some(({ change }) => change === "no verdict");
  return more.before && isOpen && code === exitCodes.pass ? exitCodes.inconclusive : code;
}

/**
 * Writes each report whole or not at all. Prints errors to `io` and the names of files to `notes`.
 * Returns a sentence for each reason why reports are missing.
 */
export async function writeReportFiles(
  run: Run,
  plan: SavePlan,
  io: Io,
  notes = io,
): Promise<readonly string[]> {
  const { folder, secrets } = plan;
  const { files, lost } = await saveReports(run, plan);
  if (files.length > 0) notes.stderr(`Reports in ${folder}: ${files.join(" ")}\n`);
  const texts = lost.map(({ message }) => plain(secrets.redact(message)));
  for (const text of texts) io.stderr(`fxconform: ${text}\n`);
  const error = lost.find(({ cause }) => cause !== undefined);
  if (error !== undefined) reportMishap({ error, command: "reports", secrets }, io);
  return texts;
}

/**
 * Appends the summary to the file that GITHUB_STEP_SUMMARY names. A failure here is a warning, and
 * does not change the exit code.
 */
async function appendStepSummary(run: Run, secrets: Secrets, io: Io, notes: Io): Promise<void> {
  const path = io.env["GITHUB_STEP_SUMMARY"] ?? "";
  if (path === "") return;
  try {
    const { markdown } = await io.modules.renderers();
    appendFileSync(path, reportText(run, markdown.render, secrets) ?? "");
  } catch (error) {
    const reason = secrets.redact(error instanceof Error ? error.message : String(error));
    notes.stderr(`Warning: The summary for GITHUB_STEP_SUMMARY is not written: ${reason}.\n`);
  }
}

export function factsOf({ options }: Configuration): unknown {
  return {
    ...options,
    settings: { ...options.settings, selection: options.settings.selection.join(" ") },
    target: shownTarget(options.target),
  };
}

/**
 * What is printed at the end. It says what was not written (`lost`), so that somebody who reads only
 * the end learns of it.
 */
function resultText(
  run: Run,
  { values, reports, reportDir }: Configuration,
  io: Io,
  code: number,
  lost: readonly string[],
): string {
  if (values.json.value) return summaryText(run, code, reportDir, lost);
  if (values.quiet.value) return quietText(run, lost);
  const text = consoleText(run, {
    color: colorOn(io, values.color?.value),
    page: reports.includes("html") ? shortPath(join(reportDir, "report.html"), io.cwd) : undefined,
    verbose: values.verbose.value,
    width: io.stdoutIsTerminal ? io.columns : undefined,
  });
  return lost.length === 0
    ? text
    : `${text}${signs.warn} Exit code ${code}, as not everything is written: ${lost.join(" ")}\n`;
}

/** The result as one line of JSON, for `--json`: mostly members of `report.json`. */
function summaryText(
  run: Run,
  exitCode: number,
  reportDir: string,
  lost: readonly string[],
): string {
  return plainJson(
    JSON.stringify({
      ...Object.fromEntries(summaryMembers.map((name) => [name, run[name]])),
      exitCode,
      verdicts: tally(run.requirements),
      reportDir,
      ...(lost.length > 0 ? { notWritten: lost } : {}),
      latency: run.latency.map((latency) => ({ ...latency, histogram: undefined })),
    }),
  );
}

const summaryMembers = [
  ...(["outcome", "summary", "gate", "judged", "complete", "target", "certificate"] as const),
  ...(["profile", "seed", "startedAt", "durationMs", "requests", "badCredentials"] as const),
  ...(["warnings", "runId", "tool"] as const),
] satisfies readonly (keyof Run)[];
