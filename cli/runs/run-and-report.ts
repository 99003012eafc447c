import {
  endText,
  expectedOf,
  mostCreations,
  mostRequests,
} from "../../engine/server/announcement.ts";
import type { RunOptions } from "../../model/run-options.ts";
import type { Run } from "../../model/run.ts";
import { shownTarget } from "../../model/target.ts";
import { redactionFor } from "../../model/evidence/redaction.ts";
import { holdsSecret, reportText, type Secrets } from "../../reports/secrets.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { reportMishap, exitCodeOf, exitCodes, stopSignal } from "../output/exit-code.ts";
import { type Io, isSilent, colorOn } from "../output/io.ts";
import { progressView, stepsView } from "../output/progress.ts";
import { recordingFile } from "../output/recording-file.ts";
import { judgedInSmoke } from "../../spec/catalogue.ts";
import { plural } from "../../model/plural.ts";
import { durationText } from "../../reports/duration.ts";
import { wayText } from "./way-text.ts";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { annotations } from "../../reports/annotations.ts";
import { pageOf } from "../../reports/page.ts";
import { plainJson, plain } from "../../reports/sanitize.ts";
import { consoleText, quietText, type ConsoleStyle } from "../../reports/console.ts";
import { comparedWith } from "../../model/conclusion/comparison.ts";
import { lastReportIn, withChanges } from "../../reports/last-report.ts";
import { saveReports, WriteError, type SavePlan } from "../../reports/saving.ts";
import { signs, tally } from "../../reports/verdict-symbols.ts";
import { program, shortPath } from "../../settings/command-line.ts";
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
      onStep: stepsView(values.verbose?.value === true, (line) =>
        notes.stderr(`${redaction.redact(line)}\n`),
      ),
      redaction,
      onRecorded: recording?.add,
    });
    if (signal?.aborted === true && run.outcome === "interrupted") return exitCodes.interrupted;
    const recorded = (await recording?.finish(redaction, notes, stop.signal)) ?? "written";
    const isStopped = recorded === "interrupted" && run.outcome !== "error";
    const lost: UnwrittenFiles = {
      sentences: recorded === "written" ? [] : [`${values.record?.value} is not written.`],
      code: isStopped ? exitCodes.interrupted : exitCodes.error,
    };
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
 * What could not be written: a sentence for each file, and the exit code that follows if there is
 * at least one.
 */
