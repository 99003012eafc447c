import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Run } from "../reports/run.ts";
import { readText } from "./config-file.ts";
import type { Io } from "./io.ts";
import type { Parts } from "./parts.ts";
import { UsageError } from "./problem.ts";

/** A report that was read. */
export interface ReportInput {
  /** Absolute path of the report.json. */
  readonly path: string;
  readonly run: Run;
}

/** Reads a report.json, named itself or by its folder. Throws `UsageError` where it is missing or no report. */
export async function readReport(word: string | undefined, io: Io, parts: Parts): Promise<ReportInput> {
  if (word === undefined) {
    const advice = "A run leaves it in its report folder: fxconform-report/report.json.";
    throw new UsageError([{ where: "<report.json>", what: "is missing", advice }]);
  }
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
