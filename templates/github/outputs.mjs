// Prints an ::error annotation for each cause of a failure, a ::warning for what narrows the gate,
// and writes the outputs of the action.
//   node templates/github/outputs.mjs <report folder> <exit code of the run> <start of the step, in seconds since 1970>
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder = "fxconform-report", code, started] = process.argv.slice(2);
/** GitHub shows at most this many errors and this many warnings of a step. */
const most = 10;
/**
 * Exit codes after which the folder has the report of this step. After 2 and 4, the report there
 * may be older.
 */
const codesWithReport = ["0", "1", "3", "130"];
const outcomes = ["conformant", "nonconformant", "partial", "inconclusive", "interrupted", "error"];

const { outcome, failed, annotations } = resultIn(folder);
for (const text of annotations) console.log(text);
if (process.env.GITHUB_OUTPUT) {
  const outputs = { outcome, failed, "report-dir": folder };
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
    const rows = report.requirements.filter(({ verdict }) => verdict === "fail");
    return {
      outcome: report.outcome,
      failed: rows.length,
      annotations: annotationsOf(report, rows),
    };
  } catch {
    return { outcome: "error", failed: 0, annotations: [] };
  }
}

/**
 * Returns a line for each cause, for each reason of the gate other than a failed requirement, and
 * for each option that narrows the gate.
 */
function annotationsOf(report, rows) {
  const causes = report.causes.filter(({ requirements }) =>
    requirements.some((id) => rows.some((row) => row.id === id)),
  );
  const others = report.gate.reasons.filter(({ kind }) => kind !== "must-failed");
  const errors = [
    ...causes.map((cause) =>
      annotation("error", cause.requirements.join(" "), textOf(cause, report)),
    ),
    ...others.map(({ text }) => annotation("error", "fxconform", text)),
  ];
  const narrowed = (report.narrowed ?? []).map((text) => annotation("warning", "fxconform", text));
  return [...errors.slice(0, most), ...narrowed.slice(0, most)];
}

/**
 * Returns a cause in words. If the cause breaks a single requirement, they are those of its
 * example: what the server does, and what was expected and found.
 */
function textOf({ text, requirements, example }, report) {
  const { findings } = report.requirements.find(({ id }) => id === example.requirement);
  const { message, expected, actual } = findings[example.finding];
  return requirements.length > 1
    ? text
    : `${message.replace(/\.$/, "")}. Expected ${expected}, found ${actual}.`;
}

/**
 * Returns a command of GitHub Actions. `%`, line breaks and, in properties, `:` and `,` are
 * escaped.
 */
function annotation(kind, title, message) {
  const escaped = (text) =>
    text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  return `::${kind} title=${escaped(title).replaceAll(":", "%3A").replaceAll(",", "%2C")}::${escaped(message)}`;
}
