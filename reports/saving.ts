import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { codeOf, makeFolder, temporaryPath } from "../model/files.ts";
import type { Run } from "../model/run.ts";
import { previousFile, type LastReport } from "./last-report.ts";
import { textsOf, withTexts, type Redaction } from "../model/evidence/redaction.ts";

export interface SavePlan {
  readonly folder: string;
  readonly renderers: readonly Renderer[];
  /** What no file may contain. */
  readonly secrets: Secrets;
  /**
   * The last report with a verdict. If a new report.json replaces this last report, it is kept as
   * `previous.json`, unless it contains a secret.
   */
  readonly last?: LastReport | undefined;
}

/** Writes files. A test can replace `write`, for example to act as if the disk were full. */
export const disk = { write: writeFileSync as (path: string, text: string) => void };

/**
 * Makes the reports of a run, searches each for secrets, writes those without a secret to temporary
 * files, and renames the files after the last one is written. If one text cannot be made, the
 * others still are. Before each text, the function lets the event loop turn, so that a Ctrl+C is
 * handled. Returns the reports of this run that are in the folder now, and why others are `lost`; an
 * error with a cause is one of fxconform.
 */
export async function saveReports(run: Run, { folder, renderers, secrets, last }: SavePlan) {
  const kept = last?.isReplaced === true && !holdsSecret(last.text, secrets) ? last : undefined;
  const lost: Error[] = [];
  const files: { readonly file: string; readonly temporary: string }[] = [];
  const prepare = (file: string, text: string): void => {
    const temporary = temporaryPath(folder, file);
    files.push({ file, temporary });
    disk.write(temporary, text);
  };
  const replaced: string[] = [];
  let inWay = folder;
  try {
    makeFolder(folder);
    for (const { file, render } of jsonFirst(renderers)) {
      await nextTurn();
      const text = textOrError(file, () => reportText(run, render, secrets));
      if (text instanceof Error) lost.push(text);
      else {
        if (file === "report.json" && kept !== undefined && kept.run.runId !== run.runId)
          prepare(previousFile, kept.text);
        prepare(file, text);
      }
    }
    for (const { file, temporary } of files) {
      inWay = join(folder, file);
      renameSync(temporary, inWay);
      if (file !== previousFile) replaced.push(file);
    }
  } catch (error) {
    for (const { temporary } of files) rmSync(temporary, { force: true });
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    const rest =
      replaced.length === 0
        ? "Earlier reports there are untouched."
        : `Of this run are ${replaced.join(", ")}; the others are as they were.`;
    lost.push(
      new Error(`The reports could not be written to ${inWay} (${codeOf(error)}). ${rest}`),
    );
  }
  return { files: replaced, lost };
}

/** The renderers with json first, because all other reports can be made again from it. */
function jsonFirst(renderers: readonly Renderer[]): readonly Renderer[] {
  return renderers.toSorted(
    (a, b) => Number(b.file === "report.json") - Number(a.file === "report.json"),
  );
}

/** What `render` returns, or an error that says why the file has no text. */
function textOrError(file: string, render: () => string | undefined): string | Error {
  try {
    return render() ?? new Error(`${file} is not written: a secret was found in it.`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new Error(`${file} could not be made: ${reason}`, { cause });
  }
}

/**
 * A report format: renders a run as the text of one file, which the caller writes. `render` must be
 * pure: the same run gives the same bytes.
 */
export interface Renderer {
  readonly file: string;
  render(run: Run): string;
}

/** What reports need of the redaction of a run. */
export type Secrets = Pick<Redaction, "redact" | "wholeIn">;

/**
 * The text of a report. Undefined if the run contains a secret. If a secret arises only in the form
 * of this report, all texts of the server and of clients are left out.
 */
export function reportText(
  run: Run,
  render: (run: Run) => string,
  secrets: Secrets,
): string | undefined {
  const text = render(run);
  const found = secrets.wholeIn(text);
  if (found.size === 0) return text;
  if (holdsSecret(run, secrets)) return undefined;
  const own = render(withTexts(run, () => "[left out]"));
  const inOwn = secrets.wholeIn(own);
  return [...found].some((secret) => !inOwn.has(secret)) ? own : text;
}

/**
 * Whether the texts of the server or of clients contain a whole secret in any spelling, in a run or
 * in an entry of a recording.
 */
export function holdsSecret(whole: unknown, { wholeIn }: Secrets): boolean {
  return textsOf(whole).some((text) => wholeIn(text).size > 0);
}
