import type { ConfigFile } from "./config-file.ts";
import type { Flags } from "./invocation.ts";
import type { Io } from "../output/io.ts";
import { flagOf, flagWordOf, optionNames, optionOf, variableOf, type OptionName } from "./options.ts";
import type { Layer } from "./option-values.ts";

/** The flags of the command line. */
export const flagLayer = (flags: Flags, { cwd }: Io): Layer => ({
  origin: "flag",
  whereOf: flagOf,
  values: Object.fromEntries(optionNames.map((name) => [name, flags[flagWordOf(name)]])),
  folder: cwd,
});

/** The variables of the environment. An empty one counts as not set: pipelines pass unset values as empty variables. */
export const variableLayer = ({ env, cwd }: Io): Layer => ({
  origin: "variable",
  whereOf: variableOf,
  values: Object.fromEntries(
    optionNames.flatMap((name) => {
      const value = env[variableOf(name)];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  ),
  folder: cwd,
});

/** The configuration file. */
export const fileLayer = ({ name, folder, values }: ConfigFile): Layer => ({
  origin: "file",
  whereOf: (key) => `${key} in ${name}`,
  values,
  folder,
});

/** The options of the run in a report. Paths are relative to the working directory, as in that run. */
export const reportLayer = (values: Layer["values"], { cwd }: Io): Layer => ({
  origin: "report",
  whereOf: (name) => `${name} in the report`,
  values,
  folder: cwd,
});

/** The object that a program gives. */
export const objectLayer = (values: Layer["values"], folder: string): Layer => ({
  origin: "object",
  whereOf: (name) => name,
  values,
  folder,
});

/** Default values: those of a command, which win over those of the table of options. */
export const defaultLayer = (values: Layer["values"], { cwd }: Io): Layer => ({
  origin: "default",
  whereOf: flagOf,
  values,
  folder: cwd,
});

/** The defaults of the table of options. */
export const optionDefaults: Layer["values"] = Object.fromEntries(
  optionNames.map((name) => [name, optionOf(name).fallback]),
);

/** The layer with only the options that fit. */
export const limited = (layer: Layer, fits: (name: OptionName) => boolean): Layer => ({
  ...layer,
  values: Object.fromEntries(optionNames.filter(fits).map((name) => [name, layer.values[name]])),
});
