import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Narrowing, RunOptions } from "../model/run-options.ts";
import type { RunSettings, Target } from "../model/target.ts";
import { needsCustomer } from "../spec/catalogue.ts";
import { readBaseline } from "./baseline.ts";
import { shortPath } from "./command-line.ts";
import { readConfigFile } from "./file.ts";
import { foundFileProblems } from "./found-file.ts";
import { baselineFileName } from "./option-rows.ts";
import {
  commandLineNames,
  flagOf,
  optionNames,
  optionOf,
  optionsIn,
  variableOf,
  type NamesIn,
  type OptionName,
  type CommandLineName,
  type InputOf,
} from "./options.ts";
import {
  problemCollector,
  problemText,
  type Problem,
  type ProblemCollector,
  nearest,
  masked,
  suggestion,
  UsageError,
} from "./problem.ts";
import { replayCommandOf } from "./replay-command.ts";
import { nothingForSmoke, selectionOf } from "./selection.ts";
import { readStatement } from "./statement.ts";
import { targetOf } from "./target.ts";
import {
  defaults as defaultSource,
  flagSource,
  limited,
  optionValuesOf,
  plainValues,
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

/** An option of the table without a type in RunSettings does not compile. */
type Settings = Pick<
  RunSettings,
  NamesIn<"Run settings"> | "profile" | "selection" | "fewest" | "record"
>;

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
  const { defaults = {}, open = optionNames } = presets;
  const isOpen = (name: OptionName): boolean => open.includes(name);
  const collected = problemCollector();
  const file = await readConfigFile(flags["config"], here, presets.namedFileOnly === true);
  // The sources of options, strongest first.
  const reading = optionValuesOf([
    flagSource(flags, here.cwd),
    ...(presets.given === undefined ? [] : [presets.given]),
    limited(variableSource(here), isOpen),
    ...(file === undefined ? [] : [limited(file, isOpen)]),
    defaultSource(defaults, here.cwd),
  ]);
  const { values } = reading;
  const reportDir = values.reportDir.value;
  collected.add(reading.problems);
  const foreign = foundFileProblems(values);
  collected.add(foreign);
  // What a found file must not name is not opened.
  if (foreign.length > 0) collected.throwIfAny(reading.warnings);
  const { selection, problems } = selectionOf(values);
  const { target, profile, ...read } = await targetOf(
    reading,
    selection.some(needsCustomer),
    here.env,
  );
  const { only, exclude } = plainValues(values, ["only", "exclude"]);
  collected.add(problems);
  if (presets.targetless !== true) {
    collected.add(read.problems);
    if (values.profile?.value === "smoke")
      collected.add(
        nothingForSmoke(selection, values.only?.where ?? values.exclude?.where ?? "--profile"),
      );
  }
  collected.add(combinationProblems(values, here));
  const { statement, baseline, baselineFile } = await gateFiles(values, here.cwd, collected);
  const warnings = [...reading.warnings, ...read.warnings, ...unknownVariables(here)];
  collected.throwIfAny(warnings);
  const settings: Settings = {
    ...plainValues(values, optionsIn("Run settings")),
    seed: values.seed?.value ?? here.seed(),
    profile,
    selection,
    fewest: only && true,
    record: values.record && true,
  };
  // A program gets reports only where it names a folder for them. A replay reads report.json.
  const isWritten =
    values.reports.value.includes("json") &&
    (presets.namedFileOnly !== true || values.reportDir.origin !== undefined);
  const given = givenOptions(values, target, here.cwd);
  const options: RunOptions = {
    target,
    settings,
    strict: values.strict.value,
    complete: values.complete.value,
    budgets: values.maxLatency?.value,
    statement,
    baseline,
    narrowing: narrowingOf(values),
    selected: (only ?? exclude) && { only, exclude },
    given,
    replayCommand: replayCommandOf(
      values,
      { given, settings },
      flags["config"],
      here.cwd,
      isWritten ? reportDir : undefined,
      presets.replayed,
    ),
  };
  /** `configFile`: the configuration file that was read. */
  return {
    options,
    reportDir,
    reports: values.reports.value,
    values,
    baselineFile,
    configFile: file?.file,
    warnings,
  };
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
  const baselineFile = updateBaseline.value
    ? (baseline?.value ?? join(cwd, baselineFileName))
    : undefined;
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
    if (isPath === true && typeof one.value === "string")
      return [[name, shortPath(one.value, cwd)]];
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

/** Options that exclude each other. */
const exclusions: readonly (readonly [OptionName, OptionName])[] = [
  ["json", "quiet"],
  ["watch", "json"],
  ["watch", "quiet"],
  ["watch", "updateBaseline"],
  ["watch", "record"],
];

/** The problems of options that exclude each other, or need another option or a terminal. */
function combinationProblems(values: OptionValues, here: Surroundings): readonly Problem[] {
  const effective = (name: OptionName) => (values[name]?.value ? values[name] : undefined);
  const clashes = exclusions.flatMap(([name, other]): readonly Problem[] => {
    const own = effective(name);
    const second = effective(other);
    if (own === undefined || second === undefined) return [];
    const what = `cannot be combined with ${second.where}`;
    return [{ where: own.where, what, advice: "Keep one of the two." }];
  });
  const { key, cert } = values;
  const watch = effective("watch");
  const needs = [
    key !== undefined &&
      cert === undefined && {
        where: key.where,
        what: "needs a client certificate",
        advice: "Give it with --cert.",
      },
    watch !== undefined &&
      !(here.stdinIsTerminal && here.stdoutIsTerminal) && {
        where: watch.where,
        what: "needs a terminal for its keys",
        advice: "Start it in a terminal, or run without --watch.",
      },
  ];
  return [...clashes, ...needs.filter((one) => one !== false)];
}

type GivenList<T> = T extends readonly (infer E)[] ? readonly E[] : T;

/**
 * The options of `fxconform run` that a program may give, with the same defaults. Their names are
 * those of the configuration file.
 */
export type ProgramOptions = {
  readonly [N in Exclude<OptionName, CommandLineName>]?: GivenList<InputOf<N>>;
} & {
  /** The address of the target. A base path is kept. */
  readonly baseUrl: string;
};

/**
 * The configuration that a program describes. Reads no variable, and no file that the program does
 * not name. Throws `UsageError`.
 */
export async function configurationFor(values: ProgramOptions): Promise<Configuration> {
  const cwd = process.cwd();
  const problems = Object.keys(values).flatMap(unknownName);
  const given = { origin: "file", whereOf: String, values, folder: cwd, problems } as const;
  try {
    return await configurationOf(
      {},
      {
        env: {},
        cwd,
        stdinIsTerminal: false,
        stdoutIsTerminal: false,
        seed: () => randomInt(2 ** 31 - 1),
      },
      { given: limited(given, (name) => ownNames.includes(name)), namedFileOnly: true },
    );
  } catch (error) {
    throw error instanceof UsageError
      ? new UsageError(error.problems.map(inOwnWords), error.warnings)
      : error;
  }
}

const ownNames: readonly OptionName[] = optionNames.filter(
  (name) => !commandLineNames.some((other) => other === name),
);

function unknownName(name: string): readonly Problem[] {
  if (ownNames.some((own) => own === name)) return [];
  const advice = suggestion(name, ownNames) ?? "See docs/options.md.";
  return [{ where: masked(name), what: "is not an option of the library", advice }];
}

/**
 * A problem in the words of the library: with names of options in place of flags, and without
 * advice on variables, which the library does not read.
 */
function inOwnWords({ where, what, found, advice }: Problem): Problem {
  const named = (text: string): string =>
    text.replace(
      /--[a-z][a-z-]*/g,
      (flag) => ownNames.find((name) => flagOf(name) === flag) ?? flag,
    );
  const own = advice === undefined || advice.includes("FXCONFORM_") ? undefined : named(advice);
  return { where: named(where), what: named(what), found, advice: own };
}
