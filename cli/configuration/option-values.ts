import { resolve } from "node:path";
import { Misfit } from "./kinds/kind.ts";
import { optionNames, optionOf, type OptionName, type ValueOf } from "./options.ts";
import type { Problem } from "./problem.ts";

/** A source of option values. Layers are given strongest first. */
export interface Layer {
  readonly origin: "flag" | "variable" | "file" | "report" | "object" | "default";
  /** The place of an option in this layer, for messages. */
  readonly whereOf: (name: OptionName) => string;
  /** Raw values: words of flags and variables, JSON of the file, of a report and of an object; defaults are typed. */
  readonly values: Partial<Readonly<Record<OptionName, unknown>>>;
  /** Paths are relative to it. */
  readonly folder: string;
}

/** The value of an option, and where it comes from. */
export interface OptionValue<T> {
  readonly value: T;
  readonly where: string;
  readonly origin: Layer["origin"];
  /** Paths inside the value are relative to it. */
  readonly folder: string;
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
    const given = layers.flatMap((layer, rank) => {
      const raw = layer.values[name];
      if (raw === undefined) return [];
      const { origin, folder } = layer;
      try {
        return [{ value: valueOf(name, raw, layer), where: layer.whereOf(name), origin, folder, rank }];
      } catch (error) {
        if (!(error instanceof Misfit)) throw error;
        problems.push(problemOf(name, raw, layer, error));
        broken.add(name);
        return [];
      }
    });
    const [strongest] = given;
    if (strongest !== undefined) values[name] = strongest;
  }
  return { values: values as OptionValues, problems, broken };
}

function valueOf(name: OptionName, raw: unknown, { origin, folder }: Layer): unknown {
  const { kind, path } = optionOf(name);
  const value = readValue();
  if (path !== true) return value;
  return Array.isArray(value) ? value.map((one) => resolve(folder, String(one))) : resolve(folder, String(value));

  function readValue(): unknown {
    if (origin === "default") return raw;
    if (origin === "file" || origin === "report" || origin === "object") return kind.ofFile(raw);
    // A repeated flag, and one without a value.
    if (Array.isArray(raw)) return kind.ofText(raw.join(kind.repeatable ?? ","));
    if (typeof raw !== "string") return kind.ofFile(raw);
    if (origin === "flag" && raw.startsWith("--")) throw new Misfit("followed by a value");
    return kind.ofText(raw);
  }
}

/** The text of a value: a list as on the command line, everything else as JSON. */
const shown = (raw: unknown): string =>
  Array.isArray(raw) && raw.every((one) => typeof one === "string") ? raw.join(",") : JSON.stringify(raw);

function problemOf(name: OptionName, raw: unknown, layer: Layer, { message, advice }: Misfit): Problem {
  const secret = optionOf(name).secret === true;
  const found = secret ? undefined : typeof raw === "string" ? raw : shown(raw);
  return { where: layer.whereOf(name), what: `must be ${message}`, found, advice };
}
