// Prints an ::error annotation for each cause of a failure, and writes the outputs of the action.
//   node templates/github/outputs.mjs <report folder> <exit code of the run>
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder = "fxconform-report", code] = process.argv.slice(2);
/** GitHub shows ten errors of a step. */
const most = 10;

// Nothing was run where the options are wrong or the installation failed: a report in the folder is an older one.
const run = code === "2" || code === "4" ? undefined : reportIn(folder);
const failed = run?.requirements.filter(({ verdict }) => verdict === "fail") ?? [];
for (const text of annotations(run).slice(0, most)) console.log(text);
if (process.env.GITHUB_OUTPUT) {
  const outputs = { outcome: run?.outcome ?? "error", failed: failed.length, "report-dir": folder };
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${String(value).replaceAll(/[\r\n]/g, " ")}\n`);
  appendFileSync(process.env.GITHUB_OUTPUT, lines.join(""));
}

function reportIn(path) {
  try {
    return JSON.parse(readFileSync(join(path, "report.json"), "utf8"));
  } catch {
    return undefined;
  }
}

/** A cause that breaks one requirement is said by its example: what the server does, and what was expected and found. */
function textOf({ text, requirements, example }, report) {
  const { findings } = report.requirements.find(({ id }) => id === example.requirement);
  const { message, expected, actual } = findings[example.finding];
  return requirements.length > 1 ? text : `${message} Expected ${expected}, found ${actual}.`;
}

/** A line for each cause, and for each reason of the gate that is not a failed requirement. */
function annotations(report) {
  if (report === undefined) return [];
  const causes = report.causes.filter(({ requirements }) =>
    requirements.some((id) => failed.some((row) => row.id === id)),
  );
  const others = report.gate.reasons.filter(({ kind }) => kind !== "must-failed");
  return [
    ...causes.map((cause) => error(cause.requirements.join(" "), textOf(cause, report))),
    ...others.map(({ text }) => error("fxconform", text)),
  ];
}

/** The commands of GitHub Actions: `%`, line breaks and, in properties, `:` and `,` are escaped. */
function error(title, message) {
  const escaped = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  return `::error title=${escaped(title).replaceAll(":", "%3A").replaceAll(",", "%2C")}::${escaped(message)}`;
}
