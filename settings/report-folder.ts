import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, isFolder, makeFolder, temporaryPath, withParents } from "../model/files.ts";
import type { Run } from "../model/run.ts";
import { UsageError, wrong, type Problem } from "./problem.ts";

/** What can be seen without writing. A report.json of another program, which would be lost, is a problem too. */
export function reportFolderProblems(folder: string, where: string, writesJson: boolean): readonly Problem[] {
  try {
    const [nearest] = withParents(folder).filter((path) => existsSync(path));
    if (nearest !== undefined && !isFolder(nearest)) throw Object.assign(new Error(), { code: "ENOTDIR" });
    if (nearest !== undefined) accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    return [notWritable(folder, where, error)];
  }
  if (!writesJson || !existsSync(join(folder, "report.json")) || isFolder(join(folder, "report.json"))) return [];
  if (earlierRun(folder)?.tool?.name === "fxconform") return [];
  const what = "holds a report.json that fxconform did not write and that would be lost";
  return [{ where, what, found: folder, advice: `Move it away, or ${elsewhere(where)}` }];
}

/** Whether the report in a folder is of a run that checked more requirements than `checked`. */
export const holdsFullerReport = (folder: string, checked: number): boolean =>
  (earlierRun(folder)?.requirements?.filter(({ verdict }) => verdict !== "skip").length ?? 0) > checked;

/** Makes the folder and tries to write to it, before anything is sent. Throws `UsageError`. */
export function prepareReportFolder(folder: string, where: string, reports: readonly { readonly file: string }[]) {
  const files = reports.map(({ file }) => file);
  const problems = reportFolderProblems(folder, where, files.includes("report.json"));
  if (problems.length > 0) throw new UsageError(problems);
  const inWay = files.filter((file) => isFolder(join(folder, file)));
  if (inWay.length > 0) {
    const what = `holds a folder named ${inWay.join(" and one named ")}, where a report should go`;
    throw wrong(where, what, `Move it away, or ${elsewhere(where)}`, folder);
  }
  try {
    makeFolder(folder);
    const probe = temporaryPath(folder, "probe");
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    throw new UsageError([notWritable(folder, where, error)]);
  }
}

/** An earlier report, as far as it can be read, whatever its format; undefined if there is none. */
function earlierRun(folder: string): Partial<Pick<Run, "tool" | "requirements">> | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as Partial<Run>;
  } catch {
    return undefined;
  }
}

const notWritable = (folder: string, where: string, error: unknown): Problem => ({
  where,
  what: `is not a folder that can be written to (${codeOf(error)})`,
  found: folder,
  advice: `Move what is in the way, or ${elsewhere(where)}`,
});

const elsewhere = (where: string): string =>
  `choose another folder by ${where.startsWith("--") ? where : "--report-dir"}.`;
