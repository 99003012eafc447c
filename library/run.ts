import { run as runEngine } from "../engine/run.ts";
import { reportText } from "../engine/secrets.ts";
import type { Run } from "../model/run.ts";
import { secretsOf } from "../model/target.ts";
import { renderers } from "../reports/index.ts";
import { saveReports } from "../reports/saving.ts";
import { prepareReportFolder } from "../settings/report-folder.ts";
import { configurationFor } from "./configuration.ts";
import type { Options } from "./options.ts";

/**
 * Checks a server, as `fxconform run` does, and returns the report. A server that fails is a result, not an error: see
 * `outcome` and `gate`. Reads no variable and no configuration file, prints nothing, and writes only into `reportDir`.
 * A second call waits until the first has ended.
 *
 * @throws {UsageError} names every option that is missing or wrong, before anything is sent
 * @throws {Error} if the reports cannot be written
 */
export const run = async ({ signal, onProgress, ...values }: Options): Promise<Run> => {
  const { options, reportDir, reports } = await configurationFor(values);
  const chosen = reports.map((name) => renderers[name]);
  if (values.reportDir !== undefined) prepareReportFolder(reportDir, "reportDir", chosen);
  const secrets = new Set(secretsOf(options.target).map(({ value }) => value));
  const result = await afterOthers(() =>
    runEngine(options, {
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
      onSecret: (secret) => void secrets.add(secret),
    }),
  );
  if (values.reportDir === undefined) return result;
  const textOf = (render: (one: Run) => string) => reportText(result, render, [...secrets]);
  const { refused, broken } = saveReports(result, { folder: reportDir, renderers: chosen, textOf });
  const [first] = [...broken, ...refused.map((file) => new Error(`${file} is not written: a secret was found in it.`))];
  if (first !== undefined) throw first;
  return result;
};

/** Resolves when the last call has ended. */
let last: Promise<unknown> = Promise.resolve();

/** Starts after all earlier calls have ended, because a process can hold only one vitest. */
function afterOthers<T>(start: () => Promise<T>): Promise<T> {
  const mine = last.then(start);
  last = mine.catch(() => undefined);
  return mine;
}
