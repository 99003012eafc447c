import { existsSync } from "node:fs";
import { join } from "node:path";
import { program } from "../../settings/command-line.ts";
import { isLoopback } from "../../model/target.ts";
import type { Command } from "./command.ts";
import { configFileNames } from "../../settings/file.ts";
import { flagSource, limited, optionValuesOf, type OptionValues } from "../../settings/sources.ts";
import { initialOptions, optionOf } from "../../settings/options.ts";
import { UsageError, wrong } from "../../settings/problem.ts";
import { packagePlace, writeText } from "../output/text-file.ts";
import { exitCodes } from "../output/exit-code.ts";

const written = "fxconform.config.yaml";

/** Writes a short configuration file with the values of the flags. Sends nothing. */
export const init: Command = async ({ flags }, io) => {
  const replace = flags["force"] === true;
  const reading = optionValuesOf([
    limited(flagSource(flags, io.cwd), (name) => initialOptions.some((one) => one === name)),
  ]);
  if (reading.problems.length > 0) throw new UsageError(reading.problems);
  for (const name of configFileNames.filter((one) => existsSync(join(io.cwd, one)))) {
    const isOther = name !== written;
    const advice = isOther
      ? `Move it away first: ${written} would be a second one.`
      : "Edit it, or add --force to replace it.";
    if (isOther || !replace) throw wrong(name, "exists already", advice);
  }
  writeText(configurationText(reading.values, io.cwd), written, replace, io);
  io.stderr(
    `${profileText(reading.values)}\nReports go to fxconform-report: keep that folder out of version control.\nNext: set FXCONFORM_API_KEY, then ${program()} doctor\n`,
  );
  return exitCodes.pass;
};

function baseUrlOf(values: OptionValues): string {
  return values.baseUrl?.value ?? "https://localhost:4010";
}

const isLocal = (values: OptionValues): boolean => isLoopback(new URL(baseUrlOf(values)).hostname);

/** Says which profile the file has, and why. */
function profileText(values: OptionValues): string {
  return isLocal(values)
    ? "Profile: left out. On a loopback address the profile is full, which creates counterparties, operations and batches."
    : "Profile: smoke, which creates nothing, because the address is not on this machine. The profile full checks everything.";
}

function configurationText(values: OptionValues, folder: string): string {
  const baseUrl = baseUrlOf(values);
  const { customerId, currencyPairs } = values;
  const pairs = JSON.stringify(currencyPairs?.value ?? optionOf("currencyPairs").fallback);
  return `# yaml-language-server: $schema=${packagePlace(folder, "dist/settings/config.schema.json")}
# A flag wins over a variable, and a variable over this file. Paths are relative to it.
# All options: ${packagePlace(folder, "docs/options.md")}

# The address of the server. A base path is kept.
baseUrl: ${JSON.stringify(baseUrl)}
${
  isLocal(values)
    ? ""
    : `
# smoke creates nothing. full checks everything, and creates counterparties, operations and batches.
profile: smoke
`
}
# The API key does not belong in this file: set FXCONFORM_API_KEY.

# The customer to register counterparties under.
${customerId === undefined ? "# " : ""}customerId: ${JSON.stringify(customerId?.value ?? "customer-1")}

# Currency pairs that work there.
${currencyPairs === undefined ? "# " : ""}currencyPairs: ${pairs}
`;
}
