import { resolve } from "node:path";
import { defined } from "../model/defined.ts";
import { read, type Kind, type Reading } from "./kinds/kind.ts";
import type { Layer, Flags } from "./layers.ts";
import { optionNames, optionOf, type OptionName, type ValueOf } from "./options.ts";
import { UsageError, type Problem } from "./problem.ts";

/** The value of an option, and where it comes from. */
export interface OptionValue<T> {
  readonly value: T;
  /** The value as the configuration file would hold it. */
  readonly given: unknown;
  readonly where: string;
  readonly origin: Layer["origin"];
  /** Paths inside the value are relative to it. */
  readonly folder: string;
  /** The file that holds the value. */
  readonly file?: string;
  /** Position of its layer: a lower one is stronger. */
  readonly rank: number;
}

/** The strongest values, by option. */
export type OptionValues = { readonly [N in OptionName]?: OptionValue<ValueOf<N>> };

/** The values, and everything that is wrong in any layer. */
export interface OptionReading {
  readonly values: OptionValues;
  readonly problems: readonly Problem[];
  /** Options with a problem. They are not reported as missing, even if they have no value. */
  readonly broken: ReadonlySet<OptionName>;
}

/** The strongest value of each option. Weaker layers are checked too. */
export function optionValuesOf(layers: readonly Layer[]): OptionReading {
  const values: Partial<Record<OptionName, OptionValue<unknown>>> = {};
  const problems: Problem[] = [];
  const broken = new Set<OptionName>();
  for (const name of optionNames) {
    for (const [rank, layer] of layers.entries()) {
      const raw = layer.values[name];
      if (raw === undefined) continue;
      const { kind, path, secret } = optionOf(name);
      const { origin, folder, file } = layer;
      const where = layer.whereOf(name);
      const { given, ...reading } = readingOf(kind, raw, origin);
      if ("value" in reading) {
        const value = path === true ? resolved(reading.value, folder) : reading.value;
        values[name] ??= { value, given, where, origin, folder, rank, ...defined({ file }) };
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
  { schema, fromWord, repeatable = "," }: Kind<T>,
  raw: unknown,
  origin: Layer["origin"],
): Reading<T> & { readonly given: unknown } {
  if (origin !== "flag" && origin !== "variable") return { ...read(schema, raw), given: raw };
  // A repeated flag, and one without a value.
  const word = Array.isArray(raw) ? raw.join(repeatable) : raw;
  if (typeof word !== "string") return { ...read(schema, word), given: word };
  if (origin === "flag" && word.startsWith("--"))
    return { wanted: "followed by a value", advice: undefined, given: word };
  const given = fromWord === undefined ? word : fromWord(word);
  return { ...read(schema, given), given };
}

function problemOf(
  where: string,
  raw: unknown,
  { wanted, advice }: Extract<Reading<unknown>, { wanted: string }>,
): Problem {
  return { where, what: `must be ${wanted}`, found: raw === undefined ? undefined : shown(raw), advice };
}

/** The text of a value: a list as on the command line, everything else as JSON. */
const shown = (raw: unknown): string => {
  if (Array.isArray(raw) && raw.every((one) => typeof one === "string")) return raw.join(",");
  return typeof raw === "string" ? raw : JSON.stringify(raw);
};

const resolved = (value: unknown, folder: string): unknown =>
  Array.isArray(value) ? value.map((one) => resolve(folder, String(one))) : resolve(folder, String(value));
