import type { Io } from "../../output/io.ts";
import type { ConfigFile } from "../config-file.ts";
import type { Flags } from "../invocation.ts";
import type { Layer } from "../option-values.ts";
import { variableOf } from "../options.ts";
import type { Problem } from "../problem.ts";
import { suggestion } from "../suggestion.ts";

/** The chosen entry of `targets`, as a layer above the rest of the file. */
export interface NamedTarget {
  readonly layers: readonly Layer[];
  readonly problems: readonly Problem[];
}

const none: NamedTarget = { layers: [], problems: [] };

/**
 * The entry of `targets` in the configuration file that `--target`, its variable or the file itself names. An unknown
 * name is a problem that lists the known ones; one that a report names is left out, as the report holds its values.
 */
export const namedTarget = (
  file: ConfigFile | undefined,
  flags: Flags,
  { env }: Pick<Io, "env">,
  report: Layer["values"] = {},
): NamedTarget => {
  const places = [
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
