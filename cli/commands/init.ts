import { existsSync } from "node:fs";
import { join } from "node:path";
import { program } from "../../settings/command-line.ts";
import { isLoopback } from "../../model/target.ts";
import type { Command } from "./command.ts";
import { configFileNames } from "../../settings/file.ts";
import { configurationOf } from "../../settings/configuration.ts";
import type { OptionValues } from "../../settings/sources.ts";
import { wrong } from "../../settings/problem.ts";
import { packagePlace, writeText } from "../output/text-file.ts";
import { exitCodes } from "../output/exit-code.ts";

const written = "fxconform.config.yaml";

/** Writes a short configuration file with the values of the flags. Sends nothing. */
export const init: Command = async ({ flags }, io) => {
  const replace = flags["force"] === true;
  const { values } = await configurationOf({ ...flags, config: false }, io, {
    open: [],
    targetless: true,
  });
  for (const name of configFileNames.filter((one) => existsSync(join(io.cwd, one)))) {
    if (name === written && replace) continue;
    const advice =
      name === written
        ? "Edit it, or add --force to replace it."
        : `Move it away first: ${written} would be a second one.`;
    throw wrong(name, "exists already", advice);
  }
  writeText(configurationText(values, io.cwd), written, replace, io);
  io.stderr(`Next: set FXCONFORM_API_KEY, then ${program()} doctor\n`);
  return exitCodes.pass;
};

function configurationText(
  { baseUrl, customerId, currencyPairs }: OptionValues,
  folder: string,
): string {
  const address = baseUrl?.value ?? "https://localhost:4010";
  const isLocal = isLoopback(new URL(address).hostname);
  const profile = `
# smoke creates nothing. full checks everything, and creates counterparties, operations and batches.
profile: smoke
`;
  return `# yaml-language-server: $schema=${packagePlace(folder, "dist/settings/config.schema.json")}
# A flag wins over a variable, and a variable over this file. Paths are relative to it.
# All options: ${packagePlace(folder, "docs/options.md")}

# The address of the server. A base path is kept.
baseUrl: ${JSON.stringify(address)}
${isLocal ? "" : profile}
# The API key does not belong in this file: set FXCONFORM_API_KEY.

# The customer to register counterparties under.
${customerId ? "" : "# "}customerId: ${JSON.stringify(customerId?.value ?? "customer-1")}

# Currency pairs that work there.
${currencyPairs.origin ? "" : "# "}currencyPairs: ${JSON.stringify(currencyPairs.value)}
`;
}
