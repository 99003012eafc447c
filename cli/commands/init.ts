import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "./command.ts";
import { configFileNames } from "../configuration/config-file.ts";
import { flagOf, optionNames, optionOf, variableOf, type OptionName } from "../configuration/options.ts";
import { UsageError } from "../configuration/problem.ts";
import { schemaPlace } from "../configuration/schema-place.ts";
import { writeText } from "../output/text-output.ts";

/** Writes a configuration file with comments. Never replaces one. */
export const init: Command = async ({ problems }, io) => {
  const there = configFileNames.find((name) => existsSync(join(io.cwd, name)));
  const advice = "Edit it, or move it away first.";
  const wrong = [...problems, ...(there === undefined ? [] : [{ where: there, what: "exists already", advice }])];
  if (wrong.length > 0) throw new UsageError(wrong);
  writeText(configurationText(schemaPlace(io.cwd, "config.schema.json")), "fxconform.config.yaml", false, io);
  return 0;
};

/** The file: every option with its meaning, and its default or an example in a comment. Only the address is set. */
export function configurationText(schema: string): string {
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    "# Configuration of fxconform. Flags win over variables, and variables over this file. Paths are relative to this file.",
  ].join("\n");
  return `${[head, ...optionNames.filter((name) => name !== "apiKey").map(block), targetsBlock].join("\n\n")}\n`;
}

const targetsBlock = [
  "# Several targets, each with what differs; --target sandbox chooses one. Keys stand as env:NAME or file:path.",
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

function block(name: OptionName): string {
  const { about, fallback, fallbackText, example, kind } = optionOf(name);
  const value = fallback ?? example;
  const line = `${name}: ${inYaml((kind.toFile ?? kind.toText)(value))}`;
  const standard = fallback === undefined ? ` Default: ${fallbackText ?? "none"}.` : " This is the default.";
  const note = `# ${about.charAt(0).toUpperCase()}${about.slice(1)} (${flagOf(name)}, ${variableOf(name)}).${standard}`;
  return `${note}\n${name === "baseUrl" ? "" : "# "}${line}`;
}

/** As JSON, which is YAML; simple words go without quotes. */
const inYaml = (value: unknown): string =>
  typeof value === "string" && /^[a-z.][\w./:-]*$/i.test(value) ? value : JSON.stringify(value);
