import { CommanderError, Command as Program, Option as Flag } from "commander";
import { reportMishap, exitCodes, exitCodeTexts } from "./output/exit-code.ts";
import { processIo, type Io } from "./output/io.ts";
import { timeText } from "./output/time-text.ts";
import { redactionOf } from "../model/evidence/redaction.ts";
import { plain } from "../reports/sanitize.ts";
import { problemText, UsageError, type Problem } from "../settings/problem.ts";
import {
  flagWordOf,
  optionNames,
  optionOf,
  variableOf,
  defaultText,
  flagOf,
  groupOf,
  offFlagOf,
  type OptionName,
} from "../settings/options.ts";
import type { CommandRow } from "./commands/command.ts";
import { commands } from "./commands/index.ts";
import { program as calledAs } from "../settings/command-line.ts";
import type { Flags } from "../settings/sources.ts";
import { plural } from "../model/plural.ts";
import { toolVersion } from "../engine/version.ts";

/** Runs the command that the words name, and returns its exit code. Never throws. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  const call: CommandCall = { argv, name: "none", flags: {}, code: exitCodes.usage };
  try {
    const program = programOf(io, call);
    if (argv.length === 0) program.help({ error: true });
    await program.parseAsync([...argv], { from: "user" });
    return call.code;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.pass : exitCodes.usage;
    if (!(error instanceof UsageError))
      return reportMishap(
        { error, command: call.name, secrets: redactionOf(secretsOf(io, call.flags)) },
        io,
      );
    io.stderr(usageText(error.problems));
    return exitCodes.usage;
  }
}

/**
 * Returns the problems as a text without codes that move the cursor and commands for CI runners,
 * which a key of a configuration file could contain.
 */
function usageText(problems: readonly Problem[]): string {
  const lines = problems.map((one) => plain(problemText(one), longestProblem));
  if (lines.length === 1) return `fxconform: ${lines.join("")}\n`;
  return `fxconform: ${lines.length} problems\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

const longestProblem = 2000;

/**
 * Returns the values of variables and flags that may be secrets. Used for errors, when the options
 * may not have been read yet.
 */
function secretsOf({ env }: Io, flags: Flags): readonly string[] {
  return optionNames
    .filter((name) => optionOf(name).isSecret === true)
    .flatMap((name) => [env[variableOf(name)], flags[flagWordOf(name)]])
    .flat()
    .flatMap((one) => (typeof one === "string" ? [one, one.replace(/^[^:]*:\s*/, "")] : []));
}

/** The command that was called with its flags, and its exit code once it has ended. */
interface CommandCall {
  readonly argv: readonly string[];
  name: string;
  flags: Flags;
  code: number;
}

/** Makes the program for commander. A command writes its name, flags and exit code into `call`. */
function programOf(io: Io, call: CommandCall): Program {
  const program = new Program("fxconform")
    .description("Checks whether a server implements the FX operations API.")
    .version(toolVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "help for a command")
    .configureOutput({
      writeOut: io.stdout,
      writeErr: io.stderr,
      // A message of commander can quote the value of a flag, which may be a key.
      outputError: (text, write) =>
        write(`fxconform: ${text.replace(/('--?[^'=]+)=[^']*'/g, "$1=…'")}`),
    })
    .showSuggestionAfterError(true)
    .showHelpAfterError(`${calledAs()} --help lists the commands.`)
    .exitOverride()
    .addHelpText("after", exitCodeHelp);
  for (const row of commands) addCommand(program, row, call, io);
  return program;
}

function addCommand(program: Program, row: CommandRow, call: CommandCall, io: Io): void {
  const { name, options, words = [] } = row;
  const command = program
    .command(name)
    .summary(row.summary)
    .showHelpAfterError(`${calledAs()} ${name} --help lists its options.`)
    .description(descriptionOf(row));
  for (const word of words) command.argument(word);
  // Unexpected words are reported with everything else that is wrong. They are not printed, as one
  // of them may be a key.
  command.allowExcessArguments();
  const own = Object.entries(row.flags ?? {}).map(ownFlag);
  for (const one of [...own, ...(options ?? []).flatMap(tableFlags)]) command.addOption(one);
  if (options !== undefined)
    command.addOption(configFlag).addOption(noConfigFlag).addHelpText("after", configurationHelp);
  const elsewhere = row.elsewhere?.() ?? {};
  const others = Object.keys(elsewhere).map((one) => flag(`${one} [word]`, "").hideHelp());
  for (const one of others) command.addOption(one);
  command.action(async () => {
    const flags = command.opts<Flags>();
    Object.assign(call, { name, flags });
    const problems: Problem[] = command.options.flatMap((one) => {
      const value = flags[one.attributeName()];
      const where = one.long ?? "";
      if (value !== undefined && others.includes(one))
        return [{ where, what: notHere, advice: elsewhere[where] }];
      return [value].flat().some((word) => String(word).startsWith("--"))
        ? [{ where, what: valueless }]
        : [];
    });
    const most = words.some((word) => word.includes("...")) ? Infinity : words.length;
    const what = `takes ${plural(most, "argument")}, but got ${command.args.length}`;
    if (command.args.length > most)
      problems.push({ where: name, what, advice: "Put the flag before each value." });
    if (problems.length > 0) throw new UsageError(problems);
    const { mostSeconds } = row;
    if (mostSeconds !== undefined && io.guarded !== undefined)
      call.code = await io.guarded({ name, words: call.argv, files: command.args, mostSeconds });
    else call.code = await row.load({ flags, words: command.args }, io);
  });
}

function descriptionOf({ summary, note, mostSeconds }: CommandRow): string {
  const sentences = [
    `${capital(summary)}.`,
    ...(note === undefined ? [] : [note]),
    ...(mostSeconds === undefined
      ? []
      : [
          `Whatever the files hold, it is done with them after ${timeText(mostSeconds)}, or ends and names what it did not read.`,
        ]),
  ];
  return sentences.join(" ");
}

const notHere = "is not an option of this command";
const valueless = "must be followed by a value";

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

function ownFlag([words, about]: readonly [string, string]): Flag {
  return flag(words.replace("...", ""), about, words.includes("..."));
}

const configFlag = flag(
  "--config <file>",
  "configuration file (default: fxconform.config.{json,yaml,yml} here)",
);

const noConfigFlag = flag("--no-config", "read no configuration file");

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const exitCodeHelp = `\nExit codes:\n${exitCodeTexts.map(([code, text]) => `  ${String(code).padEnd(5)}${text}`).join("\n")}\n`;

const configurationHelp = `
Every option can be given in the configuration file (baseUrl: …) or as a variable (${variableOf("baseUrl")}=…).
Flags win over variables, and variables over the file. Durations: 1500ms, 10s, 2m. Sizes: 1MB, 128MiB.
${exitCodeHelp}`;
