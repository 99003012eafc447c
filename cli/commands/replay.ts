import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkedAgain } from "../runs/checked-again.ts";
import { consoleStyle, runAndReport } from "../runs/run-and-report.ts";
import { shellWord, shortPath } from "../../settings/command-line.ts";
import { configurationOf, type Configuration, type Presets } from "../../settings/configuration.ts";
import { read, readText } from "../../settings/kinds/kind.ts";
import { options, replayOptions, type OptionName } from "../../settings/options.ts";
import { flagValue, type Flags } from "../../settings/sources.ts";
import type { Command } from "./command.ts";
import { UsageError, wrong, type Problem } from "../../settings/problem.ts";
import { requirementsNamed } from "../../settings/selection.ts";
import type { VerdictChange, RequirementResult, Run } from "../../model/run.ts";
import type { Target } from "../../model/target.ts";
import { exitCodes } from "../output/exit-code.ts";
import type { Io } from "../output/io.ts";
import { readReport, reportText, type ReportInput } from "../runs/report-input.ts";
import { previousFile } from "../../reports/last-report.ts";
import { plain } from "../../reports/sanitize.ts";
import { scenariosOf } from "../../model/conclusion/comparison.ts";
import { hasVerdict } from "../../model/conclusion/outcome.ts";

/** Checks the failures of an earlier report again, with the same scenarios and samples. */
export const replay: Command = async ({ words: [given], flags }, io) => {
  const { path, run } = await replayedReport(given ?? (await usualReport(flags, io)), io);
  if (run.profile === "traffic" || run.profile === "contract") {
    const what = `is a report of fxconform ${run.profile === "traffic" ? "judge" : "contract"}, which sent nothing`;
    throw wrong(path, what, "Repeat that command: it judges the same again.");
  }
  const failed = chosen(run, flagValue("--only", flags["only"], options.only.kind));
  if (failed.length === 0) {
    const judged = hasVerdict(run);
    const why = judged
      ? "No requirement failed in this report"
      : "This report is of a run without a verdict";
    io.stdout(`${why}: there is nothing to replay.\n`);
    return judged ? exitCodes.pass : exitCodes.inconclusive;
  }
  const only = failed.map(({ id }) => id);
  const configuration = await configurationOf(
    { ...flags, only },
    io,
    presetsOf(run, path, { cwd: io.cwd, isUsual: given === undefined }),
  );
  const { options: usual } = configuration;
  requireHeaders(run, usual.target);
  const address = otherAddress(run, configuration);
  const scenarios = scenariosOf(failed);
  return runAndReport(
    {
      ...configuration,
      options: { ...usual, settings: { ...usual.settings, scenarios } },
      warnings: [...configuration.warnings, ...address],
    },
    "replay",
    io,
    {
      resultOf: (again) => {
        const { text, changes } = checkedAgain(failed, again, consoleStyle(configuration, io));
        return { text, code: codeOf(again, changes) };
      },
    },
  );
};

/**
 * Returns the path of the report in the folder where `run` writes without flags: the folder that
 * the variable or the configuration file names, or the default.
 */
async function usualReport({ config }: Flags, io: Io): Promise<string> {
  const presets = { targetless: true, open: ["reportDir"] } as const;
  const { reportDir } = await configurationOf({ config }, io, presets);
  return shortPath(join(reportDir, "report.json"), io.cwd);
}

/**
 * Reads the report to replay, and prints which report it is. If the named report has no verdict,
 * takes the last report with a verdict, if one lies beside it. Throws `UsageError` if it cannot be
 * read.
 */
async function replayedReport(word: string, io: Io): Promise<ReportInput> {
  const input = await readReport(word, io);
  const beside = join(dirname(input.path), previousFile);
  const isUsed =
    !hasVerdict(input.run) && basename(input.path) === "report.json" && existsSync(beside);
  const used = isUsed ? await readReport(beside, io) : input;
  if (isUsed) io.stderr(`${word} has no verdict: the last report with one is replayed.\n`);
  io.stderr(`Replays ${reportText(used, io)}.\n`);
  return used;
}

/**
 * Returns a warning if a variable or the configuration file names another address than the report.
 */
function otherAddress({ target }: Run, { values }: Configuration): readonly string[] {
  const { baseUrl } = values;
  if (baseUrl === undefined || baseUrl.origin === "flag" || baseUrl.value === target.baseUrl)
    return [];
  return [
    `The report is of ${plain(target.baseUrl, longestAddress)}; ${baseUrl.where} names ${baseUrl.value}.`,
  ];
}

/**
 * Throws `UsageError` if the user gives no value for a header that the run sent. The report names
 * the headers that were added, and never contains their values.
 */
