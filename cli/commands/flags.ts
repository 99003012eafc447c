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

/** Those that commands take as flags alone. */
const flagsAloneOf: Readonly<Record<string, readonly OptionName[]>> = { init: initialOptions };

/**
 * Adds the flags of a command. Returns those that only another command has, which are hidden, each
 * with what to tell a user who gives it to this one.
 */
export function addFlags(
  command: Program,
  { name, flags = {}, elsewhere = () => ({}) }: CommandRow,
  exitCodeHelp: string,
): ReadonlyMap<Flag, string> {
  const options = optionsOf[name];
  const alone = (flagsAloneOf[name] ?? []).map(flagAlone);
  const own = Object.entries(flags).map(([words, about]) => flagFrom(words, about));
  for (const one of [...alone, ...own, ...(options ?? []).flatMap(tableFlags)])
    command.addOption(one);
  if (options !== undefined)
    command
      .addOption(configFlag)
      .addOption(noConfigFlag)
      .addHelpText("after", `${configurationHelp}${exitCodeHelp}`);
  const others = Object.entries(elsewhere()).map(
    ([word, advice]) => [flag(`${word} [word]`, "").hideHelp(), advice] as const,
  );
  for (const [one] of others) command.addOption(one);
  return new Map(others);
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

function flagAlone(name: OptionName): Flag {
  const { about, value = "", kind } = optionOf(name);
  return flagFrom(
    `${flagOf(name)} ${kind.repeatable === undefined ? value : value.replace(">", "...>")}`,
    about,
  );
}

function tableFlags(name: OptionName): readonly Flag[] {
  const { value, about, kind } = optionOf(name);
  const group = groupOf(name);
  const standard = defaultText(optionOf(name));
  const text = `${about}${standard === undefined ? "" : ` (default: ${standard})`}`;
  if (value !== undefined)
    return [flag(`${flagOf(name)} ${value}`, text, kind.repeatable !== undefined, group)];
  return [
    flag(flagOf(name), text, false, group),
    flag(offFlagOf(name), "", false, group).hideHelp(),
  ];
}

/**
 * Makes a flag for commander. With `isRepeatable`, the values of all uses are collected; without,
 * the last value wins.
 */
function flag(words: string, about: string, isRepeatable = false, group = "Options"): Flag {
  const made = new Flag(words, about).helpGroup(`${group}:`);
  return isRepeatable ? made.argParser(collected) : made;
}

function collected(word: string, before: unknown): readonly string[] {
  return [...(Array.isArray(before) ? before : []), word];
}

/** Makes a flag from its words in the help, in which `...` says that it can be repeated. */
function flagFrom(words: string, about: string): Flag {
  return flag(words.replace("...", ""), about, words.includes("..."));
}

const configFlag = flag(
  "--config <file>",
  "configuration file (default: fxconform.config.{json,yaml,yml} here)",
);

const noConfigFlag = flag("--no-config", "read no configuration file");

const configurationHelp = `
Every option can be given in the configuration file (baseUrl: …) or as a variable (${variableOf("baseUrl")}=…).
Flags win over variables, and variables over the file. Durations: 1500ms, 10s, 2m. Sizes: 1MB, 128MiB.
`;
