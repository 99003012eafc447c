import { resolve } from "node:path";
import { read, type Kind, type Misfit } from "./kinds/kind.ts";
import {
  flagOf,
  flagWordOf,
  optionNames,
  optionOf,
  variableOf,
  type OptionName,
  type OptionWithDefault,
  type ValueOf,
} from "./options.ts";
import { describedValue, quoted, UsageError, type Problem } from "./problem.ts";

/**
 * How a value was written: as the text of a flag or of a variable, or as a value in a file or in
 * the object of a program.
 */
export type ValueOrigin = "flag" | "variable" | "file";

/**
 * A place where options are written, and their values there. In a list of sources, the first one
 * that has a value for an option wins.
 */
export interface Source {
  /** How the values are written. Absent for defaults. */
  readonly origin?: ValueOrigin;
  /** Returns how messages name an option of this source, such as `--base-url`. */
  readonly whereOf: (name: OptionName) => string;
  readonly values: Partial<Readonly<Record<OptionName, unknown>>>;
  /** The folder that the source's paths are relative to. */
  readonly folder: string;
  /** The file that holds the values. Absent for the object of a program. */
  readonly file?: string;
  /** Nobody named the file: it was found in the working directory. */
  readonly isFound?: boolean;
  /** What is wrong with the source, apart from the values of its options. */
  readonly problems?: readonly Problem[];
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory. Paths in flags and variables are relative to it. */
  readonly cwd: string;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly seed: () => number;
}

/**
 * The flags as they were typed: a text, several texts if the flag can be repeated, or whether the
 * flag is given.
 */
export type Flags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

export function flagSource(flags: Flags, folder: string): Source {
  return {
    origin: "flag",
    whereOf: flagOf,
    values: valuesBy((name) => flags[flagWordOf(name)]),
    folder,
  };
}

/**
 * The variables of the environment as a source. An empty variable counts as not set, because a
 * pipeline passes an unset value as an empty variable.
 */
export function variableSource({ env, cwd }: Pick<Surroundings, "env" | "cwd">): Source {
  return {
    origin: "variable",
    whereOf: variableOf,
    values: valuesBy((name) => env[variableOf(name)] || undefined),
    folder: cwd,
  };
}

/** The default values as a source. Those of a command win over those of the table of options. */
export function defaults(own: Source["values"], folder: string): Source {
  return {
    whereOf: flagOf,
    values: valuesBy((name) => own[name] ?? optionOf(name).fallback),
    folder,
  };
}

/** Returns the source with the values of only those options for which `fits` returns true. */
export function limited(source: Source, fits: (name: OptionName) => boolean): Source {
  return {
    ...source,
    values: valuesBy((name) => (fits(name) ? source.values[name] : undefined)),
  };
}

function valuesBy(valueOf: (name: OptionName) => unknown): Source["values"] {
  return Object.fromEntries(optionNames.map((name) => [name, valueOf(name)]));
}

/**
 * The value of an option and where it comes from. If the option takes a path, the path is absolute
 * here. A file that any other value refers to is relative to `folder`.
 */
export interface OptionValue<T> extends Pick<Source, "origin" | "folder" | "file" | "isFound"> {
  readonly value: T;
  /** The value, as the configuration file would hold it. */
  readonly given: unknown;
  readonly where: string;
  /** The position of the source in the list. A lower position is stronger. */
  readonly rank: number;
}

export type OptionValues = { readonly [N in OptionName]?: OptionValue<ValueOf<N>> } & {
  readonly [N in OptionWithDefault]: OptionValue<ValueOf<N>>;
};

export type OptionReading = ReturnType<typeof optionValuesOf>;

/**
 * Returns the value of each option from the first source that has a valid one. The values in later
 * sources are checked too, and the problems of all sources are returned. `broken`: options with a
 * problem, which are not reported as missing even if they have no value.
 */
