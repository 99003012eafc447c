import { leastResponses, statistics } from "../../model/budgets.ts";
import { reportNames } from "../../reports/names.ts";
import { amount } from "./kinds/amount.ts";
import { baseUrl } from "./kinds/base-url.ts";
import { batchMembers } from "./kinds/batch-members.ts";
import { choice, choices } from "./kinds/choice.ts";
import { count } from "./kinds/count.ts";
import { duration } from "./kinds/duration.ts";
import type { Kind } from "./kinds/kind.ts";
import { headers } from "./kinds/headers.ts";
import { latencyBudgets } from "./kinds/latency-budgets.ts";
import { list, paths } from "./kinds/list.ts";
import { number, wholeNumber } from "./kinds/number.ts";
import { proxy } from "./kinds/proxy.ts";
import { size } from "./kinds/size.ts";
import { text } from "./kinds/text.ts";
import { yesNo } from "./kinds/yes-no.ts";

/** One option: its flag, its variable and its key in the configuration file share one name in three spellings. */
export interface Option<T, C extends boolean = boolean> {
  readonly group:
    "Traffic" | "Target" | "Selection" | "Run settings" | "Development" | "Gate" | "Reports" | "Network" | "TLS";
  /** The flag, if it differs from the name. */
  readonly flag?: `--${string}`;
  readonly kind: Kind<T>;
  /** The placeholder of the value in the help; absent for a switch. */
  readonly value?: string;
  readonly about: string;
  /** The value if none is given. */
  readonly fallback?: T;
  /** Describes the default if it is not a plain value. */
  readonly fallbackText?: string;
  /** An example value, if there is no default. */
  readonly example?: T;
  /** The value is a path; in the configuration file it is relative to that file. */
  readonly path?: true;
  /** The value is never shown. */
  readonly secret?: true;
  /** Says how to reach the target, like all of Network and TLS: `demo` sets it, because it starts its own server. */
  readonly access?: true;
  /** Not an option of the library: it is about the console, the configuration file or a command other than `run`. */
  readonly commandLineOnly?: C;
}

const option = <T, const C extends boolean = false>(row: Option<T, C>): Option<T, C> => row;

/** Members of an option that its row adds to what its builder sets. */
type More<T, C extends boolean> = Pick<Option<T, C>, "access" | "commandLineOnly">;

/** A switch that is off unless it is given. */
const onOff = <const C extends boolean = false>(
  group: Option<boolean>["group"],
  about: string,
  more?: More<boolean, C>,
) => option<boolean, C>({ group, kind: yesNo, about, fallback: false, ...more });

/** The path of a file that is read. */
const file = <const C extends boolean = false>(
  group: Option<string>["group"],
  about: string,
  example: string,
  more?: More<string, C>,
) => option<string, C>({ group, kind: text, value: "<file>", about, path: true, example, ...more });

const commandLine = { commandLineOnly: true } as const;

/** Profiles by name. */
export const profiles = ["smoke", "full"] as const;

/** The baseline that `--update-baseline` writes if none is named. */
export const baselineFileName = "fxconform.baseline.yaml";

const minutes = 60_000;

