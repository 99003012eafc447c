import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { Command } from "./command.ts";
import {
  deviations,
  knownDeviations,
  deviationsWith,
  optionsFor,
  withReferenceTarget,
  type NamedDeviation,
} from "./reference-target.ts";
import { bounds } from "../../model/bounds.ts";
import { flagValue } from "../../settings/sources.ts";
import { untilInterrupted } from "../output/exit-code.ts";
import { flagOf, optionNames, wordOf } from "../../settings/options.ts";
import { wholeNumber } from "../../settings/kinds/number.ts";
import { text } from "../../settings/kinds/words.ts";
import { wrong } from "../../settings/problem.ts";
import { program, shellWord } from "../../settings/command-line.ts";

/**
 * Runs the reference server until the user interrupts it, and prints the commands that check it.
 */
export const serve: Command = async ({ flags }, io) => {
  const port = flagValue("--port", flags["port"], portKind) ?? 0;
  const faults = await knownDeviations("fault", flags["fault"]);
  const variants = await knownDeviations("variant", flags["variant"]);
  await refuseClashes(variants);
  if (flags["list"] !== undefined) {
    io.stdout(`${(await deviationsWith(flags["list"])).text}\n`);
    return 0;
  }

  const apiKey =
    flagValue("--api-key", flags["apiKey"] || undefined, text) ??
    `serve-${randomBytes(12).toString("hex")}`;
  const customerId =
    flagValue("--customer-id", flags["customerId"] || undefined, text) ??
    `customer-${randomBytes(4).toString("hex")}`;
  const kept = flagValue("--tls-dir", flags["tlsDir"] || undefined, text);
  if (kept !== undefined && flags["http"] === true)
    throw wrong("--tls-dir", "cannot be combined with --http", "Omit one of them.");
  const start = {
    port,
    apiKey,
    customerId,
    faults: idsOf(faults),
    variants: idsOf(variants),
    maxBody: bounds.requestBody,
    isPlain: flags["http"] === true,
    tlsFolder: kept && resolve(io.cwd, kept),
  };
  return withReferenceTarget(start, async ({ baseUrl, ca }) => {
    io.stderr(
      `The reference server listens at ${baseUrl}. Press Ctrl-C to stop it. Check it in another terminal:\n`,
    );
    const target = ["--base-url", baseUrl, "--customer-id", customerId];
    const trust = ca === undefined ? [] : ["--ca", ca.caFile];
    const words = ["run", ...target, ...wordsFor([...faults, ...variants]), ...trust];
    // The replay lines and curl commands of the reports read this variable.
    io.stdout(
      `export FXCONFORM_API_KEY=${shellWord(apiKey)}\n${program()} ${words.map((word) => shellWord(word)).join(" ")}\n`,
    );
    await untilInterrupted(io);
    return 0;
  });
};

const portKind = wholeNumber(0, 65_535);

function idsOf(deviations: readonly NamedDeviation[]): readonly string[] {
  return deviations.map(({ id }) => id);
}

/** Throws `UsageError` if two of the variants exclude each other. */
async function refuseClashes(found: readonly NamedDeviation[]): Promise<void> {
  const { variants, areCompatible } = await deviations();
  const chosen = variants.filter(({ id }) => idsOf(found).includes(id));
  for (const one of chosen) {
    const other = chosen.find((each) => each !== one && !areCompatible(one, each));
    if (other !== undefined)
      throw wrong("--variant", `cannot combine ${one.id} with ${other.id}`, "Choose one of them.");
  }
}

function wordsFor(deviations: readonly NamedDeviation[]): readonly string[] {
  const values = optionsFor(deviations);
  return optionNames.flatMap((name) =>
    values[name] === undefined ? [] : [flagOf(name), wordOf(name, values[name])],
  );
}