interface UnwrittenFiles {
  readonly sentences: readonly string[];
  readonly code: number;
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
  const { where, origin } = values.reportDir ?? { where: "--report-dir" };
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
 * the exit code. The result ends with the files that could not be written, including those that were
 * lost before the call (`lost`).
 */
export async function finishReporting(
  ended: Run,
  secrets: Secrets,
  { configuration, renderers, command, last, notes }: Reporting,
  io: Io,
  more: { readonly before?: Run | undefined; readonly lost?: UnwrittenFiles } = {},
): Promise<number> {
  const { baselineFile, options, reportDir } = configuration;
  const run =
    more.before === undefined ? withChanges(ended, last) : comparedWith(more.before, ended);
  await nextTurn();
  const isHeld = holdsSecret(run, secrets);
  const { markdown } = await io.modules.renderers();
  const unwritten = await writeReportFiles(
    run,
    { folder: reportDir, renderers, secrets, last },
    io,
    notes,
  );
  await nextTurn();
  const failure = appendStepSummary(io, () => reportText(run, markdown.render, secrets), secrets);
  if (failure !== undefined) notes.stderr(`Warning: ${failure}\n`);
  const mishap = (error: unknown, facts: unknown): number =>
    reportMishap({ error, command, facts, secrets }, io);
  if (run.outcome === "error")
    mishap(run.error ?? run.summary, { options: factsOf(configuration), warnings: run.warnings });
  const update =
    baselineFile === undefined
      ? undefined
      : await baselineUpdate(run, options, baselineFile, isHeld ? secrets : undefined, io);
  if (update !== undefined) (update.failed ? io : notes).stderr(`${update.text}\n`);
  const own = [...unwritten, ...(update?.failed === true ? [update.text] : [])];
  const { lost: earlier = nothingLost } = more;
  const lost: UnwrittenFiles = {
    sentences: [...earlier.sentences, ...own],
    code: own.length > 0 ? exitCodes.error : earlier.code,
  };
  const code = lost.sentences.length > 0 ? lost.code : exitCodeOf(run);
  let text: string;
  try {
    text = resultText(run, configuration, io, code, lost.sentences);
  } catch (error) {
    return mishap(error, factsOf(configuration));
  }
  const maskedIn = (whole: string): string => (isHeld ? secrets.redact(whole) : whole);
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

const nothingLost: UnwrittenFiles = { sentences: [], code: exitCodes.error };

/**
 * Writes each report whole or not at all. Prints errors to `io` and the names of files to `notes`.
 * Returns a sentence for each report that is missing, or a single sentence if the folder cannot be
 * written to.
 */
export async function writeReportFiles(
  run: Run,
  plan: SavePlan,
  io: Io,
  notes = io,
): Promise<readonly string[]> {
  const { folder, secrets } = plan;
  try {
    const { files, refused, broken } = await saveReports(run, plan);
    if (files.length > 0) notes.stderr(`Reports in ${folder}: ${files.join(" ")}\n`);
    const withSecrets = refused.map((file) => `${file} is not written: a secret was found in it.`);
    for (const text of withSecrets) io.stderr(`fxconform: ${text}\n`);
    const [error, ...others] = broken;
    if (error !== undefined) reportMishap({ error, command: "reports", secrets }, io);
    for (const { message } of others) io.stderr(`fxconform: ${secrets.redact(message)}\n`);
    return [...withSecrets, ...broken.map(({ message }) => plain(secrets.redact(message)))];
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    io.stderr(`fxconform: ${error.message}\n`);
    return [error.message];
  }
}

/**
 * Appends the summary to the file that GITHUB_STEP_SUMMARY names. Returns what went wrong, or
 * undefined. A failure here does not change the exit code.
 */
function appendStepSummary({ env }: Io, render: () => string | undefined, secrets: Secrets) {
  const path = env["GITHUB_STEP_SUMMARY"] ?? "";
  if (path === "") return undefined;
  try {
    const text = render();
    if (text !== undefined) appendFileSync(path, text);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The summary for GITHUB_STEP_SUMMARY is not written: ${secrets.redact(reason)}.`;
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
  configuration: Configuration,
  io: Io,
  code: number,
  lost: readonly string[],
): string {
  const { values, reportDir } = configuration;
  if (values.json?.value === true) return summaryText(run, code, reportDir, lost);
  if (values.quiet?.value === true) return quietText(run, lost);
  const lostCode = lost.length > 0 ? code : undefined;
  const lines = lost.map((one) => `${signs.warn} ${one}\n`);
  return `${consoleText(run, { ...consoleStyle(configuration, io), lostCode })}${lines.join("")}`;
}

function consoleStyle({ values, reports, reportDir }: Configuration, io: Io): ConsoleStyle {
  return {
    color: colorOn(io, values.color?.value),
    program: program(),
    page: reports.includes("html") ? shortPath(join(reportDir, "report.html"), io.cwd) : undefined,
    verbose: values.verbose?.value === true,
    ...(io.stdoutIsTerminal ? { width: io.columns } : {}),
  };
}

/** The members of `report.json` that `--json` prints in one line. */
const summaryMembers = [
  ...([
    "outcome",
    "summary",
    "gate",
    "judged",
    "complete",
    "target",
    "certificate",
    "profile",
    "seed",
  ] as const),
  ...([
    "startedAt",
    "durationMs",
    "requests",
    "badCredentials",
    "warnings",
    "runId",
    "tool",
  ] as const),
];

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
