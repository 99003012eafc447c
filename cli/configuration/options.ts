import type { RendererName } from "../lazy-modules.ts";
import { amount } from "./kinds/amount.ts";
import { baseUrl } from "./kinds/base-url.ts";
import { choice, choices } from "./kinds/choice.ts";
import { duration } from "./kinds/duration.ts";
import type { Kind } from "./kinds/kind.ts";
import { list } from "./kinds/list.ts";
import { number, wholeNumber } from "./kinds/number.ts";
import { shard } from "./kinds/shard.ts";
import { size } from "./kinds/size.ts";
import { text } from "./kinds/text.ts";
import { yesNo } from "./kinds/yes-no.ts";

/** One option: its flag, variable and key of the configuration file have the same name in three spellings. */
export interface Option<T> {
  readonly group: "Target" | "Selection" | "RunSettings" | "Gate" | "Reports" | "TLS";
  readonly kind: Kind<T>;
  /** What stands for the value in the help; absent for what is on or off. */
  readonly value?: string;
  readonly about: string;
  /** Applies where nothing else is said. */
  readonly fallback?: T;
  /** Names the default where it is not a plain value. */
  readonly fallbackText?: string;
  /** A value as an example, where no default shows one. */
  readonly example?: T;
  /** The value names a file; in the configuration file it is relative to that file. */
  readonly path?: true;
  /** The value is never shown. */
  readonly secret?: true;
}

const option = <T>(row: Option<T>): Option<T> => row;

/** All reports that `--reports` can name; the compiler holds it together with the renderers. */
export const reportNames = [
  "json",
  "junit",
  "html",
  "markdown",
  "har",
  "ctrf",
  "badge",
] as const satisfies readonly RendererName[];

/** Profiles by name. */
export const profiles = ["smoke", "full"] as const;

const minutes = 60_000;

