// Writes the outputs of the action. fxconform itself prints the annotations.
//   node templates/github/outputs.mjs <report folder> <exit code of the run> <start of the step, in seconds since 1970>
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder = "fxconform-report", code, started] = process.argv.slice(2);
/**
 * Exit codes after which the folder has the report of this step. After 2 and 4, the report there
 * may be older.
 */
const codesWithReport = ["0", "1", "3", "130"];
const outcomes = ["conformant", "nonconformant", "partial", "inconclusive", "interrupted", "error"];

if (process.env.GITHUB_OUTPUT) {
  const outputs = { ...resultIn(folder), "report-dir": folder };
  const lines = Object.entries(outputs).map(
    ([name, value]) => `${name}=${String(value).replaceAll(/[\r\n]/g, " ")}\n`,
  );
  appendFileSync(process.env.GITHUB_OUTPUT, lines.join(""));
}

/**
 * Returns what the report of this step says. The outcome is `error` if the step wrote no report, or
 * if the file has another shape.
 */
function resultIn(path) {
  try {
    if (!codesWithReport.includes(code)) throw new Error("The folder may hold an older report.");
    const report = JSON.parse(readFileSync(join(path, "report.json"), "utf8"));
    const isOfThisStep = Date.parse(report.startedAt) >= Number(started) * 1000;
    if (report.tool.name !== "fxconform" || !outcomes.includes(report.outcome) || !isOfThisStep)
      throw new Error("This is not the report of this step.");
    const failed = report.requirements.filter(({ verdict }) => verdict === "fail").length;
    return { outcome: report.outcome, failed };
  } catch {
    return { outcome: "error", failed: 0 };
  }
}
