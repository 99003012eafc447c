import { join } from "node:path";
import type { RunOptions } from "../model/run-options.ts";
import { program, shellWord, shortPath } from "./command-line.ts";
import { flagOf, offFlagOf, replayOptions, wordOf, type OptionName } from "./options.ts";
import type { Flags, OptionValue, OptionValues } from "./sources.ts";

/**
 * The command that checks the failures of a run again, quoted for a shell; ` --only <id>` is
 * appended to it. Where no report is written, that is a run with the same seed. A report does not
 * decide where the key is sent, so the command repeats the options that stood neither in a file nor
 * in a variable. It never contains a secret: the key, the password of a proxy, or a header that must
 * not be shown. `reportDir`: the folder of the report, absent if a program asked for none.
 * `replayed`: the words of a replay that name its report, and name it in the next replay too.
 */
export function replayCommandOf(
  values: OptionValues,
  { given, settings }: Pick<RunOptions, "given" | "settings">,
  config: Flags[string],
  cwd: string,
  reportDir: string | undefined,
  replayed: readonly string[] | undefined,
): string {
  const repeated = replayOptions.flatMap((name) =>
    isWrittenDown(values[name]) ? [] : wordsOf(name, given?.[name], cwd),
  );
  const command = (words: readonly string[]): string =>
    `${program()} ${[...words, ...repeated].map((word) => shellWord(word)).join(" ")}`;
  const configured = configWords(config, cwd);
  if (reportDir === undefined)
    return command(["run", "--seed", String(settings.seed), ...configured]);
  // A replay looks in the folder of the run without being told if it finds its name as the run did.
  const { origin, value } = values.reportDir;
  const isUsual = (origin === undefined || isWrittenDown(values.reportDir)) && value === reportDir;
  const report = replayed ?? (isUsual ? [] : [shortPath(join(reportDir, "report.json"), cwd)]);
  return command(["replay", ...report, ...configured]);
}

/** Whether the next command finds the value of an option in a variable or a file. */
function isWrittenDown({ origin, file }: Partial<OptionValue<unknown>> = {}): boolean {
  return origin === "variable" || file !== undefined;
}

function configWords(config: Flags[string], cwd: string): readonly string[] {
  if (typeof config === "string") return ["--config", shortPath(config, cwd)];
  return config === false ? ["--no-config"] : [];
}

/** The words that give an option again: none for one that was not given, or must not be shown. */
function wordsOf(name: OptionName, given: unknown, cwd: string): readonly string[] {
  if (given === undefined) return [];
  if (typeof given === "boolean") return [given ? flagOf(name) : offFlagOf(name)];
  if (name !== "headers") return [flagOf(name), wordOf(name, given)];
  return Object.entries(given as Readonly<Record<string, string>>).flatMap(([header, source]) => {
    const shown = source.replace(
      /^file:(.*)$/s,
      (_, path: string) => `file:${shortPath(path, cwd)}`,
    );
    return [flagOf("headers"), `${header}: ${shown}`];
  });
}
