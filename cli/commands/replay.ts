import { dirname, join } from "node:path";
import { defined } from "../../model/defined.ts";
import { runAndReport, type Result } from "../runs/run-and-report.ts";
import { configurationOf, type Presets } from "../../settings/configuration.ts";
import { options, optionsIn, type OptionName } from "../../settings/options.ts";
import { flagValue } from "../../settings/values.ts";
import type { Command } from "./command.ts";
import { UsageError, wrong } from "../../settings/problem.ts";
import { requirementsNamed } from "../../settings/selection.ts";
import type { RequirementResult, Run, Finding } from "../../model/run.ts";
import type { Target } from "../../model/target.ts";
import { exitCodes } from "../output/exit-code.ts";
import { readReport } from "../runs/report-input.ts";
import { actualText, expectedText } from "../../reports/failures.ts";
import { plain } from "../../reports/sanitize.ts";
import { causeKeyOf } from "../../model/causes.ts";
import { isInSummary } from "../../model/outcome.ts";

/** Checks the failures of an earlier report again, with the scenarios and samples that found them. */
export const replay: Command = async ({ words: [word = ""], flags }, io) => {
  const { path, run } = await readReport(word, io);
  if (run.profile === "traffic" || run.profile === "contract") {
    const what = `is a report of fxconform ${run.profile === "traffic" ? "judge" : "contract"}, which sent nothing`;
    throw wrong(path, what, "Repeat that command: it judges the same again.");
  }
  if (run.seeds !== undefined) {
    const what = "joins runs with several seeds, and a replay sends the samples of one";
    throw wrong(path, what, "Replay the report that the replay line of a failure names.");
  }
  const failed = chosen(run, flagValue("--only", flags["only"], options.only.kind));
  if (failed.length === 0) {
    const judged = run.outcome !== "inconclusive";
    const why = judged ? "No requirement failed in this report" : "This report is of a run without a verdict";
    io.stdout(`${why}: there is nothing to replay.\n`);
    return judged ? exitCodes.pass : exitCodes.inconclusive;
  }
  const only = failed.map(({ id }) => id);
  const configuration = await configurationOf({ ...flags, only }, io, presetsOf(run, path, io.cwd));
  const { options: usual } = configuration;
  requireHeaders(run, usual.target);
  const scenarios = [...new Set(failed.flatMap(({ findings }) => findings.flatMap(({ scenario }) => scenario ?? [])))];
  return runAndReport(
    { ...configuration, options: { ...usual, settings: { ...usual.settings, scenarios } } },
    "replay",
    io,
    { resultOf: (again) => replayResult(failed, again, configuration.values.verbose?.value) },
  );
};

/** A report contains no values of secret headers. Throws `UsageError` if a header of the run has no value now. */
function requireHeaders({ target }: Run, { headers = [] }: Target): void {
  const missing = (target.headers ?? []).filter((name) => !headers.some((header) => header.name === name));
  if (missing.length === 0) return;
  const what = `is missing: the run sent ${missing.join(" and ")}, and no report holds the value`;
  throw wrong("--header", what, `Give --header "${missing[0]}: value", or env:NAME.`);
}

/** The requirements with a finding that `names` selects; without it, those that failed. */
function chosen(run: Run, names: readonly string[] | undefined): readonly RequirementResult[] {
  if (names === undefined) return run.requirements.filter(({ verdict }) => verdict === "fail");
  const found = run.requirements.filter(({ findings }) => findings.length > 0);
  const ids = found.map(({ id }) => id);
  const idsOf = (name: string) => ids.filter((id) => requirementsNamed(name)?.includes(id) === true);
  const what = "names no requirement with a finding in this report";
  const advice = ids.length === 0 ? "It has no findings." : `It has findings for ${ids.join(", ")}.`;
  const empty = names.filter((name) => idsOf(name).length === 0);
  if (empty.length > 0) throw new UsageError(empty.map((name) => ({ where: "--only", what, found: name, advice })));
  const wanted = new Set(names.flatMap(idsOf));
  return found.filter(({ id }) => wanted.has(id));
}

/** Options that this run may take from variables and the configuration file. */
const open: readonly OptionName[] = ["apiKey", "apiKeyFile", "headers", "proxy", "reportDir", "reports", "color"];

