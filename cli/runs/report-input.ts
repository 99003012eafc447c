import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hasVerdict } from "../../model/conclusion/outcome.ts";
import { previousFile } from "../../reports/last-report.ts";
import { fileBounds } from "../../model/files.ts";
import { readText, shownFile } from "../../settings/file.ts";
import type { Io } from "../output/io.ts";
import { plain } from "../../reports/sanitize.ts";
import { momentText } from "../../reports/summary.ts";
import { shortPath } from "../../settings/command-line.ts";
import { wrong } from "../../settings/problem.ts";

type ReportInput = Awaited<ReturnType<typeof readReport>>;

/**
 * Reads a report.json. `word` is the path of the file or of its folder, and `where` its name in
 * messages. Throws `UsageError` if the file is missing or not a report.
 */
export async function readReport(word: string, io: Io, where = shownFile(word, io.cwd)) {
  const named = resolve(io.cwd, word);
  const path =
    statSync(named, { throwIfNoEntry: false })?.isDirectory() === true
      ? join(named, "report.json")
      : named;
  const text = readText(path, where, { most: fileBounds.report });
  const { readRun, ReportError } = await import("../../reports/read.ts");
  try {
    return { path, run: readRun(text) };
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    throw wrong(where, `cannot be read: ${error.message.replace(/\.$/, "")}`);
  }
}

/**
 * Reads a report.json, or, if its run has no verdict, the last report with one that lies beside it,
 * and says so. Throws as `readReport` does.
 */
export async function reportWithVerdict(word: string, io: Io, where?: string) {
  const input = await readReport(word, io, where);
  const beside = join(dirname(input.path), previousFile);
  if (hasVerdict(input.run) || input.path === beside || !existsSync(beside)) return input;
  io.stderr(`${word} has no verdict: the last report with one is read.\n`);
  return readReport(beside, io);
}

/**
 * Which report it is, as a text: `fxconform-report/report.json: run of 24 Nov 2026 14:02 UTC
 * at https://fx.example, profile full, seed 5`.
 */
export function reportText({ path, run }: ReportInput, { cwd }: Io): string {
  const { startedAt, target, profile, seed } = run;
  return `${shortPath(path, cwd)}: run of ${momentText(startedAt)} at ${plain(target.baseUrl, 200)}, profile ${profile}, seed ${seed}`;
}
