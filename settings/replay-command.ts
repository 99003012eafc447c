import { join } from "node:path";
import type { RunSettings, Target } from "../model/target.ts";
import { program, shellWord, shortPath } from "./command-line.ts";
import { flagOf, offFlagOf, optionOf, replayOptions, wordOf, type OptionName } from "./options.ts";
import type { Flags, OptionValues } from "./sources.ts";

/** What the replay line of a run is made from. */
interface ReplayInputs {
  readonly values: OptionValues;
  readonly target: Target;
  readonly settings: RunSettings;
  readonly flags: Flags;
  /** The folder of the report. Absent if a program asked for none. */
  readonly reportDir: string | undefined;
  readonly cwd: string;
  /** The words of a replay that name its report, and name it in the next replay too. */
  readonly replayed?: readonly string[] | undefined;
}

/**
 * The command that checks the failures of a run again, quoted for a shell; ` --only <id>` is
 * appended to it. Where no report is written, that is a run with the same seed. A report does not decide where the key is sent, so the command repeats the
 * options that stood neither in a file nor in a variable. It never contains a secret: the key, the
 * password of a proxy, or a header that must not be shown.
 */
export function replayCommandOf({
  values,
  target,
  settings,
  flags,
  reportDir,
  cwd,
  replayed,
}: ReplayInputs): string {
  const repeated = replayOptions.flatMap((name) => repeatedWords(name, values, target, cwd));
  const command = (words: readonly string[]): string =>
    `${program()} ${[...words, ...repeated].map((word) => shellWord(word)).join(" ")}`;
  if (reportDir === undefined) return command(["run", "--seed", String(settings.seed)]);
  // If no flag named the folder of the run, a replay looks in the same folder without being told.
  const isUsual = values.reportDir.origin !== "flag" && values.reportDir.value === reportDir;
  const report = replayed ?? (isUsual ? [] : [shortPath(join(reportDir, "report.json"), cwd)]);
  return command(["replay", ...report, ...configWords(flags["config"], cwd)]);
}

function configWords(config: Flags[string], cwd: string): readonly string[] {
  if (typeof config === "string") return ["--config", shortPath(config, cwd)];
  return config === false ? ["--no-config"] : [];
}

function repeatedWords(
  name: OptionName,
  values: OptionValues,
  target: Target,
  cwd: string,
): readonly string[] {
  const option = values[name];
  const isWrittenDown = option?.origin === "variable" || option?.file !== undefined;
  if (option?.origin === undefined || isWrittenDown) return [];
  if (name === "headers") return headerWords(target, cwd);
  if (name === "proxy") return target.proxy === undefined ? [] : ["--proxy", target.proxy.url];
  const { isPath, isSecret } = optionOf(name);
  if (isSecret === true) return [];
  if (typeof option.value === "boolean") return [option.value ? flagOf(name) : offFlagOf(name)];
  if (isPath === true && typeof option.value === "string")
    return [flagOf(name), shortPath(option.value, cwd)];
  return [flagOf(name), wordOf(name, option.given)];
}

/**
 * The flags for the headers that can be shown, because they are public or their values stand
 * elsewhere (`env:NAME` or `file:path`).
 */
function headerWords({ headers = [] }: Target, cwd: string): readonly string[] {
  return headers.flatMap(({ name, source }) => {
    if (source === undefined) return [];
    const shown = source.replace(
      /^file:(.*)$/s,
      (_, path: string) => `file:${shortPath(path, cwd)}`,
    );
    return [flagOf("headers"), `${name}: ${shown}`];
  });
}
