import { leastResponses, reportNames, statistics } from "../model/run-options.ts";
import { defaultRuns } from "../model/target.ts";
import { amount, duration, number, size, wholeNumber } from "./kinds/number.ts";
import { baseUrl, batchMembers, latencyBudgets, proxy } from "./kinds/structured.ts";
import { choice, choices, headerNames, headers, list, onOff, text } from "./kinds/words.ts";
import type { AmountRange } from "../spec/amount-range.ts";
import type { Kind } from "./kinds/kind.ts";

/**
 * An option. Its flag, its variable and its key in the configuration file are three spellings of
 * one name.
 */
export interface Option {
  readonly kind: Kind<unknown>;
  /** The placeholder for the value in the help. Absent for a switch. */
  readonly value?: string;
  readonly about: string;
  /** The default value, as the configuration file would hold it. */
  readonly fallback?: boolean | number | string | readonly string[] | AmountRange;
  /**
   * Describes the default in words, which a default that is an object needs. @defaultValue the
   * value, or none
   */
  readonly fallbackText?: string;
  /** The flag, if it is spelt differently from the name. */
  readonly flag?: `--${string}`;
  /** The value is a path. In the configuration file, the path is relative to that file. */
  readonly isPath?: true;
  /** The value is secret and never shown. */
  readonly isSecret?: true;
}

/** The baseline that `--update-baseline` writes if the user names none. */
export const baselineFileName = "fxconform.baseline.yaml";

const names = list({ wanted: "a list of requirement ids and areas", pattern: /\S/ });

