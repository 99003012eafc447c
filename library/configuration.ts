import { randomInt } from "node:crypto";
import { configurationOf, type Configuration } from "../settings/configuration.ts";
import { limited } from "../settings/values.ts";
import { commandLineNames, flagOf, optionNames, type OptionName } from "../settings/options.ts";
import { UsageError, type Problem } from "../settings/problem.ts";
import { suggestion } from "../settings/selection.ts";
import type { Options } from "./options.ts";

/** The configuration that a program describes. Reads no variable and no file of its own accord. Throws `UsageError`. */
export async function configurationFor(values: Omit<Options, "signal" | "onProgress">): Promise<Configuration> {
  const cwd = process.cwd();
  const given = { origin: "object", whereOf: String, values, folder: cwd } as const;
  try {
    return await configurationOf(
      { flags: {}, problems: Object.keys(values).flatMap(unknownName) },
      { env: {}, cwd, stdinIsTerminal: false, stdoutIsTerminal: false, seed: () => randomInt(2 ** 31 - 1) },
      {
        given: limited(given, (name) => ownNames.includes(name)),
        namedFileOnly: true,
        ...(values.reportDir === undefined && { reportless: true }),
      },
    );
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.problems.map(inOwnWords)) : error;
  }
}

const ownNames: readonly OptionName[] = optionNames.filter((name) => !commandLineNames.some((other) => other === name));

function unknownName(name: string): readonly Problem[] {
  if (ownNames.some((own) => own === name)) return [];
  if (optionNames.some((known) => known === name)) {
    return [{ where: name, what: "belongs to the command line", advice: "Leave it out." }];
  }
  return [{ where: name, what: "is not an option", advice: suggestion(name, ownNames) ?? "See docs/options.md." }];
}

/** The problem with the names of options in place of flags, and without advice on variables, which are not read. */
function inOwnWords({ where, what, found, advice }: Problem): Problem {
  const named = (text: string): string =>
    text.replace(/--[a-z][a-z-]*/g, (flag) => ownNames.find((name) => flagOf(name) === flag) ?? flag);
  const own = advice === undefined || advice.includes("FXCONFORM_") ? undefined : named(advice);
  return { where: named(where), what: named(what), found, advice: own };
}
