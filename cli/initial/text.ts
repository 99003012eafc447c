import { isLoopback } from "../../model/target.ts";
import { shortPath } from "../output/command-line.ts";
import { flagOf, optionNames, optionOf, variableOf, type OptionName } from "../configuration/options.ts";
import type { Choices, NamedAddress } from "./choices.ts";

/**
 * The file: every option with its meaning. Options that were not chosen are comments, with their default or an example.
 */
export function configurationText(schema: string, { values, targets }: Choices, folder: string): string {
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    "# Configuration of fxconform. Flags win over variables, and variables over this file. Paths are relative to this file.",
  ].join("\n");
  const address = values.baseUrl?.value;
  const profile = values.profile?.value ?? (address === undefined ? undefined : cautiousProfile(address));
  const chosen: Partial<Record<OptionName, unknown>> = {
    ...Object.fromEntries(
      optionNames.flatMap((name) => {
        const value: unknown = values[name]?.value;
        if (value === undefined) return [];
        return [[name, optionOf(name).path === true && typeof value === "string" ? shortPath(value, folder) : value]];
      }),
    ),
    baseUrl: address ?? optionOf("baseUrl").example,
    ...(profile === undefined ? {} : { profile }),
  };
  const blocks = optionNames.filter((name) => name !== "apiKey" || name in chosen).map((name) => block(name, chosen));
  return `${[head, ...blocks, targetsBlock(targets, profile)].join("\n\n")}\n`;
}

/** If no profile was chosen, one that creates nothing, unless the address is loopback. */
const cautiousProfile = (address: string): "smoke" | undefined =>
  isLoopback(new URL(address).hostname) ? undefined : "smoke";

const targetsNote =
  "# Several targets, each with what differs; --target sandbox chooses one. Keys stand as env:NAME or file:path.";

function targetsBlock(targets: readonly NamedAddress[], profile: string | undefined): string {
  if (targets.length === 0) return exampleTargets;
  const lines = targets.flatMap(({ name, baseUrl }) => {
    const own = profile === undefined ? cautiousProfile(baseUrl) : undefined;
    return [
      `  ${name}:`,
      `    baseUrl: ${baseUrl}`,
      `    apiKey: env:${name.replaceAll("-", "_").toUpperCase()}_API_KEY`,
      ...(own === undefined ? [] : [`    profile: ${own}`]),
    ];
  });
  const [first] = targets;
  return [targetsNote.replace("--target sandbox", `--target ${first?.name}`), "targets:", ...lines].join("\n");
}

const exampleTargets = [
  targetsNote,
  "# targets:",
  "#   sandbox:",
  "#     baseUrl: https://sandbox.fx.example",
  "#     apiKey: env:SANDBOX_API_KEY",
  "#     profile: full",
  "#   production:",
  "#     baseUrl: https://fx.example",
  "#     apiKey: file:./production-key.txt",
  "#     profile: smoke",
].join("\n");

function block(name: OptionName, chosen: Partial<Record<OptionName, unknown>>): string {
  const { about, fallback, fallbackText, example, kind } = optionOf(name);
  const value = chosen[name] ?? fallback ?? example;
  const line = `${name}: ${inYaml((kind.toFile ?? kind.toText)(value))}`;
  const isDefault = fallback !== undefined && !(name in chosen);
  const standard = isDefault
    ? " This is the default."
    : ` Default: ${fallbackText ?? (fallback === undefined ? "none" : kind.toText(fallback))}.`;
  const note = `# ${about.charAt(0).toUpperCase()}${about.slice(1)} (${flagOf(name)}, ${variableOf(name)}).${standard}`;
  return `${note}\n${name in chosen ? "" : "# "}${line}`;
}

/** As JSON, which is YAML; simple words go without quotes. */
const inYaml = (value: unknown): string =>
  typeof value === "string" &&
  /^(\.\.?\/)?[a-z][\w./:-]*(?<!:)$/i.test(value) &&
  !/^(true|false|null|yes|no|on|off)$/i.test(value)
    ? value
    : JSON.stringify(value);