/** Every option of `run`. Flags, variables, file keys, help, defaults and the schema of the file follow from it. */
export const options = {
  baseUrl: option({
    group: "Target",
    kind: baseUrl,
    value: "<url>",
    about: "address of the target; a base path is kept",
    example: "https://localhost:4010",
  }),
  apiKey: option({
    group: "Target",
    kind: text,
    value: "<key>",
    about: "API key; better given as FXCONFORM_API_KEY or by --api-key-file",
    secret: true,
    example: "secret",
  }),
  apiKeyFile: option({
    group: "Target",
    kind: text,
    value: "<file>",
    about: "file that holds the API key and nothing else",
    path: true,
    example: "./api-key.txt",
  }),
  customerId: option({
    group: "Target",
    kind: text,
    value: "<id>",
    about: "customer to register counterparties under; profile full needs it",
    example: "customer-1",
  }),
  currencyPairs: option({
    group: "Target",
    kind: list({
      wanted: "a list of currency pairs such as USDBRL,EURBRL",
      pattern: "^[A-Z]{6,10}$",
      advice: (pair) => `Write ${pair.replace(/[^a-z]/gi, "").toUpperCase() || "USDBRL"}.`,
    }),
    value: "<pairs>",
    about: "currency pairs that work there",
    fallback: ["USDBRL"],
  }),
  otherPurposes: option({
    group: "Target",
    kind: list({
      wanted: "a list of purposes other than EFX, such as IMPORT,EXPORT",
      pattern: "^(?!EFX$)\\S(.*\\S)?$",
      advice: () => "EFX is asked anyway; take it out.",
    }),
    value: "<purposes>",
    about: "purposes besides EFX that work there",
    fallbackText: "none known",
    example: ["IMPORT"],
  }),
  amount: option({
    group: "Target",
    kind: amount,
    value: "<min..max:decimals>",
    about: "valid amounts",
    fallback: { min: 10, max: 1_000, decimals: 2 },
  }),
  profile: option<(typeof profiles)[number]>({
    group: "Selection",
    kind: choice(profiles),
    value: "<smoke|full>",
    about: "smoke creates nothing: POST /auth/token and GET /batches alone",
    fallbackText: "full on a loopback address; elsewhere it must be given",
    example: "smoke",
  }),
  only: option({
    group: "Selection",
    kind: list({ wanted: "a list of requirement ids and areas", pattern: "\\S" }),
    value: "<ids, areas>",
    about: "ask these alone, such as OPER-02,auth",
    fallbackText: "all",
    example: ["OPER-02", "auth"],
  }),
  exclude: option({
    group: "Selection",
    kind: list({ wanted: "a list of requirement ids and areas", pattern: "\\S" }),
    value: "<ids, areas>",
    about: "leave these out",
    fallbackText: "none",
    example: ["AUTH-11"],
  }),
  shard: option({
    group: "Selection",
    kind: shard,
    value: "<i/n>",
    about: "ask the i-th of n parts of the selection; fxconform merge joins the reports",
    example: { index: 1, count: 3 },
  }),
  seed: option({
    group: "RunSettings",
    kind: wholeNumber({ min: 0, max: 2 ** 31 - 1 }),
    value: "<n>",
    about: "what random samples follow from",
    fallbackText: "random",
    example: 1147,
  }),
  runs: option({
    group: "RunSettings",
    kind: wholeNumber({ min: 1, max: 10_000 }),
    value: "<n>",
    about: "samples of each property",
    fallback: 25,
  }),
  concurrency: option({
    group: "RunSettings",
    kind: wholeNumber({ min: 1, max: 256 }),
    value: "<n>",
    about: "most requests in flight",
    fallback: 8,
  }),
  rate: option({
    group: "RunSettings",
    kind: number({ min: 0.1, max: 10_000 }),
    value: "<n>",
    about: "most requests a second",
    fallbackText: "no bound",
    example: 10,
  }),
  timeout: option({
    group: "RunSettings",
    kind: duration({ min: 1, max: 10 * minutes }),
    value: "<duration>",
    about: "for each request",
    fallback: 10_000,
  }),
  grace: option({
    group: "RunSettings",
    kind: duration({ min: 0, max: 10 * minutes }),
    value: "<duration>",
    about: "for what was created to become visible",
    fallback: 5_000,
  }),
  maxBody: option({
    group: "RunSettings",
    kind: size({ min: 2 ** 10, max: 2 ** 30 }),
    value: "<size>",
    about: "largest answer after decoding",
    fallback: 128 * 2 ** 20,
  }),
  strict: option({
    group: "Gate",
    kind: yesNo,
    about: "warnings and inconclusive requirements fail the gate",
    fallback: false,
  }),
  statement: option({
    group: "Gate",
    kind: text,
    value: "<file>",
    about: "pinned answers to open questions; fxconform pin writes one",
    path: true,
    example: "./fxconform.statement.yaml",
  }),
  baseline: option({
    group: "Gate",
    kind: text,
    value: "<file>",
    about: "known failures, each with requirement, reason and expires; one that passes fails the gate",
    path: true,
    example: "./fxconform.baseline.yaml",
  }),
  reportDir: option({
    group: "Reports",
    kind: text,
    value: "<folder>",
    about: "where the reports are written",
    fallback: "fxconform-report",
    path: true,
  }),
  reports: option({
    group: "Reports",
    kind: choices(reportNames),
    value: "<names>",
    about: `which of ${reportNames.join(",")}`,
    fallback: reportNames,
    fallbackText: "all",
  }),
  ca: option({
    group: "TLS",
    kind: text,
    value: "<file>",
    about: "PEM certificates to trust besides the system's",
    path: true,
    example: "./ca.pem",
  }),
  insecure: option({
    group: "TLS",
    kind: yesNo,
    about: "do not verify the server's certificate",
    fallback: false,
  }),
  allowHttp: option({
    group: "TLS",
    kind: yesNo,
    about: "let key and token go out in clear to other hosts than loopback",
    fallback: false,
  }),
} as const;

/** The name of an option, as the key of the configuration file is spelt. */
export type OptionName = keyof typeof options;

/** The names in the order of the table. */
export const optionNames = Object.keys(options) as readonly OptionName[];

/** What an option's value is. */
export type ValueOf<N extends OptionName> = (typeof options)[N] extends Option<infer T> ? T : never;

/** The row of an option, its type of value forgotten. */
export const optionOf = (name: OptionName): Option<unknown> => options[name] as Option<unknown>;

/** `baseUrl` → `--base-url`. */
export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** `baseUrl` → `FXCONFORM_BASE_URL`. */
export const variableOf = (name: string): string =>
  `FXCONFORM_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
