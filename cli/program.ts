import { Command as Program, Option as Flag } from "commander";
import type { Command, CommandRow, Invocation, OwnFlag } from "./commands/command.ts";
import { commands } from "./commands/index.ts";
import { program as calledAs } from "../settings/command-line.ts";
import { exitCodeTexts } from "./output/exit-code.ts";
import type { Io } from "./output/io.ts";
import {
  defaultText,
  flagOf,
  groupOf,
  offFlagOf,
  optionNames,
  optionOf,
  variableOf,
  type OptionName,
} from "../settings/options.ts";
import type { Problem } from "../settings/problem.ts";
import { nearest, suggestion } from "../settings/suggestion.ts";
import type { Flags } from "../settings/surroundings.ts";
import { toolVersion } from "../engine/version.ts";

/** The command that was typed. */
export interface Chosen {
  readonly name: string;
  readonly command: Command;
  readonly invocation: Invocation;
}

/** The program as commander knows it; calls `choose` with the command that was typed. Throws `CommanderError`. */
export function programOf(io: Io, choose: (chosen: Chosen) => void): Program {
  const program = new Program("fxconform")
    .description("Checks whether a server implements the FX operations API.")
    .version(toolVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "help for a command")
    .configureOutput({
      writeOut: io.stdout,
      writeErr: io.stderr,
      // Print a flag without its value, which may be a key.
      outputError: (text, write) => write(`fxconform: ${text.replace(/('--?[^'=]+)=[^']*'/g, "$1'")}`),
    })
    .showSuggestionAfterError(true)
    .showHelpAfterError(`${calledAs} --help lists the commands.`)
    .exitOverride()
    .addHelpText("after", exitCodeHelp);
  for (const row of commands) addCommand(program, row, choose);
  return program;
}

function addCommand(program: Program, row: CommandRow, choose: (chosen: Chosen) => void): void {
  const command = program
    .command(row.name)
    .summary(row.summary)
    .description(`${capital(row.summary)}.${row.note === undefined ? "" : ` ${row.note}`}`);
  const required = row.words ?? [];
  command.usage(["[options]", ...required].join(" "));
  const flags = [...(row.flags ?? []).map(ownFlag), ...(row.options ?? []).flatMap(tableFlags)];
  if (row.options !== undefined) flags.push(configFlag());
  for (const flag of flags) command.addOption(flag);
  if (row.options !== undefined) command.addHelpText("after", configurationHelp);
  // Unknown flags are reported together with everything else that is wrong.
  command.allowUnknownOption().allowExcessArguments();
  command.action(() => {
    const known = command.options.flatMap(({ long }) => long ?? []);
    const flags = command.opts<Flags>();
    const { words, problems } = sorted(command.args, known, row);
    const missing = required.slice(words.length).map((word) => missingWord(word, row.name, required));
    const invocation = { flags, words, problems: [...problems, ...missing] };
    choose({ name: row.name, command: row.load, invocation });
  });
}

const missingWord = (word: string, command: string, usage: readonly string[]): Problem => ({
  where: word,
  what: "is missing",
  advice: `Usage: ${calledAs} ${command} ${usage.join(" ")}`,
});

/**
 * Separates arguments from unknown flags. The word after an unknown flag most likely belongs to it, unless the command
 * still needs an argument. Stray words are not printed, because one may be a key.
 */
function sorted(
  args: readonly string[],
  known: readonly string[],
  row: CommandRow,
): Pick<Invocation, "words" | "problems"> {
  const count = row.words?.some((word) => word.includes("...")) ? Infinity : (row.words?.length ?? 0);
  const words: string[] = [];
  const problems: Problem[] = [];
  let left = args.filter((arg) => !isFlag(arg)).length;
  let stray = 0;
  let swallow = false;
  for (const arg of args) {
    if (isFlag(arg)) {
      const flag = arg.split("=", 1)[0] ?? arg;
      if (known.includes(flag)) {
        problems.push({ where: flag, what: "takes no value", advice: "Give it without a value." });
        continue;
      }
      const advice =
        row.elsewhere?.[flag] ?? suggestion(flag, known) ?? `${calledAs} ${row.name} --help lists all options.`;
      problems.push({ where: flag, what: "is not an option of this command", advice });
      swallow = !arg.includes("=") && (meansSecret(flag) || left > count - words.length);
      continue;
    }
    left--;
    if (swallow) swallow = false;
    else if (words.length < count) words.push(arg);
    else stray++;
  }
  if (stray > 0) {
    problems.push({ where: row.name, what: strayWords(stray, count), advice: "Put the flag before each value." });
  }
  return { words, problems };
}

const isFlag = (arg: string): boolean => /^-+[a-z]/i.test(arg);

const meansSecret = (flag: string): boolean =>
  /key|token|secret|pass/i.test(flag) ||
  nearest(flag, optionNames.filter((name) => optionOf(name).secret).map(flagOf)) !== undefined;

function strayWords(stray: number, count: number): string {
  const taken = count === 0 ? "no word" : count === 1 ? "one word" : `${count} words`;
  return `takes ${taken} without a flag, but ${stray} more ${stray === 1 ? "was" : "were"} given`;
}

function tableFlags(name: OptionName): readonly Flag[] {
  const { value, about, kind } = optionOf(name);
  const group = groupOf(name);
  const standard = defaultText(optionOf(name));
  const text = `${about}${standard === undefined ? "" : ` (default: ${standard})`}`;
  if (value === undefined) {
    return [
      new Flag(flagOf(name), text).helpGroup(`${group}:`),
      new Flag(offFlagOf(name)).helpGroup(`${group}:`).hideHelp(),
    ];
  }
  const flag = new Flag(`${flagOf(name)} ${value}`, text).helpGroup(`${group}:`);
  // A flag of a list can be repeated; for every other flag the last one wins.
  return [kind.repeatable !== undefined ? flag.argParser(collected) : flag];
}

const collected = (word: string, before: unknown): readonly string[] => [
  ...(Array.isArray(before) ? before : []),
  word,
];

function ownFlag({ flag, about, repeated }: OwnFlag): Flag {
  const made = new Flag(flag, about);
  return repeated === true ? made.argParser(collected) : made;
}

const configFlag = (): Flag =>
  new Flag("--config <file>", "configuration file (default: fxconform.config.{json,yaml,yml} here)").helpGroup(
    "Options:",
  );

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const exitCodeHelp = `\nExit codes:\n${exitCodeTexts.map(([code, text]) => `  ${String(code).padEnd(5)}${text}`).join("\n")}\n`;

const configurationHelp = `
Every option can be given in the configuration file (baseUrl: …) or as a variable (${variableOf("baseUrl")}=…).
Flags win over variables, and variables over the file. Durations: 1500ms, 10s, 2m. Sizes: 1MB, 128MiB.
${exitCodeHelp}`;