/** The table of options: its rows, in the groups that the help shows. */
export const groups = {
  Target: {
    baseUrl: {
      kind: baseUrl,
      value: "<url>",
      about: "address of the target; a base path is kept",
    },
    apiKey: {
      kind: text,
      value: "<key>",
      about: "API key; better given as FXCONFORM_API_KEY or by --api-key-file",
      isSecret: true,
    },
    apiKeyFile: path("file that holds the API key and nothing else"),
    customerId: {
      kind: text,
      value: "<id>",
      about: "customer to register counterparties under; profile full needs it",
    },
    currencyPairs: {
      kind: list({
        wanted: "a list of currency pairs such as USDBRL,EURBRL",
        pattern: /^[A-Z]{6,10}$/,
        advice: pairAdvice,
      }),
      value: "<pairs>",
      about: "currency pairs that work there",
      fallback: ["USDBRL"],
    },
    otherPurposes: {
      kind: list({
        wanted: "a list of purposes other than EFX, such as IMPORT,EXPORT",
        pattern: /^(?!EFX$)\S(.*\S)?$/,
        advice: () => "EFX is always used; take it out.",
        mayBeEmpty: true,
      }),
      value: "<purposes>",
      about: "purposes besides EFX that work there",
      fallbackText: "none known",
    },
    amount: {
      kind: amount,
      value: "<min..max:decimals>",
      about: "valid amounts; in the file { min, max, decimals }",
      fallback: { min: 10, max: 1000, decimals: 2 },
      fallbackText: "10..1000:2",
    },
    batchMembers: {
      kind: batchMembers,
      value: "<json>",
      about:
        "further members of POST /batches; {operation_id} stands for a new operation of the pair",
    },
  },
  Selection: {
    profile: {
      kind: choice(["smoke", "full"]),
      value: "<smoke|full>",
      about: "smoke creates nothing and sends only POST /auth/token and GET /batches",
      fallbackText: "full on a loopback address; otherwise it must be given",
    },
    only: {
      kind: names,
      value: "<ids, areas>",
      about: "check only these requirements or areas, such as OPER-02,auth",
      fallbackText: "all",
    },
    exclude: {
      kind: names,
      value: "<ids, areas>",
      about: "skip these requirements or areas",
    },
  },
  "Run settings": {
    seed: {
      kind: wholeNumber(0, 2 ** 31 - 1),
      value: "<n>",
      about: "seed of the random samples",
      fallbackText: "random",
    },
    runs: {
      kind: wholeNumber(1, 1_000_000),
      value: "<n>",
      about:
        "samples of each property; above the default, the run also waits until what it created is old",
      fallback: defaultRuns,
    },
    concurrency: {
      kind: wholeNumber(1, 256),
      value: "<n>",
      about: "maximum number of requests in flight",
      fallback: 8,
    },
    rate: {
      kind: number(0.1, 10_000),
      value: "<n>",
      about: "maximum number of requests per second",
      fallbackText: "unlimited",
    },
    maxBadCredentials: {
      kind: wholeNumber(0, 10_000),
      value: "<n>",
      about:
        "maximum number of requests with a bad key or token; what then cannot be checked is inconclusive",
      fallbackText: "unlimited",
    },
    timeout: {
      kind: duration("1ms", "10m"),
      value: "<duration>",
      about: "time-out of each request",
      fallback: "10s",
    },
    maxTime: {
      kind: duration("10s", "1440m"),
      value: "<duration>",
      about: "when the run has ended at the latest; what it did not judge by then is inconclusive",
      fallbackText: "computed from the other options, and printed when the run starts",
    },
    grace: {
      kind: duration("0ms", "10m"),
      value: "<duration>",
      about: "time that a created resource may take to become visible",
      fallback: "5s",
    },
    maxBody: {
      kind: size("1KiB", "1GiB"),
      value: "<size>",
      about: "maximum size of a response body after decoding",
      fallback: "32MiB",
    },
  },
  Development: {
    watch: onOrOff("stay, and run again when the server was restarted"),
  },
  Gate: {
    strict: onOrOff("fail the gate for warnings and inconclusive requirements too"),
    complete: onOrOff(
      "fail the gate if a selection or a limit, and not only the profile, leaves requirements out",
    ),
    statement: path("pinned answers to open questions; fxconform pin writes one"),
    baseline: path(
      "known failures, each with requirement, reason and expires; one that passes fails the gate",
    ),
    maxLatency: {
      kind: latencyBudgets,
      value: "<budgets>",
      about: `how slow operations may be, such as "listBatches p95=300ms": ${statistics.join(", ")} of at least ${leastResponses} responses`,
    },
    updateBaseline: onOrOff(
      `write the failures of the run to the baseline (--baseline, or ${baselineFileName})`,
    ),
  },
  Reports: {
    reportDir: {
      kind: text,
      value: "<folder>",
      about: "where the reports are written",
      fallback: "fxconform-report",
      isPath: true,
    },
    reports: {
      kind: choices(reportNames),
      value: "<names>",
      about: `which of ${reportNames.join(",")}`,
      fallback: ["json", "junit", "html"],
    },
    record: path(
      "write every exchange to a HAR file, with secrets as numbered pseudonyms; fxconform judge reads it",
      "<file.har>",
    ),
    color: {
      kind: onOff,
      about:
        "colour the result on the console; NO_COLOR and FORCE_COLOR apply if this is not given",
      fallbackText: "on a terminal",
    },
    quiet: onOrOff("print the result in one line, and nothing else"),
    verbose: onOrOff("print curl commands, each step before the run, and what it covered"),
    json: onOrOff("print nothing but a summary of the result, as one line of JSON"),
  },
  Network: {
    headers: {
      kind: headers,
      value: "<name: value>",
      about:
        "header for a gateway before the target, sent with every request; the value may be env:NAME or file:path",
      flag: "--header",
      isSecret: true,
    },
    proxy: {
      kind: proxy,
      value: "<url>",
      about: "HTTP proxy to the target, also for loopback addresses; may contain user:password@",
      fallbackText:
        "the first that is set of https_proxy and HTTPS_PROXY (for an http: address http_proxy and HTTP_PROXY), all_proxy and ALL_PROXY, unless the address is loopback, or no_proxy or else NO_PROXY names it",
      isSecret: true,
    },
  },
  Traffic: {
    keepValues: onOrOff(
      "show names, addresses, account numbers, tax ids and merchants of the traffic as they are",
    ),
    secretHeaders: {
      kind: headerNames,
      value: "<names>",
      about: "further headers whose values are secrets; authorization, keys and cookies always are",
      flag: "--secret-header",
    },
  },
  TLS: {
    ca: path("PEM certificates of authorities to trust in addition to those of the system"),
    cert: path("PEM client certificate, with those that lead to its authority"),
    key: path("PEM private key of --cert, if that file does not contain it"),
    insecure: onOrOff("do not verify the server's certificate"),
    allowHttp: onOrOff("send key and token unencrypted to a host that is not loopback"),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Option>>>>;

/** A row for a switch that is off by default. */
function onOrOff(about: string) {
  return { kind: onOff, about, fallback: false } as const;
}

/** A row for the path of a file. */
function path(about: string, value = "<file>") {
  return { kind: text, value, about, isPath: true } as const;
}

function pairAdvice(pair: string): string {
  const letters = pair.replace(/[^a-z]/gi, "").toUpperCase();
  return letters.length < 6 || letters.length > 10
    ? "Name both currencies, as in USDBRL."
    : `Write ${letters}.`;
}