export function optionValuesOf(sources: readonly Source[]) {
  const values: Partial<Record<OptionName, OptionValue<unknown>>> = {};
  const problems = sources.flatMap((source) => source.problems ?? []);
  const warnings: string[] = [];
  const broken = new Set<OptionName>();
  for (const name of optionNames) {
    const { kind, isPath, isSecret } = optionOf(name);
    for (const [rank, { whereOf, values: all, problems: _, ...source }] of sources.entries()) {
      const raw = all[name];
      if (raw === undefined) continue;
      const where = whereOf(name);
      const isReader = name === "apiKey" || name === "headers";
      const reference = isReader ? undefined : referenceProblem(where, name, raw);
      if (reference !== undefined) {
        problems.push(reference);
        broken.add(name);
        continue;
      }
      const { reading, given } = readingOf(kind, raw, source.origin);
      if ("value" in reading) {
        const value =
          isPath === true ? resolve(source.folder, String(reading.value)) : reading.value;
        values[name] ??= { ...source, value, given, where, rank };
        if (isReader) warnings.push(...trimmedWarnings(where, raw));
      } else {
        const found = source.file === undefined ? quoted(raw) : describedValue(raw);
        problems.push(problemOf(where, isSecret === true ? undefined : found, reading));
        broken.add(name);
      }
    }
  }
  return { values: values as OptionValues, problems, warnings, broken };
}

/** A warning if a key, or the value of a header, ended with a blank or a line break. */
export function trimmedWarnings(where: string, raw: unknown): readonly string[] {
  const texts = typeof raw === "object" && raw !== null ? Object.values(raw) : [raw];
  // Line breaks part several headers.
  const isTrimmed = texts
    .map(String)
    .some((text) => /[^\S\r\n]$/m.test(text) || /^[^\r\n]*[\r\n]+$/.test(text));
  return isTrimmed ? [`${where}: ends with a blank or a line break, which is left out.`] : [];
}

/** The plain values of some options, for those that have one. */
export function plainValues<N extends OptionName>(values: OptionValues, names: readonly N[]) {
  const given = names.flatMap((name) => {
    const value = values[name]?.value;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given) as {
    readonly [M in keyof Pick<OptionValues, N>]: ValueOf<M>;
  };
}

/**
 * Returns the value of a flag that only one command has, or undefined if the flag was not given.
 * Throws `UsageError` if the value is wrong.
 */
export function flagValue<T>(where: string, raw: Flags[string], kind: Kind<T>): T | undefined {
  if (raw === undefined) return undefined;
  const { reading } = readingOf(kind, raw, "flag");
  if ("value" in reading) return reading.value;
  throw new UsageError([problemOf(where, quoted(raw), reading)]);
}

/** What a value says, and the value that the configuration file would hold (`given`). */
function readingOf<T>(kind: Kind<T>, raw: unknown, origin: ValueOrigin | undefined) {
  const isText = origin === "flag" || origin === "variable";
  // A secret that was made from a file, or copied, often ends with a line break or a blank.
  // The texts of a repeated flag are joined, because `fromText` takes a single text.
  const whole = isText && Array.isArray(raw) ? raw.join(kind.repeatable ?? ",") : raw;
  const word = typeof whole === "string" && whole.trim() !== "" ? whole.trimEnd() : whole;
  const given = isText && typeof word === "string" ? (kind.fromText?.(word) ?? word) : word;
  return { reading: read(kind.schema, given), given };
}

/**
 * The problem of a text that refers to a variable or a file, in an option that reads no references.
 * The key and the values of headers do, or may look like one.
 */
function referenceProblem(where: string, name: OptionName, raw: unknown): Problem | undefined {
  if (typeof raw !== "string" || !/^(?:env|file):(?=[^/])|^\$\w+$|\$\{\w+\}/.test(raw.trim()))
    return undefined;
  return {
    where,
    what: "cannot refer to a variable or a file",
    advice: `Write the value itself, or set ${variableOf(name)}.`,
  };
}

function problemOf(where: string, found: string | undefined, { wanted, advice }: Misfit): Problem {
  return { where, what: `must be ${wanted}`, found, advice };
}
