/** What programs import: `import { run } from "fxconform"`. */
import { run as runEngine } from "./engine/server/run.ts";
import type { Progress } from "./model/evidence/evidence.ts";
import type { Run } from "./model/run.ts";
import { redactionFor } from "./model/evidence/redaction.ts";
import { renderers } from "./reports/index.ts";
import { lastReportIn, withChanges } from "./reports/last-report.ts";
import { saveReports } from "./reports/saving.ts";
import { configurationFor, type ProgramOptions } from "./settings/configuration.ts";
import { prepareReportFolder } from "./settings/report-folder.ts";

export type { Progress } from "./model/evidence/evidence.ts";
export type { Run } from "./model/run.ts";
export { UsageError, type Problem } from "./settings/problem.ts";

export interface Options extends ProgramOptions {
  /**
   * Interrupts the run. The run then resolves to the results so far, with the outcome
   * `interrupted`.
   */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Checks a server, as `fxconform run` does, and returns the report. A server that fails is a
 * result, not an error: see `outcome` and `gate`. Reads no variable and no configuration file,
 * prints nothing, and writes only into `reportDir`. A second call waits until the first has ended.
 *
 * @throws {UsageError} names every option that is missing or wrong, before anything is sent
 * @throws {Error} if the reports cannot be written
 */
export async function run({ signal, onProgress, ...values }: Options): Promise<Run> {
  const { options, reportDir, reports } = await configurationFor(values);
  const chosen = reports.map((name) => renderers[name]);
  if (values.reportDir !== undefined) prepareReportFolder(reportDir, "reportDir", chosen);
  const redaction = redactionFor(options.target);
  const ended = await afterOthers(() =>
    untilOrphaned(signal, (stop) => runEngine(options, { signal: stop, onProgress, redaction })),
  );
  if (values.reportDir === undefined) return ended;
  const last = await lastReportIn(reportDir);
  const result = withChanges(ended, last);
  const plan = { folder: reportDir, renderers: chosen, secrets: redaction, last };
  const { lost } = await saveReports(result, plan);
  for (const error of lost) throw error;
  return result;
}

/** How often a process of node:test looks whether its parent is there, in milliseconds. */
const lookEvery = 200;

/**
 * Performs a run that ends with node:test, which leaves the processes of its tests behind when it is
 * ended, without a word to them.
 */
async function untilOrphaned<T>(
  given: AbortSignal | undefined,
  perform: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (process.env["NODE_TEST_CONTEXT"] === undefined) return perform(given);
  const orphaned = new AbortController();
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) orphaned.abort();
  }, lookEvery);
  try {
    return await perform(
      AbortSignal.any([orphaned.signal, ...(given === undefined ? [] : [given])]),
    );
  } finally {
    clearInterval(timer);
  }
}

/** Resolves when the last call of `run` has ended. */
let lastCall: Promise<unknown> = Promise.resolve();

/**
 * Starts a run after all earlier calls have ended: runs beside each other would meet each other's
 * resources at the target, and write into one folder.
 */
function afterOthers<T>(start: () => Promise<T>): Promise<T> {
  const mine = lastCall.then(start);
  lastCall = mine.catch(() => undefined);
  return mine;
}
