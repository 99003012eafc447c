import { existsSync } from "node:fs";
import { join } from "node:path";
import { program } from "../../settings/command-line.ts";
import { isLoopback } from "../../model/target.ts";
import type { Command } from "./command.ts";
import { configFileNames } from "../../settings/file.ts";
import type { ProgramOptions } from "../../settings/configuration.ts";
import { flagSource, limited, optionValuesOf, plainValues } from "../../settings/sources.ts";
import { initialOptions, optionOf } from "../../settings/options.ts";
import { UsageError, wrong } from "../../settings/problem.ts";
import { packagePlace, writeText } from "../output/text-file.ts";
import { exitCodes } from "../output/exit-code.ts";

const written = "fxconform.config.yaml";

/** Writes a short configuration file with the values of the flags. Sends nothing. */
export const init: Command = async ({ flags }, io) => {
  const replace = flags["force"] === true;
  const { values, problems } = optionValuesOf([
    limited(flagSource(flags, io.cwd), (name) => initialOptions.some((one) => one === name)),
  ]);
  if (problems.length > 0) throw new UsageError(problems);
  for (const name of configFileNames.filter((one) => existsSync(join(io.cwd, one)))) {
    if (name === written && replace) continue;
    const advice =
      name === written
        ? "Edit it, or add --force to replace it."
        : `Move it away first: ${written} would be a second one.`;
    throw wrong(name, "exists already", advice);
  }
  const { baseUrl = "https://localhost:4010", ...more } = plainValues(values, initialOptions);
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  writeText(configurationText({ ...more, baseUrl }, isLocal, io.cwd), written, replace, io);
  io.stderr(`Next: set FXCONFORM_API_KEY, then ${program()} doctor\n`);
  return exitCodes.pass;
};

function configurationText(
  {
    baseUrl,
    customerId,
    currencyPairs,
  }: Pick<ProgramOptions, "baseUrl" | "customerId" | "currencyPairs">,
  isLocal: boolean,
  folder: string,
): string {
  const line = (name: string, value: unknown, usual: unknown): string =>
    `${value === undefined ? "# " : ""}${name}: ${JSON.stringify(value ?? usual)}`;
  const profile = `
# smoke creates nothing. full checks everything, and creates counterparties, operations and batches.
profile: smoke
`;
  return `# yaml-language-server: $schema=${packagePlace(folder, "dist/settings/config.schema.json")}
# A flag wins over a variable, and a variable over this file. Paths are relative to it.
# All options: ${packagePlace(folder, "docs/options.md")}

# The address of the server. A base path is kept.
baseUrl: ${JSON.stringify(baseUrl)}
${isLocal ? "" : profile}
# The API key does not belong in this file: set FXCONFORM_API_KEY.

# The customer to register counterparties under.
${line("customerId", customerId, "customer-1")}

# Currency pairs that work there.
${line("currencyPairs", currencyPairs, optionOf("currencyPairs").fallback)}
`;
}
