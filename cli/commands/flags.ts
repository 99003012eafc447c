import { Option as Flag, type Command as Program } from "commander";
import {
  accessOptions,
  contractOptions,
  defaultText,
  flagOf,
  flagWordOf,
  groupOf,
  initialOptions,
  judgeOptions,
  offFlagOf,
  optionNames,
  optionOf,
  optionsIn,
  replayOptions,
  runOptions,
  variableOf,
  type OptionName,
} from "../../settings/options.ts";
import type { Flags } from "../../settings/sources.ts";
import type { Io } from "../output/io.ts";
import { plural } from "../../model/plural.ts";
import type { CommandRow } from "./command.ts";

/** The options that commands take as flags, as variables and from a configuration file. */
const optionsOf: Readonly<Record<string, readonly OptionName[]>> = {
  run: runOptions,
  demo: runOptions.filter((name) => ![...accessOptions, "watch"].includes(name)),
  doctor: [...optionsIn("Target", "Network", "TLS"), "profile", "rate", "timeout", "maxBody"],
  replay: [...replayOptions, "only", "reportDir", "reports", "color", "verbose"],
  judge: judgeOptions,
  contract: contractOptions,
};

/**
 * The options that the help of a command shows if it takes more than these; `--help --all` shows
 * all.
 */
const usual: ReadonlySet<OptionName> = new Set([
  ...(["baseUrl", "apiKeyFile", "customerId", "currencyPairs", "otherPurposes", "amount"] as const),
  ...(["allowHttp", "ca", "headers", "profile", "only", "exclude", "seed", "runs"] as const),
  ...(["concurrency", "rate", "timeout", "strict", "baseline", "statement", "reportDir"] as const),
  ...(["reports", "watch"] as const),
]);

/** Adds the flags of a command. */
export function addFlags(
  command: Program,
  { name, flags = {} }: CommandRow,
  showsAll: boolean,
  exitCodeHelp: string,
): void {
  const options = optionsOf[name];
  const alone = (name === "init" ? initialOptions : []).map((one) =>
    flag(wordsOf(one), optionOf(one).about),
  );
  const own = Object.entries(flags).map(([words, about]) => flag(words, about));
  const isShort = options === undefined || options.length <= usual.size;
  const isShown = (option: OptionName): boolean => showsAll || isShort || usual.has(option);
  const table = (options ?? []).flatMap((option) => tableFlags(option, isShown(option)));
  const left = (options ?? []).filter((option) => !isShown(option)).length;
  const rest = left === 0 ? "" : `\n--help --all shows ${plural(left, "more option")}.\n`;
  for (const one of [...alone, ...own, ...table]) command.addOption(one);
  if (options !== undefined)
    command
      .addOption(
        flag(
          "--config <file>",
          "configuration file (default: fxconform.config.{json,yaml,yml} here)",
        ),
      )
      .addOption(flag("--no-config", "read no configuration file"))
      .addHelpText("after", `${rest}${configurationHelp}${exitCodeHelp}`);
}

/**
 * Returns the values of variables and flags that may be secrets. Used for errors, when the options
 * may not have been read yet.
 */
export function secretsIn({ env }: Pick<Io, "env">, flags: Flags): readonly string[] {
  return optionNames
    .filter((name) => optionOf(name).isSecret === true)
    .flatMap((name) => [env[variableOf(name)], flags[flagWordOf(name)]])
    .flat()
    .flatMap((one) => (typeof one === "string" ? [one, one.replace(/^[^:]*:\s*/, "")] : []));
}

/** The words of an option's flag in the help. `...` says that it can be repeated. */
function wordsOf(name: OptionName): string {
  const { value = "", kind } = optionOf(name);
  const shown = kind.repeatable === undefined ? value : value.replace(">", "...>");
  return `${flagOf(name)} ${shown}`.trimEnd();
}

function tableFlags(name: OptionName, isShown: boolean): readonly Flag[] {
  const { value, about } = optionOf(name);
  const group = groupOf(name);
  const standard = defaultText(optionOf(name));
  const text = `${about}${standard === undefined ? "" : ` (default: ${standard})`}`;
  const own = flag(wordsOf(name), text, group).hideHelp(!isShown);
  return value === undefined ? [own, flag(offFlagOf(name), "", group)] : [own];
}

/**
 * Makes a flag for commander. If its words have `...`, the values of all uses are collected, and
 * otherwise the last value wins. A flag about which nothing is said is hidden.
 */
function flag(words: string, about: string, group = "Options"): Flag {
  const made = new Flag(words.replace("...", ""), about).helpGroup(`${group}:`);
  made.hideHelp(about === "");
  return words.includes("...") ? made.argParser(collected) : made;
}

function collected(word: string, before: unknown): readonly string[] {
  return [...(Array.isArray(before) ? before : []), word];
}

const configurationHelp = `
Every option can be given in the configuration file (baseUrl: …) or as a variable (${variableOf("baseUrl")}=…).
Flags win over variables, and variables over the file. Durations: 1500ms, 10s, 2m. Sizes: 1MB, 128MiB.
`;
