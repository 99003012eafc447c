import { join } from "node:path";
import type { RunOptions } from "../../engine/options.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { readBaseline } from "./baseline-file.ts";
import { readConfigFile } from "./config-file.ts";
import type { Io } from "../output/io.ts";
import { defaultLayer, fileLayer, flagLayer, presetLayer, variableLayer, without } from "./layers.ts";
import { optionNames, variableOf, type OptionName } from "./options.ts";
import type { RendererName } from "../lazy-modules.ts";
import { gathering, problemText, type Problem } from "./problem.ts";
import { reportFolderProblems } from "../output/report-files.ts";
import { needsCustomer, nothingForSmoke, selectionOf } from "./selection.ts";
import { readStatement } from "./statement-file.ts";
import { nearest } from "./suggestion.ts";
import { settingsOf, type Layer, type Settings } from "./option-values.ts";
import { targetOf } from "./target.ts";

/** Flags as typed: a word, several where a flag is repeatable, or whether it is there. */
export type Flags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** What was typed after the name of a command. */
export interface Invocation {
  /** Flags by option name; `config` among them. */
  readonly flags: Flags;
  /** Words that are no flags. */
  readonly words: readonly string[];
  /** Words that the command does not know. */
  readonly problems: readonly Problem[];
}

/** What a command says by itself. */
export interface Presets {
  /** What replay takes from its report: `above` everything but flags, and `below` the file. */
  readonly report?: { readonly above: Layer["values"]; readonly below: Layer["values"] };
  /** Stands before the defaults of the table. */
  readonly defaults?: Layer["values"];
  /** Options that the command decides alone: variables and the file do not count. */
  readonly owned?: readonly OptionName[];
  /** A file in the working directory does not count; one that is named does. */
  readonly namedFileOnly?: true;
  /** Nobody will be asked, or the report of a replay cannot be read, with these problems: what is missing is not told. */
  readonly targetless?: readonly Problem[];
}

/** Everything that the commands which ask a target need. */
export interface Configuration {
  readonly options: RunOptions;
  readonly reportDir: string;
  readonly reports: readonly RendererName[];
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

/** Reads flags, variables and file. Throws `UsageError` with everything that is wrong. */
export async function configurationOf(invocation: Invocation, io: Io, presets: Presets = {}): Promise<Configuration> {
  const gathered = gathering([...invocation.problems, ...(presets.targetless ?? [])]);
  // An empty variable counts as not set.
  const named = invocation.flags["config"] ?? (io.env["FXCONFORM_CONFIG"] || undefined);
  const reading =
    presets.namedFileOnly === true && named === undefined
      ? "none"
      : await gathered.read(async () => (await readConfigFile(invocation.flags["config"], io)) ?? "none");
  // What seems to be missing may stand in a file that cannot be read.
  const unreadable = reading === undefined || presets.targetless !== undefined;
  const file = reading === "none" ? undefined : reading;
  gathered.add(file?.problems ?? []);

  const owned = presets.owned ?? [];
  const settled = settingsOf([
    flagLayer(invocation.flags, io),
    presetLayer(presets.report?.above ?? {}, io, "report"),
    without(variableLayer(io), owned),
    ...(file === undefined ? [] : [without(fileLayer(file), owned)]),
    presetLayer(presets.report?.below ?? {}, io, "report"),
    presetLayer(presets.defaults ?? {}, io),
    defaultLayer(io),
  ]);
  const { settings, broken } = settled;
  gathered.add(settled.problems);

  const selected = selectionOf({ only: settings.only, exclude: settings.exclude, shard: settings.shard?.value });
  gathered.add(selected.problems);
  const { target, profile, ...told } = targetOf(settings, broken, selected.selection.some(needsCustomer));
  if (!unreadable) gathered.add(told.problems);
  if (profile === "smoke" && !unreadable) {
    gathered.add(nothingForSmoke(selected.selection, settings.only?.where ?? settings.exclude?.where ?? "--shard"));
  }
  const statement = await gathered.read(() => optionalFile(readStatement, settings.statement));
  const baseline = await gathered.read(() => optionalFile(readBaseline, settings.baseline));
  const reportDir = settings.reportDir?.value ?? io.cwd;
  const reports = settings.reports?.value ?? [];
  if (presets.targetless === undefined) {
    gathered.add(
      reportFolderProblems(reportDir, settings.reportDir?.where ?? "--report-dir", reports.includes("json")),
    );
  }
  const misspelt = misspeltVariables(io);
  if (gathered.problems.length > 0) gathered.add(misspelt);
  gathered.settle();

  return {
    options: {
      target,
      settings: runSettingsOf(settings, profile, selected.selection, io),
      strict: settings.strict?.value ?? false,
      statement: statement ?? [],
      baseline: baseline ?? [],
      ...(settings.shard === undefined ? {} : { shard: { ...settings.shard.value, elsewhere: selected.elsewhere } }),
      reportPath: join(reportDir, "report.json"),
    },
    reportDir,
    reports,
    settings,
    warnings: [...told.warnings, ...misspelt.map(problemText)],
  };
}

async function optionalFile<T>(
  read: (path: string, where: string) => Promise<T>,
  setting: { readonly value: string; readonly where: string } | undefined,
): Promise<T | undefined> {
  return setting === undefined ? undefined : read(setting.value, setting.where);
}

function runSettingsOf(
  settings: Settings,
  profile: RunOptions["settings"]["profile"],
  selection: readonly RequirementId[],
  io: Io,
): RunOptions["settings"] {
  const rate = settings.rate?.value;
  return {
    profile,
    selection,
    seed: settings.seed?.value ?? io.seed(),
    runs: settings.runs?.value ?? 1,
    concurrency: settings.concurrency?.value ?? 1,
    ...(rate === undefined ? {} : { rate }),
    timeout: settings.timeout?.value ?? 0,
    grace: settings.grace?.value ?? 0,
    maxBody: settings.maxBody?.value ?? 0,
  };
}

function misspeltVariables({ env }: Io): readonly Problem[] {
  const known = [...optionNames.map(variableOf), "FXCONFORM_CONFIG"];
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith("FXCONFORM_") || known.includes(name)) return [];
    const near = nearest(
      name.slice(10),
      known.map((one) => one.slice(10)),
    );
    return near === undefined ? [] : [{ where: name, what: "is not read", advice: `Did you mean FXCONFORM_${near}?` }];
  });
}
