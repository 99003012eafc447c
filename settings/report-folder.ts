import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  codeOf,
  fileBounds,
  fileBytes,
  isFolder,
  makeFolder,
  removeLeftovers,
  temporaryPath,
} from "../model/files.ts";
import type { Run } from "../model/run.ts";
import { wrong } from "./problem.ts";

/**
 * Makes the folder and tries to write to it, before anything is sent. Throws `UsageError` if that
 * fails, if a folder has the name of a report, or if a report.json of another program would be
 * overwritten.
 */
export function prepareReportFolder(
  folder: string,
  where: string,
  reports: readonly { readonly file: string }[],
) {
  const elsewhere = `choose another folder by ${where.startsWith("--") ? where : "--report-dir"}.`;
  try {
    makeFolder(folder);
    const probe = temporaryPath(folder, "probe");
    writeFileSync(probe, "");
    rmSync(probe);
    removeLeftovers(folder);
  } catch (error) {
    // If too few files may be open, the folder is not the reason.
    if (/^E[MN]FILE$/.test(codeOf(error))) throw error;
    const what = `is not a folder that can be written to (${codeOf(error)})`;
    throw wrong(where, what, `Move what is in the way, or ${elsewhere}`, folder);
  }
  const files = reports.map(({ file }) => file);
  const inWay = files.filter((file) => isFolder(join(folder, file)));
  if (inWay.length > 0) {
    const what = `holds a folder named ${inWay.join(" and one named ")}, where a report should go`;
    throw wrong(where, what, `Move it away, or ${elsewhere}`, folder);
  }
  for (const file of files.includes("report.json") ? ["report.json", "previous.json"] : []) {
    if (!existsSync(join(folder, file)) || isOurs(folder, file)) continue;
    const what = `holds a ${file} that fxconform did not write and that would be lost`;
    throw wrong(where, what, `Move it away, or ${elsewhere}`, folder);
  }
}

/** Whether fxconform wrote an earlier report, whatever its format is. */
function isOurs(folder: string, file: string): boolean {
  try {
    const bytes = fileBytes(join(folder, file), { most: fileBounds.report });
    return (JSON.parse(bytes.toString("utf8")) as Partial<Run>).tool?.name === "fxconform";
  } catch {
    return false;
  }
}
