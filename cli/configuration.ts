import type { RunOptions } from "../engine/options.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { readBaseline } from "./baseline-file.ts";
import { readConfigFile } from "./config-file.ts";
import type { Io } from "./io.ts";
import { defaultLayer, fileLayer, flagLayer, presetLayer, variableLayer, without } from "./layers.ts";
import { optionNames, variableOf, type OptionName } from "./options.ts";
import type { RendererName } from "./parts.ts";
import { UsageError, type Problem } from "./problem.ts";
import { replayArguments } from "./replay-arguments.ts";
import { needsCustomer, nothingForSmoke, selectionOf } from "./selection.ts";
import { readStatement } from "./statement-file.ts";
import { nearest } from "./suggestion.ts";
import { settingsOf, type Layer, type Settings } from "./settings.ts";
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
  readonly replayCommand?: "demo";
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
  const problems: Problem[] = [...invocation.problems];
  const collect = async <T>(read: Promise<T>): Promise<T | undefined> => {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const named = invocation.flags["config"] ?? io.env["FXCONFORM_CONFIG"];
  const file =
    presets.namedFileOnly === true && named === undefined
      ? undefined
      : await collect(readConfigFile(invocation.flags["config"], io));
  const unreadable = problems.length > invocation.problems.length;
  problems.push(...(file?.problems ?? []));

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
  problems.push(...settled.problems);

  const selected = selectionOf({ only: settings.only, exclude: settings.exclude, shard: settings.shard?.value });
  problems.push(...selected.problems);
  const reading = targetOf(settings, broken, selected.selection.some(needsCustomer));
  // What seems to be missing may stand in the file.
  if (!unreadable) problems.push(...reading.problems);
  if (reading.profile === "smoke") {
    problems.push(...nothingForSmoke(selected.selection, settings.only?.where ?? settings.exclude?.where ?? "--shard"));
  }
  const statement = await collect(optionalFile(readStatement, settings.statement));
  const baseline = await collect(optionalFile(readBaseline, settings.baseline));
  if (problems.length > 0) throw new UsageError(problems);

  return {
    options: {
      target: reading.target,
      manner: mannerOf(settings, reading.profile, selected.selection, io),
      strict: settings.strict?.value ?? false,
      statement: statement ?? [],
      baseline: baseline ?? [],
      ...(settings.shard === undefined ? {} : { shard: { ...settings.shard.value, elsewhere: selected.elsewhere } }),
      replayArguments: replayArguments(settings, io.cwd, owned),
      ...(presets.replayCommand === undefined ? {} : { replayCommand: presets.replayCommand }),
    },
    reportDir: settings.reportDir?.value ?? io.cwd,
    reports: settings.reports?.value ?? [],
    settings,
    warnings: [...reading.warnings, ...misspeltVariables(io)],
  };
}

async function optionalFile<T>(
  read: (path: string, where: string) => Promise<T>,
  setting: { readonly value: string; readonly where: string } | undefined,
): Promise<T | undefined> {
  return setting === undefined ? undefined : read(setting.value, setting.where);
}

function mannerOf(
  settings: Settings,
  profile: RunOptions["manner"]["profile"],
  selection: readonly RequirementId[],
  io: Io,
): RunOptions["manner"] {
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

function misspeltVariables({ env }: Io): readonly string[] {
  const known = [...optionNames.map(variableOf), "FXCONFORM_CONFIG"];
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith("FXCONFORM_") || known.includes(name)) return [];
    const near = nearest(
      name.slice(10),
      known.map((one) => one.slice(10)),
    );
    return near === undefined ? [] : [`${name} is not read. Did you mean FXCONFORM_${near}?`];
  });
}
