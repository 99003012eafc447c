import { flagOf, flagWordOf, optionNames, optionOf, variableOf, type OptionName } from "./options.ts";

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
}

/** The flags of the command line. */
export const flagLayer = (flags: Flags, folder: string): Layer => ({
  origin: "flag",
  whereOf: flagOf,
  values: Object.fromEntries(optionNames.map((name) => [name, flags[flagWordOf(name)]])),
  folder,
});

/** The variables of the environment. An empty one counts as not set: pipelines pass unset values as empty variables. */
export const variableLayer = ({ env, cwd }: Pick<Surroundings, "env" | "cwd">): Layer => ({
  origin: "variable",
  whereOf: variableOf,
  values: Object.fromEntries(optionNames.map((name) => [name, env[variableOf(name)] || undefined])),
  folder: cwd,
});

/** Default values: those of a command win over those of the table of options. */
export const defaultLayer = (own: Layer["values"], folder: string): Layer => ({
  origin: "default",
  whereOf: flagOf,
  values: Object.fromEntries(optionNames.map((name) => [name, own[name] ?? optionOf(name).fallback])),
  folder,
});

/** The layer with only the options that fit. */
export const limited = (layer: Layer, fits: (name: OptionName) => boolean): Layer => ({
  ...layer,
  values: Object.fromEntries(optionNames.filter(fits).map((name) => [name, layer.values[name]])),
});

/** What settings depend on besides what the user gives. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Paths in flags and variables are relative to it. */
  readonly cwd: string;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  /** A fresh seed. */
  readonly seed: () => number;
}

/** Flags as typed: a text, several if a flag is repeatable, or whether the flag is given. */
export type Flags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;
