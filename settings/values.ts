import { resolve } from "node:path";
import { read, type Kind, type Misfit, type Reading } from "./kinds/kind.ts";
import { flagOf, flagWordOf, optionNames, optionOf, variableOf, type OptionName, type ValueOf } from "./options.ts";
import { shown, UsageError, type Problem } from "./problem.ts";

/** A source of option values. Layers are given strongest first. */
export interface Layer {
  readonly origin: "flag" | "variable" | "file" | "report" | "object" | "default";
  /** The place of an option in this layer, for messages. */
  readonly whereOf: (name: OptionName) => string;
  /** Words in flags and variables; elsewhere what the configuration file would hold. */
  readonly values: Partial<Readonly<Record<OptionName, unknown>>>;
  /** Paths are relative to it. */
  readonly folder: string;
  /** The file that holds the values. */
  readonly file?: string;
  /** What is wrong with it besides the values of options. */
  readonly problems?: readonly Problem[];
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Paths in flags and variables are relative to it. */
  readonly cwd: string;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly seed: () => number;
}

/** Flags as typed: a text, several if a flag is repeatable, or whether the flag is given. */
export type Flags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

const layerOf = (layer: Omit<Layer, "values">, valueOf: (name: OptionName) => unknown): Layer => ({
  ...layer,
  values: Object.fromEntries(optionNames.map((name) => [name, valueOf(name)])),
});

export const flagLayer = (flags: Flags, folder: string): Layer =>
  layerOf({ origin: "flag", whereOf: flagOf, folder }, (name) => flags[flagWordOf(name)]);

/** The variables of the environment. An empty one counts as not set: pipelines pass unset values as empty variables. */
export const variableLayer = ({ env, cwd }: Pick<Surroundings, "env" | "cwd">): Layer =>
  layerOf({ origin: "variable", whereOf: variableOf, folder: cwd }, (name) => env[variableOf(name)] || undefined);

/** Default values: those of a command win over those of the table of options. */
export const defaultLayer = (own: Layer["values"], folder: string): Layer =>
  layerOf({ origin: "default", whereOf: flagOf, folder }, (name) => own[name] ?? optionOf(name).fallback);

export const limited = (layer: Layer, fits: (name: OptionName) => boolean): Layer => ({
  ...layer,
  values: Object.fromEntries(optionNames.filter(fits).map((name) => [name, layer.values[name]])),
});

/** The value of an option, and where it comes from. Paths inside it are relative to `folder`. */
export interface OptionValue<T> extends Pick<Layer, "origin" | "folder" | "file"> {
  readonly value: T;
  /** The value as the configuration file would hold it. */
  readonly given: unknown;
  readonly where: string;
  /** Position of its layer: a lower one is stronger. */
  readonly rank: number;
}

export type OptionValues = { readonly [N in OptionName]?: OptionValue<ValueOf<N>> };

/** `broken`: options with a problem, which are not reported as missing, even if they have no value. */
export type OptionReading = ReturnType<typeof optionValuesOf>;

/** The strongest value of each option. Weaker layers are checked too. */
export function optionValuesOf(layers: readonly Layer[]) {
  const values: Partial<Record<OptionName, OptionValue<unknown>>> = {};
  const problems = layers.flatMap((layer) => layer.problems ?? []);
  const broken = new Set<OptionName>();
  for (const name of optionNames) {
    const { kind, path, secret } = optionOf(name);
    for (const [rank, { whereOf, values: given, problems: _, ...layer }] of layers.entries()) {
      const raw = given[name];
      if (raw === undefined) continue;
      const where = whereOf(name);
      const reading = readingOf(kind, raw, layer.origin);
      if ("value" in reading) {
        const value =
          path === true ? mapped(reading.value, (one) => resolve(layer.folder, String(one))) : reading.value;
        values[name] ??= { ...layer, value, given: reading.given, where, rank };
      } else {
        problems.push(problemOf(where, secret === true ? undefined : raw, reading));
        broken.add(name);
      }
    }
  }
  return { values: values as OptionValues, problems, broken };
}

/** The value of a command's own flag; undefined if the flag was not given. Throws `UsageError`. */
export function flagValue<T>(where: string, word: Flags[string], kind: Kind<T>): T | undefined {
  if (word === undefined) return undefined;
  const reading = readingOf(kind, word, "flag");
  if ("value" in reading) return reading.value;
  throw new UsageError([problemOf(where, word, reading)]);
}

function readingOf<T>(
  { schema, fromWord = (word) => word, repeatable = "," }: Kind<T>,
  raw: unknown,
  origin: Layer["origin"],
): Reading<T> & { readonly given: unknown } {
  const isWord = origin === "flag" || origin === "variable";
  // A repeated flag.
  const word = isWord && Array.isArray(raw) ? raw.join(repeatable) : raw;
  const given = isWord && typeof word === "string" ? fromWord(word) : word;
  return { ...read(schema, given), given };
}

const problemOf = (where: string, raw: unknown, { wanted, advice }: Misfit): Problem => ({
  where,
  what: `must be ${wanted}`,
  found: shown(raw),
  advice,
});

/** The value, or each element of a list, changed. */
export const mapped = (value: unknown, change: (one: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(change) : change(value);
