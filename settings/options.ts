import type * as v from "valibot";
import { amountText } from "../model/target.ts";
import type { AmountRange } from "../spec/amount-range.ts";
import { groups, type Option } from "./option-rows.ts";
import { shown } from "./problem.ts";

/**
 * All options by name. Flags, variables, help, defaults, and the keys and the schema of the
 * configuration file follow from them.
 */
export const options = {
  ...groups.Target,
  ...groups.Selection,
  ...groups["Run settings"],
  ...groups.Development,
  ...groups.Gate,
  ...groups.Reports,
  ...groups.Network,
  ...groups.Traffic,
  ...groups.TLS,
} as const;

export type OptionName = keyof typeof options;

export const optionNames = Object.keys(options) as readonly OptionName[];

type SchemaOf<N extends OptionName> = (typeof options)[N]["kind"]["schema"];

export type ValueOf<N extends OptionName> = v.InferOutput<SchemaOf<N>>;

/** The options that have a value in every run, because the table has a default for them. */
export type OptionWithDefault = {
  [N in OptionName]: (typeof options)[N] extends { readonly fallback: unknown } ? N : never;
}[OptionName];

/** The value that the configuration file may hold for an option, or that a program may give. */
export type InputOf<N extends OptionName> = v.InferInput<SchemaOf<N>>;

/**
 * Options that the library does not have, because they are about the console, the configuration
 * file or a command other than `run`.
 */
export const commandLineNames = [
  ...(["watch", "updateBaseline", "record", "color", "quiet", "verbose", "json"] as const),
  ...(["keepValues", "secretHeaders"] as const),
] satisfies readonly OptionName[];

export type CommandLineName = (typeof commandLineNames)[number];

/** The row of an option, without the type of its value. */
export const optionOf = (name: OptionName): Option => options[name];

export function groupOf(name: OptionName): keyof typeof groups {
  return (
    (Object.keys(groups) as (keyof typeof groups)[]).find((group) =>
      Object.hasOwn(groups[group], name),
    ) ?? "Target"
  );
}

/** The names of the options in some groups. */
export type NamesIn<G extends keyof typeof groups> = Extract<
  OptionName,
  { [One in G]: keyof (typeof groups)[One] }[G]
>;

export function optionsIn<G extends keyof typeof groups>(...wanted: readonly G[]) {
  return optionNames.filter((name): name is NamesIn<G> =>
    wanted.some((group) => Object.hasOwn(groups[group], name)),
  );
}

/** The options that `init` writes into the configuration file. */
export const initialOptions = [
  "baseUrl",
  "customerId",
  "currencyPairs",
] as const satisfies readonly OptionName[];

/**
 * The options that say how to reach the target. `demo` sets them itself, because it starts its own
 * server.
 */
export const accessOptions: readonly OptionName[] = [
  ...(["baseUrl", "apiKey", "apiKeyFile", "customerId"] as const),
  ...optionsIn("Network", "TLS"),
];

/**
 * The options that a replay takes from its user. Seed and what to check come from the report, and a
 * replay checks all of it.
 */
export const replayOptions: readonly OptionName[] = [
  ...optionsIn("Target", "Network", "TLS"),
  "profile",
  ...optionsIn("Run settings").filter((name) => name !== "seed"),
];

export const runOptions: readonly OptionName[] = optionNames.filter(
  (name) => groupOf(name) !== "Traffic",
);

export const judgeOptions: readonly OptionName[] = [
  ...(["baseUrl", "only", "exclude"] as const),
  ...optionsIn("Gate").filter((name) => name !== "updateBaseline"),
  ...(["reportDir", "reports", "color", "quiet", "verbose", "json"] as const),
  ...optionsIn("Traffic"),
];

/** The options of `contract`, which sends nothing and so measures no time. */
export const contractOptions: readonly OptionName[] = judgeOptions.filter(
  (name) => groupOf(name) !== "Traffic" && name !== "baseUrl" && name !== "maxLatency",
);

/**
 * The default of an option in words, for the help and the docs. Undefined if there is no default.
 */
export function defaultText({ fallback, fallbackText }: Option): string | undefined {
  if (fallbackText !== undefined) return fallbackText;
  return fallback === false ? undefined : shown(fallback);
}

/** A value in the form of the configuration file as the word that follows a flag. */
export function wordOf(name: OptionName, value: unknown): string {
  return name === "amount" ? amountText(value as AmountRange) : (shown(value) ?? "");
}

/** The flag of an option: `baseUrl` → `--base-url`. */
export function flagOf(name: string): string {
  return (
    (Object.hasOwn(options, name) ? optionOf(name as OptionName).flag : undefined) ??
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  );
}

/** The name of an option's flag without its dashes, as commander knows it: `headers` → `header`. */
export function flagWordOf(name: OptionName): string {
  return flagOf(name)
    .slice(2)
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The flag that switches an option off: `strict` → `--no-strict`. */
export const offFlagOf = (name: string): string => flagOf(name).replace("--", "--no-");

/** The variable of an option: `baseUrl` → `FXCONFORM_BASE_URL`. */
export function variableOf(name: string): string {
  return `FXCONFORM_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
