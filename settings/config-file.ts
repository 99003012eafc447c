import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { program } from "./command-line.ts";
import { parsedFile } from "./file.ts";
import type { Layer } from "./layers.ts";
import { flagOf, optionNames } from "./options.ts";
import { UsageError, type Problem } from "./problem.ts";
import { nearest } from "./suggestion.ts";
import type { Flags, Surroundings } from "./surroundings.ts";

/** A configuration file as read: its keys are known, its values are not checked yet. */
export interface ConfigFile extends Layer {
  readonly problems: readonly Problem[];
}

/** The names that are looked for in the working directory. */
export const configFileNames = ["fxconform.config.json", "fxconform.config.yaml", "fxconform.config.yml"] as const;

/**
 * The file that `--config` or FXCONFORM_CONFIG names, else the one in the working directory if there is one and
 * `namedOnly` is false. Throws `UsageError` if it cannot be read at all.
 */
export async function readConfigFile(
  flag: Flags[string],
  here: Pick<Surroundings, "env" | "cwd">,
  namedOnly: boolean,
): Promise<ConfigFile | undefined> {
  const place = placeOf(flag, here, namedOnly);
  if (place === undefined) return undefined;
  const value = (await parsedFile(place.path, place.where)) ?? {};
  const name = basename(place.path);
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new UsageError([
      { where: name, what: "must be an object of options", advice: `${program} init writes one.` },
    ]);
  }
  const { $schema: _, ...values } = value as Record<string, unknown>;
  return {
    origin: "file",
    whereOf: (key) => `${key} in ${name}`,
    values,
    folder: dirname(place.path),
    file: place.path,
    problems: Object.keys(values).flatMap((key) => unknownKey(key, name)),
  };
}

function placeOf(
  flag: Flags[string],
  { cwd, env }: Pick<Surroundings, "env" | "cwd">,
  namedOnly: boolean,
): { readonly path: string; readonly where: string } | undefined {
  if (typeof flag === "string") return { path: resolve(cwd, flag), where: "--config" };
  // An empty variable counts as not set.
  const variable = env["FXCONFORM_CONFIG"] ?? "";
  if (variable !== "") return { path: resolve(cwd, variable), where: "FXCONFORM_CONFIG" };
  if (namedOnly) return undefined;
  const [first, second] = configFileNames.filter((name) => existsSync(join(cwd, name)));
  if (first !== undefined && second !== undefined) {
    const what = `exists, and so does ${second}: only one of them can be used`;
    throw new UsageError([{ where: first, what, advice: "Remove one, or name one with --config." }]);
  }
  return first === undefined ? undefined : { path: join(cwd, first), where: first };
}

function unknownKey(key: string, file: string): readonly Problem[] {
  if (optionNames.some((name) => name === key)) return [];
  const near =
    optionNames.find((name) => flagOf(name) === key || flagOf(name) === `--${key}`) ?? nearest(key, optionNames);
  const advice = near === undefined ? `${program} run --help lists all options.` : `Did you mean ${near}?`;
  return [{ where: `${key} in ${file}`, what: "is not an option", advice }];
}
