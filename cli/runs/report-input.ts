import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Run } from "../../model/run.ts";
import { readText } from "../../settings/file.ts";
import type { Io } from "../output/io.ts";
import { wrong } from "../../settings/problem.ts";

export interface ReportInput {
  readonly path: string;
  readonly run: Run;
}

/** Reads a report.json, named itself or by its folder. Throws `UsageError` if it is missing or is not a report. */
export async function readReport(word: string, io: Io): Promise<ReportInput> {
  const named = resolve(io.cwd, word);
  const path = statSync(named, { throwIfNoEntry: false })?.isDirectory() === true ? join(named, "report.json") : named;
  const text = readText(path, word);
  const { readRun, ReportError } = await import("../../reports/read.ts");
  try {
    return { path, run: readRun(text) };
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    throw wrong(word, `cannot be read: ${error.message.replace(/\.$/, "")}`);
  }
}
