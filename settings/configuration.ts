import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Narrowing, RunOptions } from "../model/run-options.ts";
import type { Profile, Target } from "../model/target.ts";
import { needsCustomer, type RequirementId } from "../spec/catalogue.ts";
import { readBaseline } from "./baseline.ts";
import { shortPath } from "./command-line.ts";
import { readConfigFile } from "./file.ts";
import { foundFileProblems, foundPowerProblems } from "./found-file.ts";
import { baselineFileName } from "./option-rows.ts";
import { optionNames, optionOf, variableOf, type OptionName } from "./options.ts";
import { problemCollector, problemText, type Problem, type ProblemCollector } from "./problem.ts";
import { replayCommandOf } from "./replay-command.ts";
import { nothingForSmoke, selectionOf } from "./selection.ts";
import { nearest } from "./suggestion.ts";
import { readStatement } from "./statement.ts";
import { targetOf } from "./target.ts";
import {
  defaults as defaultSource,
  flagSource,
  limited,
  mapped,
  membersSet,
  optionValuesOf,
  variableSource,
  type Flags,
  type OptionValues,
  type Source,
  type Surroundings,
} from "./sources.ts";

/** How a command reads its configuration. */
export interface Presets {
  /** Options from a program, or from the report that a replay repeats. Flags win over them. */
  readonly given?: Source;
  /** Defaults of the command, which win over the defaults of the table. */
  readonly defaults?: Source["values"];
  /**
   * Options that variables and the configuration file may set. The command decides about all
   * others. @defaultValue all
   */
  readonly open?: readonly OptionName[];
  /** Read only a file that `--config` names, and none from the working directory. */
  readonly namedFileOnly?: boolean;
  /** The words with which the command names the report that it replays, none for the usual one. */
  readonly replayed?: readonly string[];
  /** The command needs no target, so problems with the target are not reported. */
  readonly targetless?: true;
}

/**
 * What a command needs to know to make a run and its reports. `baselineFile`: the file that
 * `--update-baseline` writes.
 */
export type Configuration = Awaited<ReturnType<typeof configurationOf>>;

/**
 * Reads flags, variables and the configuration file. Throws `UsageError` with everything that is
 * wrong; a configuration file that cannot be read is reported alone.
 */
export async function configurationOf(flags: Flags, here: Surroundings, presets: Presets = {}) {
  const collected = problemCollector();
  const file = await readConfigFile(flags["config"], here, presets.namedFileOnly === true);
  const reading = optionValuesOf(sourcesOf(flags, file, here, presets));
  const { values } = reading;
  collected.add(reading.problems);
  const powers = foundPowerProblems(values);
  collected.add(powers);
  // What a found file must not name is not opened.
  if (powers.length > 0) collected.throwIfAny(reading.warnings);
  const { selection, problems } = selectionOf(values);
  const { target, profile, ...read } = await targetOf(
    reading,
    selection.some(needsCustomer),
    here.env,
  );
  collected.add(problems);
  if (presets.targetless !== true) {
    collected.add(read.problems);
    collected.add(foundFileProblems(values));
    if (values.profile?.value === "smoke")
      collected.add(
        nothingForSmoke(selection, values.only?.where ?? values.exclude?.where ?? "--profile"),
      );
  }
  collected.add(combinationProblems(values));
  collected.add(watchProblems(values, here));
  const { statement, baseline, baselineFile } = await gateFiles(values, here.cwd, collected);
  const reportDir = values.reportDir?.value ?? here.cwd;
  const reports = values.reports?.value ?? [];
  const warnings = [...reading.warnings, ...read.warnings, ...unknownVariables(here)];
  collected.throwIfAny(warnings);
  const only = values.only?.value;
  const exclude = values.exclude?.value;
  const settings = runSettingsOf(values, profile, selection, here);
  // A program gets reports only where it names a folder for them.
  const isWritten = presets.namedFileOnly !== true || values.reportDir?.origin !== undefined;
  const options: RunOptions = {
    target,
    settings,
    strict: false,
    ...membersSet(values, "gate"),
    statement,
    baseline,
    narrowing: narrowingOf(values),
    selected: (only ?? exclude) && { only, exclude },
    given: givenOptions(values, target, here.cwd),
    replayCommand: replayCommandOf({
      values,
      target,
      settings,
      flags,
      reportDir: isWritten ? reportDir : undefined,
      cwd: here.cwd,
      replayed: presets.replayed,
    }),
  };
  return {
    options,
    reportDir,
    reports,
    values,
    baselineFile,
    /** The configuration file that was read. */
    configFile: file?.file,
    warnings,
  };
}

/** The sources of options, strongest first. */
function sourcesOf(
  flags: Flags,
  file: Source | undefined,
  here: Surroundings,
  presets: Presets,
): readonly Source[] {
  const { given, defaults = {}, open = optionNames } = presets;
  const isOpen = (name: OptionName): boolean => open.includes(name);
  return [
    flagSource(flags, here.cwd),
    ...(given === undefined ? [] : [given]),
    limited(variableSource(here), isOpen),
    ...(file === undefined ? [] : [limited(file, isOpen)]),
    defaultSource(defaults, here.cwd),
  ];
}

/**
 * The options in the configuration file that make the gate demand less. Reports name them, because
 * whoever starts the run may not know the file.
 */