/** Every option of `run`. Flags, variables, keys of the file, help, defaults and the file's schema follow from it. */
export const options = {
  baseUrl: option({
    group: "Target",
    kind: baseUrl,
    value: "<url>",
    about: "address of the target; a base path is kept",
    example: "https://localhost:4010",
    access: true,
  }),
  apiKey: option({
    group: "Target",
    kind: text,
    value: "<key>",
    about: "API key; better given as FXCONFORM_API_KEY or by --api-key-file",
    secret: true,
    example: "secret",
    access: true,
  }),
  apiKeyFile: file("Target", "file that holds the API key and nothing else", "./api-key.txt", { access: true }),
  customerId: option({
    group: "Target",
    kind: text,
    value: "<id>",
    about: "customer to register counterparties under; profile full needs it",
    example: "customer-1",
    access: true,
  }),
  currencyPairs: option({
    group: "Target",
    kind: list({
      wanted: "a list of currency pairs such as USDBRL,EURBRL",
      pattern: "^[A-Z]{6,10}$",
      advice: (pair) => {
        const letters = pair.replace(/[^a-z]/gi, "").toUpperCase();
        return letters.length < 6 ? "Name both currencies, as in USDBRL." : `Write ${letters}.`;
      },
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
      advice: () => "EFX is always used; take it out.",
      mayBeEmpty: true,
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
  batchMembers: option({
    group: "Target",
    kind: batchMembers,
    value: "<json>",
    about: "further members of POST /batches; {operation_id} stands for a new operation of the pair",
    fallbackText: "none",
    example: { operation_ids: ["{operation_id}"] },
  }),
  profile: option<(typeof profiles)[number]>({
    group: "Selection",
    kind: choice(profiles),
    value: "<smoke|full>",
    about: "smoke creates nothing and sends only POST /auth/token and GET /batches",
    fallbackText: "full on a loopback address; otherwise it must be given",
    example: "smoke",
  }),
  only: option({
    group: "Selection",
    kind: list({ wanted: "a list of requirement ids and areas", pattern: "\\S" }),
    value: "<ids, areas>",
    about: "check only these requirements or areas, such as OPER-02,auth",
    fallbackText: "all",
    example: ["OPER-02", "auth"],
  }),
  exclude: option({
    group: "Selection",
    kind: list({ wanted: "a list of requirement ids and areas", pattern: "\\S" }),
    value: "<ids, areas>",
    about: "skip these requirements or areas",
    fallbackText: "none",
    example: ["AUTH-11"],
  }),
  seed: option({
    group: "Run settings",
    kind: wholeNumber({ min: 0, max: 2 ** 31 - 1 }),
    value: "<n>",
    about: "seed of the random samples",
    fallbackText: "random",
    example: 1147,
  }),
  runs: option({
    group: "Run settings",
    kind: wholeNumber({ min: 1, max: 1_000_000 }),
    value: "<n>",
    about: "samples of each property, and how much is drawn from each pool of values: 1000 draws everything",
    fallback: 25,
  }),
  concurrency: option({
    group: "Run settings",
    kind: wholeNumber({ min: 1, max: 256 }),
    value: "<n>",
    about: "maximum number of requests in flight",
    fallback: 8,
  }),
  rate: option({
    group: "Run settings",
    kind: number({ min: 0.1, max: 10_000 }),
    value: "<n>",
    about: "maximum number of requests per second",
    fallbackText: "unlimited",
    example: 10,
  }),
  maxBadCredentials: option({
    group: "Run settings",
    kind: wholeNumber({ min: 0, max: 10_000 }),
    value: "<n>",
    about: "maximum number of requests with a bad key or token; what then cannot be checked is inconclusive",
    fallbackText: "unlimited",
    example: 0,
  }),
  timeout: option({
    group: "Run settings",
    kind: duration({ min: 1, max: 10 * minutes }),
    value: "<duration>",
    about: "time-out of each request",
    fallback: 10_000,
  }),
  grace: option({
    group: "Run settings",
    kind: duration({ min: 0, max: 10 * minutes }),
    value: "<duration>",
    about: "time that a created resource may take to become visible",
    fallback: 5_000,
  }),
  maxBody: option({
    group: "Run settings",
    kind: size({ min: 2 ** 10, max: 2 ** 30 }),
    value: "<size>",
    about: "maximum size of a response body after decoding",
    fallback: 128 * 2 ** 20,
  }),
  bail: option({
    group: "Run settings",
    kind: count({ min: 1, max: 1_000 }),
    value: "[n]",
    about: "stop at the n-th failed requirement, without a number at the first; tolerated failures do not count",
    fallbackText: "check everything",
    example: 1,
  }),
  watch: onOff(
    "Development",
    "stay, and run again when the server was restarted: what failed comes first",
    commandLine,
  ),
  watchFiles: option({
    group: "Development",
    kind: paths,
    value: "<paths>",
    about: "with --watch, run again also when one of these files, or a file in one of these folders, changes",
    fallbackText: "none",
    example: ["./src"],
    path: true,
    commandLineOnly: true,
  }),
  ui: onOff("Development", "serve a page that follows the run on a loopback address; stays until Ctrl-C", commandLine),
  strict: onOff("Gate", "fail the gate for warnings and inconclusive requirements too"),
  statement: file("Gate", "pinned answers to open questions; fxconform pin writes one", "./fxconform.statement.yaml"),
  baseline: file(
    "Gate",
    "known failures, each with requirement, reason and expires; one that passes fails the gate",
    `./${baselineFileName}`,
  ),
  maxLatency: option({
    group: "Gate",
    kind: latencyBudgets,
    value: "<budgets>",
    about: `how slow operations may be, such as "listBatches p95=300ms": ${statistics.join(", ")} of at least ${leastResponses} responses`,
    fallbackText: "none",
    example: [{ operation: "listBatches", statistic: "p95", milliseconds: 300 }],
  }),
  updateBaseline: onOff(
    "Gate",
    `after a full run, write its failures to the baseline (--baseline, or ${baselineFileName})`,
    commandLine,
  ),
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
  record: option({
    group: "Reports",
    kind: text,
    value: "<file.har>",
    about: "write every exchange to a HAR file, with secrets as numbered pseudonyms; fxconform judge reads it",
    path: true,
    example: "./run.har",
    commandLineOnly: true,
  }),
  color: option({
    group: "Reports",
    kind: yesNo,
    about: "colour the result on the console; NO_COLOR and FORCE_COLOR apply if this is not given",
    fallbackText: "on a terminal",
    example: true,
    commandLineOnly: true,
  }),
  quiet: onOff("Reports", "print nothing but the last line of the result", commandLine),
  json: onOff("Reports", "print nothing but a summary of the result, as one line of JSON", commandLine),
  headers: option({
    group: "Network",
    flag: "--header",
    kind: headers,
    value: "<name: value>",
    about: "header for a gateway before the target, sent with every request; the value may be env:NAME or file:path",
    fallbackText: "none",
    example: [{ name: "X-Gateway-Key", value: "env:GATEWAY_KEY" }],
    secret: true,
  }),
  publicHeaders: option({
    group: "Network",
    kind: list({ wanted: "a list of header names", pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", mayBeEmpty: true }),
    value: "<names>",
    about: "headers of --header whose values may be shown; all others are secrets",
    fallbackText: "none",
    example: ["X-Tenant"],
  }),
  keepValues: onOff(
    "Traffic",
    "show names, addresses, account numbers, tax ids and merchants of the traffic as they are",
    commandLine,
  ),
  secretHeaders: option({
    group: "Traffic",
    kind: list({ wanted: "a list of header names", pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }),
    value: "<names>",
    about: "further headers whose values are secrets; authorization, keys and cookies always are",
    flag: "--secret-header",
    fallbackText: "none",
    example: ["x-session"],
    commandLineOnly: true,
  }),
  proxy: option({
    group: "Network",
    kind: proxy,
    value: "<url>",
    about: "HTTP proxy to the target, also for loopback addresses; may contain user:password@",
    fallbackText: "HTTPS_PROXY or HTTP_PROXY, unless the address is loopback or NO_PROXY names it",
    example: "http://proxy.example.com:3128",
    secret: true,
  }),
  ca: file("TLS", "PEM certificates to trust in addition to those of the system", "./ca.pem"),
  cert: file("TLS", "PEM client certificate, with those that lead to its authority", "./client.pem"),
  key: file("TLS", "PEM private key of --cert, if that file does not contain it", "./client.key"),
  passphraseFile: file("TLS", "file that holds the passphrase of --key and nothing else", "./passphrase.txt"),
  insecure: onOff("TLS", "do not verify the server's certificate"),
  allowHttp: onOff("TLS", "send key and token unencrypted to a host that is not loopback"),
} as const;

/** The name of an option, as the key of the configuration file is spelt. */
export type OptionName = keyof typeof options;

/** The names in the order of the table. */
export const optionNames = Object.keys(options) as readonly OptionName[];

/** The type of an option's value. */
export type ValueOf<N extends OptionName> = (typeof options)[N] extends Option<infer T> ? T : never;

/** The name of an option that the library does not have. */
export type CommandLineName = {
  [N in OptionName]: (typeof options)[N] extends { readonly commandLineOnly?: true } ? N : never;
}[OptionName];

/** The row of an option, its type of value forgotten. */
export const optionOf = (name: OptionName): Option<unknown> => options[name] as Option<unknown>;

/** The options that `init` writes into the file. */
export const initialOptions = ["baseUrl", "customerId", "currencyPairs"] as const satisfies readonly OptionName[];

/** What the user demands of a run. */
export const gateOptions: readonly OptionName[] = optionNames.filter(
  (name) => optionOf(name).group === "Gate" && name !== "updateBaseline",
);

/** The options that say how to reach the target. */
export const accessOptions: readonly OptionName[] = optionNames.filter((name) => {
  const { access, group } = optionOf(name);
  return access === true || group === "Network" || group === "TLS";
});

/** `baseUrl` → `--base-url`. */
export const flagOf = (name: string): string =>
  (name in options ? optionOf(name as OptionName).flag : undefined) ??
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The name under which the command line has the flag of an option: `headers` → `header`. */
export const flagWordOf = (name: OptionName): string =>
  flagOf(name)
    .slice(2)
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `strict` → `--no-strict`. */
export const offFlagOf = (name: string): string => flagOf(name).replace("--", "--no-");

/** `baseUrl` → `FXCONFORM_BASE_URL`. */
export const variableOf = (name: string): string =>
  `FXCONFORM_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