function requireHeaders({ target }: Run, { headers = [] }: Target): void {
  const missing = (target.headers ?? []).filter(
    (name) => !headers.some((header) => header.name === name),
  );
  if (missing.length === 0) return;
  const names = plain(missing.join(" and "), 200);
  const what = `is missing: the run sent ${names}, and no report holds the value`;
  throw wrong(
    "--header",
    what,
    `Give --header "${plain(missing[0] ?? "", 100)}: value", or env:NAME.`,
  );
}

/**
 * Returns the requirements with findings that `names` selects, or without `names` all that failed.
 * Throws `UsageError` if a name selects none.
 */
function chosen(run: Run, names: readonly string[] | undefined): readonly RequirementResult[] {
  if (names === undefined) return run.requirements.filter(({ verdict }) => verdict === "fail");
  const found = run.requirements.filter(({ findings }) => findings.length > 0);
  const ids = found.map(({ id }) => id);
  const idsOf = (name: string) =>
    ids.filter((id) => requirementsNamed(name)?.includes(id) === true);
  const what = "names no requirement with a finding in this report";
  const advice =
    ids.length === 0 ? "It has no findings." : `It has findings for ${ids.join(", ")}.`;
  const empty = names.filter((name) => idsOf(name).length === 0);
  if (empty.length > 0)
    throw new UsageError(empty.map((name) => ({ where: "--only", what, found: name, advice })));
  const wanted = new Set(names.flatMap(idsOf));
  return found.filter(({ id }) => wanted.has(id));
}

interface ReplayPlace {
  readonly cwd: string;
  /** Whether the report was found in the folder where `run` writes. */
  readonly isUsual: boolean;
}

/** Options that shape the samples. A report contains their values. */
const sampleOptions = [
  "currencyPairs",
  "otherPurposes",
  "amount",
  "batchMembers",
] as const satisfies OptionName[];

/**
 * What a report decides about its replay: the seed and the number of samples and, unless the user
 * sets them, the options that shape samples. A report must not decide to which other machine a key
 * is sent, which files are read, or how fast requests are sent, because it can come from anybody.
 */
function presetsOf(run: Run, path: string, { cwd, isUsual }: ReplayPlace): Presets {
  const { target, seed, settings = {} } = run;
  const runs = run.runs > 0 ? run.runs : undefined;
  const whereOf = (name: string): string => `${name} in the report`;
  const source = { origin: "file", whereOf, folder: cwd, file: path } as const;
  const samples = Object.fromEntries(
    sampleOptions.map((name) => [name, sampleValue(name, settings[name])]),
  );
  const baseUrl = isOnThisMachine(target.baseUrl) ? target.baseUrl : undefined;
  return {
    given: { ...source, values: { seed, runs } },
    fallback: { ...source, values: { ...samples, baseUrl } },
    // A report that was found in the usual folder stays there: variables and the configuration file
    // do not decide where its replay writes.
    open: [...replayOptions, ...(isUsual ? [] : (["reportDir"] as const)), "reports", "color"],
    defaults: { reportDir: join(dirname(path), "replay") },
    noAddress: noAddress(target.baseUrl),
  };
}

/**
 * Returns the value of an option in the report. Reports of earlier versions hold amounts and the
 * members of batches as texts, which are parsed.
 */
function sampleValue(name: (typeof sampleOptions)[number], value: unknown): unknown {
  if (typeof value !== "string") return value;
  const reading = readText(options[name].kind, value);
  return "value" in reading ? reading.value : value;
}

/**
 * Whether an address certainly leads to this machine. A name such as `api.localhost` does not
 * count, because a name server could say that it is another machine.
 */
function isOnThisMachine(address: string): boolean {
  return (
    URL.canParse(address) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
  );
}

/** How many characters of an address from a report a message repeats at most. */
const longestAddress = 200;

function noAddress(address: string): Problem {
  const reading = read(options.baseUrl.kind.schema, address);
  const isUsable = "value" in reading && reading.value.length <= longestAddress;
  const line = isUsable ? `--base-url ${shellWord(reading.value)}` : "--base-url https://host/base";
  return {
    where: "--base-url",
    what: `is missing: the report is of ${plain(address, longestAddress)}, and a report does not decide where the key is sent`,
    advice: `If that is your server, add ${line}.`,
  };
}

function codeOf({ outcome }: Run, changes: readonly VerdictChange[]): number {
  if (outcome === "error") return exitCodes.error;
  if (outcome === "interrupted") return exitCodes.interrupted;
  if (changes.some((change) => change === "still failing" || change === "another cause"))
    return exitCodes.fail;
  return changes.includes("no verdict") ? exitCodes.inconclusive : exitCodes.pass;
}