/** Options of the report that a replay does not take over: its selection, its gate and its report folder. */
const dropped: readonly string[] = [
  ...optionsIn("Selection", "Gate", "Reports"),
  ...["bail", "watch", "watchFiles", "ui"],
];

function presetsOf(run: Run, path: string, cwd: string): Presets {
  const given = Object.entries(run.settings ?? {}).filter(([name]) => !dropped.includes(name));
  const { apiKeyFile, headers, proxy, ...report } = Object.fromEntries(given);
  const { target, profile, seed } = run;
  const runs = run.runs > 0 ? run.runs : undefined;
  return {
    given: {
      origin: "report",
      whereOf: (name) => `${name} in the report`,
      values: { ...report, baseUrl: target.baseUrl, profile, seed, ...defined({ runs }) },
      // Paths are relative to the working directory, as in that run.
      folder: cwd,
    },
    open,
    // Only defaults: the key, headers and the proxy in variables or the file are newer.
    defaults: { reportDir: join(dirname(path), "replay"), ...defined({ apiKeyFile, proxy, headers }) },
  };
}

/** What became of a failure. `unreachable`: this run could not judge the requirement. */
const fates = ["fixed", "still failing", "another cause", "unreachable"] as const;

type Fate = (typeof fates)[number];

/** A line with the result for each failure, and the exit code: 0 only if all are fixed. `verbose`: with curl commands. */
export function replayResult(failed: readonly RequirementResult[], run: Run, verbose = false): Result {
  const rows = failed.map((before) => rowOf(before, run, verbose));
  const count = (fate: Fate): number => rows.filter((row) => row.fate === fate).length;
  const counts = fates.filter((fate) => count(fate) > 0).map((fate) => `${count(fate)} ${fate}`);
  const token = verbose ? run.tokenCommand : undefined;
  const text = [
    ...(token === undefined ? [] : [labelled("token", token), ""]),
    ...rows.flatMap(({ lines }) => lines),
    "",
    ...(rows.some(({ isUntested }) => isUntested) ? [plain(run.summary, 1000)] : []),
    counts.join(", "),
  ].join("\n");
  return { text: `${text}\n`, code: codeOf(run, count) };
}

function codeOf({ outcome }: Run, count: (fate: Fate) => number): number {
  if (outcome === "error") return exitCodes.error;
  if (outcome === "interrupted") return exitCodes.interrupted;
  if (count("still failing") + count("another cause") > 0) return exitCodes.fail;
  return count("unreachable") > 0 ? exitCodes.inconclusive : exitCodes.pass;
}

function rowOf(before: RequirementResult, run: Run, verbose: boolean) {
  const after = run.requirements.find(({ id }) => id === before.id);
  const known = sameIn(before, after);
  const [earlier, finding] = known ?? [before.findings[0], after?.findings[0]];
  const fate = fateOf(after, known !== undefined);
  const reason = fate === "unreachable" ? (after?.reason ?? run.summary) : "";
  const isUntested = reason !== "" && isInSummary(run, reason);
  const other = fate === "another cause" ? earlier : undefined;
  const details = {
    reason: isUntested ? "" : reason,
    before: other?.message,
    was: other && actualText(other),
    finding: finding?.message,
    expected: finding && expectedText(finding),
    actual: finding && actualText(finding),
    request: verbose ? finding?.curl : "",
  };
  const lines = [
    `${before.id.padEnd(9)} ${fate.padEnd(13)} ${plain(before.statement)}`,
    ...Object.entries(details).flatMap(([label, text = ""]) => (text === "" ? [] : [labelled(label, text)])),
  ];
  return { fate, isUntested, lines };
}

const labelled = (label: string, text: string): string => `  ${label.padEnd(9)} ${plain(text, 2000)}`;

function fateOf(after: RequirementResult | undefined, isKnown: boolean): Fate {
  if (after?.verdict === "pass") return "fixed";
  if (after === undefined || after.findings.length === 0) return "unreachable";
  return isKnown ? "still failing" : "another cause";
}

/** A finding of each run with the same kind of request and cause. Samples and ids may differ. */
function sameIn({ id, findings }: RequirementResult, after?: RequirementResult) {
  const keyOf = (one: Finding): string => JSON.stringify([one.intent, causeKeyOf(id, one)]);
  for (const finding of after?.findings ?? []) {
    const earlier = findings.find((one) => keyOf(one) === keyOf(finding));
    if (earlier !== undefined) return [earlier, finding];
  }
  return undefined;
}
