import { CommanderError, Command as Program } from "commander";
import { reportMishap, exitCodes, exitCodeTexts } from "./output/exit-code.ts";
import { processIo, type Io } from "./output/io.ts";
import { plain } from "../reports/sanitize.ts";
import { atMost, sentence } from "../reports/wording.ts";
import { masked, problemText, UsageError, type Problem } from "../settings/problem.ts";
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
    const program = await programOf(io, call);
    if (argv.length === 0) program.help({ error: true });
    await program.parseAsync([...argv], { from: "user" });
    return call.code;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.pass : exitCodes.usage;
    if (!(error instanceof UsageError)) return mishap(error, io, call);
    io.stderr(usageText(error.problems));
    for (const warning of error.warnings) io.stderr(`Warning: ${plain(warning, longestProblem)}\n`);
    return exitCodes.usage;
  }
}

/** Reports an error of fxconform, without what may be a secret, and returns the exit code. */
export async function mishap(
  error: unknown,
  io: Io,
  { name, flags }: Pick<CommandCall, "name" | "flags"> = { name: "unknown", flags: {} },
): Promise<number> {
  const { secretsIn } = await import("./commands/flags.ts");
  const { redactionOf } = await import("../model/evidence/redaction.ts");
  return reportMishap({ error, command: name, secrets: redactionOf(secretsIn(io, flags)) }, io);
}

/**
 * Returns the problems as a text without codes that move the cursor and commands for CI runners,
 * which a key of a configuration file could contain.
 */
function usageText(problems: readonly Problem[]): string {
  const lines = problems.map((one) => plain(problemText(one), longestProblem));
  if (problems.length === 1) return `fxconform: ${lines.join("")}\n`;
  const all = atMost(mostShown, lines, (left) => `… and ${left} more`);
  return `fxconform: ${problems.length} problems\n${all.map((line) => `  ${line}\n`).join("")}`;
}

const mostShown = 50;

const longestProblem = 2000;

/** The command that was called with its flags, and its exit code once it has ended. */
interface CommandCall {
  readonly argv: readonly string[];
  name: string;
  flags: Flags;
  code: number;
}

/** Makes the program for commander. A command writes its name, flags and exit code into `call`. */
async function programOf(io: Io, call: CommandCall): Promise<Program> {
  const program = new Program("fxconform")
    .description("Checks whether a server implements the FX operations API.")
    .version(toolVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "help for a command")
    .configureOutput({
      writeOut: io.stdout,
      writeErr: io.stderr,
      // A message of commander can quote the value of a flag, which may be a key.
      outputError: (text, write) => write(`fxconform: ${withoutValues(text)}`),
    })
    .showSuggestionAfterError(true)
    .showHelpAfterError(`${calledAs()} --help lists the commands.`)
    .exitOverride()
    .addHelpText("after", exitCodeHelp);
  for (const row of commands) await addCommand(program, row, call, io);
  return program;
}

/** Adds a command. Its flags are loaded only if it is called, or its help is asked for. */
async function addCommand(
  program: Program,
  row: CommandRow,
  call: CommandCall,
  io: Io,
): Promise<void> {
  const { name, words = [] } = row;
  const command = program
    .command(name)
    .summary(row.summary)
    .showHelpAfterError(`${calledAs()} ${name} --help lists its options.`)
    .description([sentence(row.summary), row.note ?? ""].join(" ").trimEnd());
  for (const word of words) command.argument(word);
  if (!call.argv.includes(name)) return;
  const { addFlags } = await import("./commands/flags.ts");
  // Unexpected words are reported with everything else that is wrong. They are not printed, as one
  // of them may be a key.
  command.allowExcessArguments();
  addFlags(command, row, showsAllOptions(call.argv), exitCodeHelp);
  command.action(async () => {
    const flags = command.opts<Flags>();
    Object.assign(call, { name, flags });
    const problems: Problem[] = command.options.flatMap((one) => {
      const words = [flags[one.attributeName()]].flat();
      return words.some((word) => String(word).startsWith("--"))
        ? [{ where: one.long ?? "", what: "must be followed by a value" }]
        : [];
    });
    const most = words.some((word) => word.includes("...")) ? Infinity : words.length;
    const what = `takes ${plural(most, "argument")}, but got ${command.args.length}`;
    if (command.args.length > most)
      problems.push({ where: name, what, advice: "Put the flag before each value." });
    if (problems.length > 0) throw new UsageError(problems);
    const run = await row.load();
    call.code = await run({ flags, words: command.args }, io);
  });
}

/** Whether all options are in sight: for errors, which suggest one, and with `--help --all`. */
function showsAllOptions(argv: readonly string[]): boolean {
  const asksForHelp = ["help", "--help", "-h"].some((word) => argv.includes(word));
  return !asksForHelp || argv.includes("--all");
}

/** A message of commander, of which long words stay only where they look like the name of a flag. */
function withoutValues(text: string): string {
  return text
    .replaceAll(/('--?[^\s=]+)=.*'/g, "$1=…'")
    .split(/(\s+)/)
    .map((word) => (/^\W*-(-[a-z]+)+(=…)?\W*$/.test(word) ? word : masked(word)))
    .join("");
}

const exitCodeHelp = `\nExit codes:\n${exitCodeTexts.map(([code, text]) => `  ${String(code).padEnd(5)}${text}`).join("\n")}\n`;
