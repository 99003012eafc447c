import { randomInt } from "node:crypto";
import { configurationOf, type Configuration } from "./configuration.ts";
import {
  commandLineNames,
  flagOf,
  optionNames,
  type CommandLineName,
  type InputOf,
  type OptionName,
} from "./options.ts";
import { masked, UsageError, type Problem, suggestion } from "./problem.ts";
import { limited } from "./sources.ts";

type GivenList<T> = T extends readonly (infer E)[] ? readonly E[] : T;

/**
 * The options of `fxconform run` that a program may give, with the same defaults. Their names are
 * those of the configuration file.
 */
export type ProgramOptions = {
  readonly [N in Exclude<OptionName, CommandLineName>]?: GivenList<InputOf<N>>;
} & {
  /** The address of the target. A base path is kept. */
  readonly baseUrl: string;
};

/**
 * The configuration that a program describes. Reads no variable, and no file that the program does
 * not name. Throws `UsageError`.
 */
export async function configurationFor(values: ProgramOptions): Promise<Configuration> {
  const cwd = process.cwd();
  const problems = Object.keys(values).flatMap(unknownName);
  const given = { origin: "file", whereOf: String, values, folder: cwd, problems } as const;
  try {
    return await configurationOf(
      {},
      {
        env: {},
        cwd,
        stdinIsTerminal: false,
        stdoutIsTerminal: false,
        seed: () => randomInt(2 ** 31 - 1),
      },
      { given: limited(given, (name) => ownNames.includes(name)), namedFileOnly: true },
    );
  } catch (error) {
    throw error instanceof UsageError
      ? new UsageError(error.problems.map(inOwnWords), error.warnings)
      : error;
  }
}

const ownNames: readonly OptionName[] = optionNames.filter(
  (name) => !commandLineNames.some((other) => other === name),
);

function unknownName(name: string): readonly Problem[] {
  if (ownNames.some((own) => own === name)) return [];
  const what = optionNames.some((known) => known === name)
    ? "belongs to the command line"
    : "is not an option";
  const advice = suggestion(name, ownNames) ?? "See docs/options.md.";
  return [{ where: masked(name), what, advice }];
}

/**
 * A problem in the words of the library: with names of options in place of flags, and without
 * advice on variables, which the library does not read.
 */
function inOwnWords({ where, what, found, advice }: Problem): Problem {
  const named = (text: string): string =>
    text.replace(
      /--[a-z][a-z-]*/g,
      (flag) => ownNames.find((name) => flagOf(name) === flag) ?? flag,
    );
  const own = advice === undefined || advice.includes("FXCONFORM_") ? undefined : named(advice);
  return { where: named(where), what: named(what), found, advice: own };
}
