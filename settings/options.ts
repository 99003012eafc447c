import { leastResponses, statistics } from "../model/gate.ts";
import { reportNames } from "../model/run-options.ts";
import { baseUrl, latencyBudgets, proxy, batchMembers } from "./kinds/structured.ts";
import { amount, count, duration, number, size, wholeNumber } from "./kinds/number.ts";
import { headers, choice, choices, headerNames, list, onOff, paths, text } from "./kinds/words.ts";
import type { Kind } from "./kinds/kind.ts";

/** One option: its flag, its variable and its key in the configuration file share one name in three spellings. */
export interface Option<T, I = unknown> extends More {
  readonly kind: Kind<T, I>;
  /** The placeholder of the value in the help; absent for a switch. */
  readonly value: string | undefined;
  readonly about: string;
}

interface More {
  /** The value if none is given, as the file would hold it. */
  readonly fallback?: boolean | number | string | readonly string[];
  /** Describes the default if it is not a plain value. @defaultValue the value, or none */
  readonly fallbackText?: string;
  /** The flag, if it differs from the name. */
  readonly flag?: `--${string}`;
  /** The value is a path; in the configuration file it is relative to that file. */
  readonly path?: true;
  /** The value is never shown. */
  readonly secret?: true;
}

const option = <T, I>(kind: Kind<T, I>, value: string | undefined, about: string, more?: More): Option<T, I> => ({
  kind,
  value,
  about,
  ...more,
});

const off = (about: string) => option(onOff, undefined, about, { fallback: false });

const file = (about: string) => option(text, "<file>", about, { path: true });

const names = list({ wanted: "a list of requirement ids and areas", pattern: /\S/ });

/** The baseline that `--update-baseline` writes if none is named. */
export const baselineFileName = "fxconform.baseline.yaml";

