import { isAbsolute, relative } from "node:path";
import { flagOf, optionNames, optionOf, type OptionName } from "./options.ts";
import type { Setting, Settings } from "./option-values.ts";
import { shellWord } from "../output/shell.ts";

/** What a finding's own command says, what is secret, and what changes no answer. */
const leftOut: readonly OptionName[] = ["apiKey", "only", "exclude", "shard", "seed", "reportDir", "reports"];

/** The flags that make the same run again, without `--only`, `--seed` and secrets: only what is not the default. */
export function replayArguments(settings: Settings, cwd: string, omitted: readonly OptionName[] = []): string {
  return optionNames
    .filter((name) => !leftOut.includes(name) && !omitted.includes(name))
    .flatMap((name) => {
      const setting: Setting<unknown> | undefined = settings[name];
      return setting === undefined || setting.origin === "default" ? [] : wordsOf(name, setting, cwd);
    })
    .join(" ");
}

function wordsOf(name: OptionName, { value, standard }: Setting<unknown>, cwd: string): readonly string[] {
  const { kind, path } = optionOf(name);
  if (standard !== undefined && kind.toText(value) === kind.toText(standard)) return [];
  if (value === true) return [flagOf(name)];
  if (value === false) return [flagOf(name).replace("--", "--no-")];
  return [flagOf(name), shellWord(path === true ? shortPath(String(value), cwd) : kind.toText(value))];
}

/** Relative where the file is below the working directory. */
function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") || isAbsolute(short) ? path : short;
}
