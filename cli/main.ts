import { CommanderError } from "commander";
import { reportMishap, exitCodes } from "./output/exit-code.ts";
import { processIo, type Io } from "./output/io.ts";
import { problemText, UsageError, type Problem } from "../settings/problem.ts";
import { flagWordOf, optionNames, optionOf, variableOf } from "../settings/options.ts";
import { programOf, type Chosen } from "./program.ts";

/** Runs the command that the words name and gives its exit code. Never throws. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  let chosen: Chosen | undefined;
  try {
    const program = programOf(io, (one) => {
      chosen = one;
    });
    if (argv.length === 0) program.help({ error: true });
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.pass : exitCodes.usage;
    return reportMishap({ error, command: "none", secrets: secretsOf(io) }, io);
  }
  if (chosen === undefined) return exitCodes.usage;
  try {
    return await chosen.command(chosen.invocation, io);
  } catch (error) {
    if (error instanceof UsageError) {
      io.stderr(usageText(error.problems));
      return exitCodes.usage;
    }
    return reportMishap({ error, command: chosen.name, secrets: secretsOf(io, chosen) }, io);
  }
}

function usageText(problems: readonly Problem[]): string {
  const [first, second] = problems;
  if (first !== undefined && second === undefined) return `fxconform: ${problemText(first)}\n`;
  return `fxconform: ${problems.length} problems\n${problems.map((one) => `  ${problemText(one)}\n`).join("")}`;
}

/** Possible secrets, before the options are read. */
const secretsOf = ({ env }: Io, chosen?: Chosen): readonly string[] =>
  optionNames
    .filter((name) => optionOf(name).secret === true)
    .flatMap((name) => [env[variableOf(name)], chosen?.invocation.flags[flagWordOf(name)]])
    .flat()
    .flatMap((one) => (typeof one === "string" ? [one, one.replace(/^[^:]*:\s*/, "")] : []));
