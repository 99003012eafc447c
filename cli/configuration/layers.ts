import type { ConfigFile } from "./config-file.ts";
import type { Flags } from "./configuration.ts";
import type { Io } from "../output/io.ts";
import { flagOf, optionNames, optionOf, variableOf, type OptionName } from "./options.ts";
import type { Layer } from "./option-values.ts";

/** The words of the command line. */
export const flagLayer = (flags: Flags, { cwd }: Io): Layer => ({
  origin: "flag",
  whereOf: flagOf,
  values: flags,
  folder: cwd,
});

/** The variables of the environment. An empty one counts as not set: pipelines set those for what is not configured. */
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

/** Defaults of a command, which stand before those of the table. */
export const presetLayer = (values: Layer["values"], { cwd }: Io, origin: "report" | "default" = "default"): Layer => ({
  origin,
  whereOf: origin === "report" ? (name) => `${name} of the report` : flagOf,
  values,
  folder: cwd,
});

/** The defaults of the table of options. */
export const defaultLayer = (io: Io): Layer =>
  presetLayer(Object.fromEntries(optionNames.map((name) => [name, optionOf(name).fallback])), io);

/** The layer without some options. */
export const without = (layer: Layer, names: readonly OptionName[]): Layer => ({
  ...layer,
  values: Object.fromEntries(Object.entries(layer.values).filter(([name]) => !names.some((one) => one === name))),
});
