import type { Io } from "../../output/io.ts";
import type { ConfigFile } from "../config-file.ts";
import type { Flags } from "../invocation.ts";
import type { Layer, OptionValues } from "../option-values.ts";
import { accessOptions, variableOf, type OptionName } from "../options.ts";
import type { Problem } from "../problem.ts";
import { suggestion } from "../suggestion.ts";

/** The chosen entry of `targets`, as a layer above the rest of the file. */
export interface NamedTarget {
  readonly layers: readonly Layer[];
  readonly problems: readonly Problem[];
}

/** A target by its name, and the flag that gives it. */
export interface ChosenTarget {
  readonly name: string;
  readonly where: string;
}

/** What decides the target besides flags, variables and the file. */
interface Known {
  /** Options of a report. */
  readonly report?: Layer["values"] | undefined;
  /** The target that a command chooses. */
  readonly chosen?: ChosenTarget | undefined;
}

const none: NamedTarget = { layers: [], problems: [] };

/**
 * The entry of `targets` in the configuration file that the command, `--target`, its variable or the file itself names.
 * An unknown name is a problem that lists the known ones; one that a report names is left out, as the report holds its values.
 */
export const namedTarget = (
  file: ConfigFile | undefined,
  flags: Flags,
  { env }: Pick<Io, "env">,
  { report = {}, chosen }: Known = {},
): NamedTarget => {
  const places: readonly { readonly where: string; readonly name: unknown }[] = [
    ...(chosen === undefined ? [] : [chosen]),
    { where: "--target", name: flags["target"] },
    { where: variableOf("target"), name: env[variableOf("target")] || undefined },
    { where: `target in ${file?.name ?? ""}`, name: file?.values["target"] },
  ];
  const given = places.find(({ name }) => name !== undefined);
  const name = given?.name ?? report.target;
  // Anything else is refused with the other options.
  if (typeof name !== "string") return none;
  const known = Object.keys(file?.targets ?? {});
  const values = Object.hasOwn(file?.targets ?? {}, name) ? file?.targets[name] : undefined;
  if (values !== undefined && file !== undefined) {
    const whereOf: Layer["whereOf"] = (key) => `${key} of the target ${name} in ${file.name}`;
    return { layers: [{ origin: "file", whereOf, values, folder: file.folder }], problems: [] };
  }
  if (given === undefined) return none;
  const advice =
    known.length === 0
      ? "Add targets to the configuration file, each with its name and what differs."
      : `${suggestion(name, known) ?? ""} The targets are ${known.join(", ")}.`.trim();
  return { layers: [], problems: [{ where: given.where, what: "names no target", found: name, advice }] };
};

/** Warns that a variable overrides how the target of the file is reached. */
export const overruledAccess = (values: OptionValues, ofTarget: readonly Layer[]): readonly string[] =>
  accessOptions.flatMap((name) => {
    const holds = values[name];
    if (holds?.origin !== "variable") return [];
    return ofTarget
      .flatMap((layer) =>
        (sameFact[name] ?? [name]).filter((one) => layer.values[one] !== undefined).map(layer.whereOf),
      )
      .map((where) => `${holds.where} is used in place of ${where}. Unset it to use what the target sets.`);
  });

/** Options that replace each other. */
const sameFact: Partial<Readonly<Record<OptionName, readonly OptionName[]>>> = {
  apiKey: ["apiKey", "apiKeyFile"],
  apiKeyFile: ["apiKey", "apiKeyFile"],
};
