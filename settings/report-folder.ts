import { existsSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  codeOf,
  losesForeign,
  makeFolder,
  removeLeftovers,
  temporaryPath,
} from "../model/files.ts";
import { masked, wrong } from "./problem.ts";

/**
 * Makes the folder and tries to write to it, before anything is sent. Throws `UsageError` if that
 * fails, if it is a link that nobody named, if a folder has the name of a report, or if a file that
 * fxconform did not write would be lost.
 */
export function prepareReportFolder(
  folder: string,
  where: string,
  reports: readonly { readonly file: string }[],
  isNamed = true,
) {
  const named = existsSync(folder) ? folder : masked(folder);
  const elsewhere = `choose another folder by ${where.startsWith("--") ? where : "--report-dir"}.`;
  const link = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (link && !isNamed)
    throw wrong(where, `is by default ${folder}, a link that no option names`, nameIt);
  try {
    makeFolder(folder);
    const probe = temporaryPath(folder, "probe");
    writeFileSync(probe, "");
    rmSync(probe);
    removeLeftovers(folder);
  } catch (error) {
    const what = `names ${named}, which is not a folder that can be written to (${codeOf(error)})`;
    throw wrong(where, what, `Move what is in the way, or ${elsewhere}`);
  }
  const files = reports.map(({ file }) => file);
  for (const file of [...files, ...(files.includes("report.json") ? ["previous.json"] : [])]) {
    if (!losesForeign(join(folder, file))) continue;
    const what = `names ${folder}, which holds a ${file} that fxconform did not write and that would be lost`;
    throw wrong(where, what, `Move it away, or ${elsewhere}`);
  }
}

const nameIt = "Name it by --report-dir, or remove the link.";