const groups = {
  Target: {
    baseUrl: option(baseUrl, "<url>", "address of the target; a base path is kept"),
    apiKey: option(text, "<key>", "API key; better given as FXCONFORM_API_KEY or by --api-key-file", {
      secret: true,
    }),
    apiKeyFile: file("file that holds the API key and nothing else"),
    customerId: option(text, "<id>", "customer to register counterparties under; profile full needs it"),
    currencyPairs: option(
      list({
        wanted: "a list of currency pairs such as USDBRL,EURBRL",
        pattern: /^[A-Z]{6,10}$/,
        advice: (pair) => {
          const letters = pair.replace(/[^a-z]/gi, "").toUpperCase();
          return letters.length < 6 ? "Name both currencies, as in USDBRL." : `Write ${letters}.`;
        },
      }),
      "<pairs>",
      "currency pairs that work there",
      { fallback: ["USDBRL"] },
    ),
    otherPurposes: option(
      list({
        wanted: "a list of purposes other than EFX, such as IMPORT,EXPORT",
        pattern: /^(?!EFX$)\S(.*\S)?$/,
        advice: () => "EFX is always used; take it out.",
        mayBeEmpty: true,
      }),
      "<purposes>",
      "purposes besides EFX that work there",
      { fallbackText: "none known" },
    ),
    amount: option(amount, "<min..max:decimals>", "valid amounts", { fallback: "10..1000:2" }),
    batchMembers: option(
      batchMembers,
      "<json>",
      "further members of POST /batches; {operation_id} stands for a new operation of the pair",
    ),
  },
  Selection: {
    profile: option(
      choice(["smoke", "full"]),
      "<smoke|full>",
      "smoke creates nothing and sends only POST /auth/token and GET /batches",
      { fallbackText: "full on a loopback address; otherwise it must be given" },
    ),
    only: option(names, "<ids, areas>", "check only these requirements or areas, such as OPER-02,auth", {
      fallbackText: "all",
    }),
    exclude: option(names, "<ids, areas>", "skip these requirements or areas"),
  },
  "Run settings": {
    seed: option(wholeNumber(0, 2 ** 31 - 1), "<n>", "seed of the random samples", {
      fallbackText: "random",
    }),
    runs: option(
      wholeNumber(1, 1_000_000),
      "<n>",
      "samples of each property, and how much is drawn from each pool of values: 1000 draws everything",
      { fallback: 25 },
    ),
    concurrency: option(wholeNumber(1, 256), "<n>", "maximum number of requests in flight", {
      fallback: 8,
    }),
    rate: option(number(0.1, 10_000), "<n>", "maximum number of requests per second", {
      fallbackText: "unlimited",
    }),
    maxBadCredentials: option(
      wholeNumber(0, 10_000),
      "<n>",
      "maximum number of requests with a bad key or token; what then cannot be checked is inconclusive",
      { fallbackText: "unlimited" },
    ),
    timeout: option(duration("1ms", "10m"), "<duration>", "time-out of each request", { fallback: "10s" }),
    grace: option(duration("0ms", "10m"), "<duration>", "time that a created resource may take to become visible", {
      fallback: "5s",
    }),
    maxBody: option(size("1KiB", "1GiB"), "<size>", "maximum size of a response body after decoding", {
      fallback: "128MiB",
    }),
    bail: option(
      count(1, 1_000),
      "[n]",
      "stop at the n-th failed requirement, without a number at the first; tolerated failures do not count",
      { fallbackText: "check everything" },
    ),
  },
  Development: {
    watch: off("stay, and run again when the server was restarted: what failed comes first"),
    watchFiles: option(
      paths,
      "<paths>",
      "with --watch, run again also when one of these files, or a file in one of these folders, changes",
      { path: true },
    ),
    ui: off("serve a page that follows the run on a loopback address; stays until Ctrl-C"),
  },
  Gate: {
    strict: off("fail the gate for warnings and inconclusive requirements too"),
    statement: file("pinned answers to open questions; fxconform pin writes one"),
    baseline: file("known failures, each with requirement, reason and expires; one that passes fails the gate"),
    maxLatency: option(
      latencyBudgets,
      "<budgets>",
      `how slow operations may be, such as "listBatches p95=300ms": ${statistics.join(", ")} of at least ${leastResponses} responses`,
    ),
    updateBaseline: off(`after a full run, write its failures to the baseline (--baseline, or ${baselineFileName})`),
  },
  Reports: {
    reportDir: option(text, "<folder>", "where the reports are written", { fallback: "fxconform-report", path: true }),
    reports: option(choices(reportNames), "<names>", `which of ${reportNames.join(",")}`, {
      fallback: reportNames,
      fallbackText: "all",
    }),
    record: option(
      text,
      "<file.har>",
      "write every exchange to a HAR file, with secrets as numbered pseudonyms; fxconform judge reads it",
      { path: true },
    ),
    color: option(
      onOff,
      undefined,
      "colour the result on the console; NO_COLOR and FORCE_COLOR apply if this is not given",
      { fallbackText: "on a terminal" },
    ),
    quiet: off("print the result in one line, and nothing else"),
    verbose: off("print curl commands, more findings of each failure and each step before the run"),
    json: off("print nothing but a summary of the result, as one line of JSON"),
  },
  Network: {
    headers: option(
      headers,
      "<name: value>",
      "header for a gateway before the target, sent with every request; the value may be env:NAME or file:path",
      { flag: "--header", secret: true },
    ),
    publicHeaders: option(
      headerNames,
      "<names>",
      "headers of --header whose values may be shown; all others are secrets",
    ),
    proxy: option(proxy, "<url>", "HTTP proxy to the target, also for loopback addresses; may contain user:password@", {
      fallbackText: "HTTPS_PROXY or HTTP_PROXY, unless the address is loopback or NO_PROXY names it",
      secret: true,
    }),
  },
  Traffic: {
    keepValues: off("show names, addresses, account numbers, tax ids and merchants of the traffic as they are"),
    secretHeaders: option(
      headerNames,
      "<names>",
      "further headers whose values are secrets; authorization, keys and cookies always are",
      { flag: "--secret-header" },
    ),
  },
  TLS: {
    ca: file("PEM certificates to trust in addition to those of the system"),
    cert: file("PEM client certificate, with those that lead to its authority"),
    key: file("PEM private key of --cert, if that file does not contain it"),
    passphraseFile: file("file that holds the passphrase of --key and nothing else"),
    insecure: off("do not verify the server's certificate"),
    allowHttp: off("send key and token unencrypted to a host that is not loopback"),
  },
} as const;

