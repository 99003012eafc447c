import { run as runEngine } from "../engine/server/run.ts";
import { reportText } from "../reports/secrets.ts";
import type { Run } from "../model/run.ts";
import { secretsOf } from "../model/target.ts";
import { renderers } from "../reports/index.ts";
import { lastReportIn, withChanges } from "../reports/last-report.ts";
import { saveReports } from "../reports/saving.ts";
import { prepareReportFolder } from "../settings/report-folder.ts";
import { randomInt } from "node:crypto";
import { configurationOf, type Configuration } from "../settings/configuration.ts";
import { limited } from "../settings/sources.ts";
import {
  commandLineNames,
  flagOf,
  optionNames,
  type OptionName,
  type CommandLineName,
  type InputOf,
} from "../settings/options.ts";
import { UsageError, type Problem } from "../settings/problem.ts";
import { suggestion } from "../settings/selection.ts";
import type { Progress } from "../model/evidence/messages.ts";

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
  const ended = await afterOthers(() =>
    runEngine(options, {
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
      onSecret: (secret) => void secrets.add(secret),
    }),
  );
  if (values.reportDir === undefined) return ended;
  const last = await lastReportIn(reportDir);
  const result = withChanges(ended, last);
  const textOf = (render: (one: Run) => string) => reportText(result, render, [...secrets]);
  const { refused, broken } = await saveReports(result, { folder: reportDir, renderers: chosen, textOf, last });
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

/** The configuration that a program describes. Reads no variable and no file of its own accord. Throws `UsageError`. */
export async function configurationFor(values: Omit<Options, "signal" | "onProgress">): Promise<Configuration> {
  const cwd = process.cwd();
  const problems = Object.keys(values).flatMap(unknownName);
  const given = { origin: "file", whereOf: String, values, folder: cwd, problems } as const;
  try {
    return await configurationOf(
      {},
      { env: {}, cwd, stdinIsTerminal: false, stdoutIsTerminal: false, seed: () => randomInt(2 ** 31 - 1) },
      {
        given: limited(given, (name) => ownNames.includes(name)),
        namedFileOnly: true,
      },
    );
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.problems.map(inOwnWords)) : error;
  }
}

const ownNames: readonly OptionName[] = optionNames.filter((name) => !commandLineNames.some((other) => other === name));

function unknownName(name: string): readonly Problem[] {
  if (ownNames.some((own) => own === name)) return [];
  if (optionNames.some((known) => known === name))
    return [{ where: name, what: "belongs to the command line", advice: "Leave it out." }];
  return [{ where: name, what: "is not an option", advice: suggestion(name, ownNames) ?? "See docs/options.md." }];
}

/** The problem with the names of options in place of flags, and without advice on variables, which are not read. */
function inOwnWords({ where, what, found, advice }: Problem): Problem {
  const named = (text: string): string =>
    text.replace(/--[a-z][a-z-]*/g, (flag) => ownNames.find((name) => flagOf(name) === flag) ?? flag);
  const own = advice === undefined || advice.includes("FXCONFORM_") ? undefined : named(advice);
  return { where: named(where), what: named(what), found, advice: own };
}

type Given<T> = T extends readonly (infer E)[] ? readonly E[] : T;

/** The other options of `fxconform run`, by their names in the configuration file and with the same defaults. */
type RunInput = { readonly [N in Exclude<OptionName, CommandLineName>]?: Given<InputOf<N>> };

export interface Options extends RunInput {
  /** Address of the target; a base path is kept. */
  readonly baseUrl: string;
  /** Interrupts the run. It then resolves to the results so far, with the outcome `interrupted`. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}
