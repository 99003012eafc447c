import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Run } from "../../model/run.ts";
import { readText } from "../configuration/config-file.ts";
import type { Io } from "../output/io.ts";
import type { Parts } from "../lazy-modules.ts";
import { gathering, UsageError, type Problem } from "../configuration/problem.ts";

/** A report that was read. */
export interface ReportInput {
  /** Absolute path of the report.json. */
  readonly path: string;
  readonly run: Run;
}

/**
 * Reads the reports that the words of a command name. Throws `UsageError` with the problems that are known already and
 * those of every report.
 */
export async function readReports(
  words: readonly string[],
  known: readonly Problem[],
  io: Io,
  parts: Parts,
): Promise<readonly ReportInput[]> {
  const gathered = gathering(known);
  const inputs: ReportInput[] = [];
  for (const word of words) {
    const input = await gathered.read(() => readReport(word, io, parts));
    if (input !== undefined) inputs.push(input);
  }
  gathered.settle();
  return inputs;
}

/** Reads a report.json, named itself or by its folder. Throws `UsageError` where it is missing or no report. */
async function readReport(word: string, io: Io, parts: Parts): Promise<ReportInput> {
  const named = resolve(io.cwd, word);
  const path = statSync(named, { throwIfNoEntry: false })?.isDirectory() === true ? join(named, "report.json") : named;
  const text = readText(path, word);
  const readRun = await parts.readRun();
  try {
    return { path, run: readRun(text) };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ReportError") throw error;
    throw new UsageError([{ where: word, what: `cannot be read: ${error.message.replace(/\.$/, "")}` }]);
  }
}