/** Every option by its name. Flags, variables, keys of the file, help, defaults and the file's schema follow from it. */
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

export type ValueOf<N extends OptionName> = (typeof options)[N] extends Option<infer T> ? T : never;

/** What the configuration file may hold for an option, and a program may give. */
export type InputOf<N extends OptionName> = (typeof options)[N] extends Option<unknown, infer I> ? I : never;

/** Not options of the library: they are about the console, the configuration file or a command other than `run`. */
export const commandLineNames = [
  ...(["watch", "watchFiles", "ui", "updateBaseline", "record", "color", "quiet", "verbose", "json"] as const),
  ...(["keepValues", "secretHeaders"] as const),
] satisfies readonly OptionName[];

export type CommandLineName = (typeof commandLineNames)[number];

/** The row of an option, its type of value forgotten. */
export const optionOf = (name: OptionName): Option<unknown> => options[name];

export const groupOf = (name: OptionName): keyof typeof groups =>
  (Object.keys(groups) as (keyof typeof groups)[]).find((group) => Object.hasOwn(groups[group], name)) ?? "Target";

export const optionsIn = (...wanted: readonly (keyof typeof groups)[]): readonly OptionName[] =>
  optionNames.filter((name) => wanted.includes(groupOf(name)));

/** The options that `init` writes into the file. */
export const initialOptions = ["baseUrl", "customerId", "currencyPairs"] as const satisfies readonly OptionName[];

export const gateOptions: readonly OptionName[] = optionsIn("Gate").filter((name) => name !== "updateBaseline");

/** The options that say how to reach the target: `demo` sets them, because it starts its own server. */
export const accessOptions: readonly OptionName[] = [
  ...(["baseUrl", "apiKey", "apiKeyFile", "customerId"] as const),
  ...optionsIn("Network", "TLS"),
];

/** The options that a replay takes from its user. The report adds seed, samples, and what it checks. */
export const replayOptions: readonly OptionName[] = [
  ...optionsIn("Target", "Network", "TLS"),
  ...(["profile", "concurrency", "rate", "maxBadCredentials", "timeout", "grace", "maxBody"] as const),
];

export const runOptions: readonly OptionName[] = optionNames.filter((name) => groupOf(name) !== "Traffic");

export const judgeOptions: readonly OptionName[] = optionNames.filter(
  (name) =>
    gateOptions.includes(name) ||
    groupOf(name) === "Traffic" ||
    ["baseUrl", "only", "exclude", "color", "quiet", "verbose", "json", "reportDir", "reports"].includes(name),
);

/** `contract` sends nothing, so nothing takes time. */
export const contractOptions: readonly OptionName[] = judgeOptions.filter(
  (name) => groupOf(name) !== "Traffic" && name !== "baseUrl" && name !== "maxLatency",
);

/** The default of an option in words, as the help and the docs show it; undefined if there is none. */
export const defaultText = ({ fallback, fallbackText }: Option<unknown>): string | undefined =>
  fallbackText ?? (fallback === undefined || fallback === false ? undefined : [fallback].flat().join(","));

/** `baseUrl` → `--base-url`. */
export const flagOf = (name: string): string =>
  (Object.hasOwn(options, name) ? optionOf(name as OptionName).flag : undefined) ??
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