function narrowingOf(values: OptionValues): readonly Narrowing[] {
  return (["only", "exclude", "statement", "baseline"] as const).flatMap((option) => {
    const { origin, given, file } = values[option] ?? {};
    if (origin !== "file" || file === undefined) return [];
    const shown = Array.isArray(given) ? `[${given.join(", ")}]` : String(given);
    return [{ option, given: shown, file: basename(file) }];
  });
}

/**
 * The statement and the baseline. With `--update-baseline`, also the path of the baseline that will
 * be written, which may not exist yet.
 */
async function gateFiles(
  { statement, baseline, updateBaseline }: OptionValues,
  cwd: string,
  { read }: ProblemCollector,
) {
  const baselineFile =
    updateBaseline?.value === true ? (baseline?.value ?? join(cwd, baselineFileName)) : undefined;
  const path = baselineFile ?? baseline?.value;
  const where = baseline?.where ?? "--update-baseline";
  const isKnown = path !== undefined && (baselineFile === undefined || existsSync(path));
  return {
    statement:
      (await read(() => statement && readStatement(statement.value, statement.where))) ?? [],
    baseline: (await read(() => (isKnown ? readBaseline(path, where) : []))) ?? [],
    baselineFile,
  };
}

function watchProblems({ watch }: OptionValues, here: Surroundings): readonly Problem[] {
  if (watch?.value !== true || (here.stdinIsTerminal && here.stdoutIsTerminal)) return [];
  const advice = "Start it in a terminal, or run without --watch.";
  return [{ where: watch.where, what: "needs a terminal for its keys", advice }];
}

/**
 * The options as they were given, in the form of the configuration file. Secrets are left out;
 * paths are relative to `cwd`.
 */
function givenOptions(
  values: OptionValues,
  { headers = [], proxy }: Target,
  cwd: string,
): RunOptions["given"] {
  const shown = headers.flatMap(({ name, source }) =>
    source === undefined ? [] : [[name, source] as const],
  );
  const given = optionNames.flatMap((name) => {
    const one = values[name];
    const { isPath, isSecret } = optionOf(name);
    if (one === undefined || one.origin === undefined || isSecret === true) return [];
    if (isPath === true) return [[name, mapped(one.value, (text) => shortPath(String(text), cwd))]];
    // A list stays a list, however it was written.
    return [
      [name, Array.isArray(one.value) && typeof one.value[0] === "string" ? one.value : one.given],
    ];
  });
  return {
    ...Object.fromEntries(given),
    ...(shown.length === 0 ? {} : { headers: Object.fromEntries(shown) }),
    ...(values.proxy === undefined || proxy === undefined ? {} : { proxy: proxy.url }),
  };
}

function runSettingsOf(
  values: OptionValues,
  profile: Profile,
  selection: readonly RequirementId[],
  { seed }: Surroundings,
): RunOptions["settings"] {
  return {
    seed: seed(),
    runs: 1,
    concurrency: 1,
    timeout: 0,
    grace: 0,
    maxBody: 0,
    ...membersSet(values, "settings"),
    profile,
    selection,
    fewest: values.only && true,
    record: values.record && true,
  };
}

/** A warning for each variable that is named like one of an option, and is none. */
function unknownVariables({ env }: Surroundings): readonly string[] {
  const prefix = "FXCONFORM_";
  const known = [...optionNames.map(variableOf), `${prefix}CONFIG`].map((name) =>
    name.slice(prefix.length),
  );
  const given = Object.keys(env).filter((name) => name.startsWith(prefix));
  return given.flatMap((name) => {
    const end = name.slice(prefix.length);
    if (known.includes(end)) return [];
    const near = nearest(end, known);
    const advice = near === undefined ? undefined : `Did you mean ${prefix}${near}?`;
    return [problemText({ where: name, what: "is not read", advice })];
  });
}

const printing = "Each prints something else: keep one of them.";
const together = "cannot be combined with …";

/** Options that exclude each other. In the texts, `…` stands for the place of the other option. */
const exclusions: readonly (readonly [
  OptionName,
  readonly OptionName[],
  what: string,
  advice: string,
])[] = [
  ["json", ["quiet"], together, printing],
  [
    "watch",
    ["json", "quiet", "updateBaseline", "record"],
    together,
    "Leave … out, or run without --watch.",
  ],
];

/** Options that have no meaning without another option, which stands second. */
const needs: readonly (readonly [OptionName, OptionName, what: string, advice: string])[] = [
  ["key", "cert", "needs a client certificate", "Give it with --cert."],
];

/** The problems of options that exclude each other, and of options that need another one. */
function combinationProblems(values: OptionValues): readonly Problem[] {
  const effective = (name: OptionName) =>
    values[name]?.value === false ? undefined : values[name];
  const clashes = exclusions.flatMap(([name, others, what, advice]) =>
    others.flatMap((other) => {
      const own = effective(name);
      const second = effective(other);
      const named = (text: string): string => text.replace("…", second?.where ?? "");
      return own && second ? [{ where: own.where, what: named(what), advice: named(advice) }] : [];
    }),
  );
  const lacks = needs.flatMap(([name, other, what, advice]) => {
    const own = effective(name);
    return own && !effective(other) ? [{ where: own.where, what, advice }] : [];
  });
  return [...clashes, ...lacks];
}
