import { leastResponses, reportNames, statistics } from "../model/run-options.ts";
import { defaultRuns } from "../model/target.ts";
import { amount, duration, number, size, wholeNumber } from "./kinds/number.ts";
import { baseUrl, batchMembers, latencyBudgets, proxy } from "./kinds/structured.ts";
import { choice, choices, headerNames, headers, list, onOff, text } from "./kinds/words.ts";
import { option, type Option, type Sets } from "./option.ts";

/** The baseline that `--update-baseline` writes if the user names none. */
export const baselineFileName = "fxconform.baseline.yaml";

const names = list({ wanted: "a list of requirement ids and areas", pattern: /\S/ });

/** The table of options: its rows, in the groups that the help shows. */
export const groups = {
  Target: {
    baseUrl: option({
      kind: baseUrl,
      value: "<url>",
      about: "address of the target; a base path is kept",
      sets: { by: "settings/target.ts" },
    }),
    apiKey: option({
      kind: text,
      value: "<key>",
      about: "API key; better given as FXCONFORM_API_KEY or by --api-key-file",
      isSecret: true,
      sets: { by: "settings/key-and-headers.ts" },
    }),
    apiKeyFile: option({
      kind: text,
      value: "<file>",
      about: "file that holds the API key and nothing else",
      isPath: true,
      sets: { by: "settings/key-and-headers.ts" },
    }),
    customerId: option({
      kind: text,
      value: "<id>",
      about: "customer to register counterparties under; profile full needs it",
      sets: { in: "target", member: "customerId" },
    }),
    currencyPairs: option({
      kind: list({
        wanted: "a list of currency pairs such as USDBRL,EURBRL",
        pattern: /^[A-Z]{6,10}$/,
        advice: pairAdvice,
      }),
      value: "<pairs>",
      about: "currency pairs that work there",
      fallback: ["USDBRL"],
      sets: { in: "target", member: "currencyPairs" },
    }),
    otherPurposes: option({
      kind: list({
        wanted: "a list of purposes other than EFX, such as IMPORT,EXPORT",
        pattern: /^(?!EFX$)\S(.*\S)?$/,
        advice: () => "EFX is always used; take it out.",
        mayBeEmpty: true,
      }),
      value: "<purposes>",
      about: "purposes besides EFX that work there",
      fallbackText: "none known",
      sets: { in: "target", member: "otherPurposes" },
    }),
    amount: option({
      kind: amount,
      value: "<min..max:decimals>",
      about: "valid amounts; in the file { min, max, decimals }",
      fallback: { min: 10, max: 1000, decimals: 2 },
      fallbackText: "10..1000:2",
      sets: { in: "target", member: "amount" },
    }),
    batchMembers: option({
      kind: batchMembers,
      value: "<json>",
      about:
        "further members of POST /batches; {operation_id} stands for a new operation of the pair",
      sets: { in: "target", member: "batchMembers" },
    }),
  },
  Selection: {
    profile: option({
      kind: choice(["smoke", "full"]),
      value: "<smoke|full>",
      about: "smoke creates nothing and sends only POST /auth/token and GET /batches",
      fallbackText: "full on a loopback address; otherwise it must be given",
      sets: { by: "settings/target.ts" },
    }),
    only: option({
      kind: names,
      value: "<ids, areas>",
      about: "check only these requirements or areas, such as OPER-02,auth",
      fallbackText: "all",
      sets: { by: "settings/selection.ts" },
    }),
    exclude: option({
      kind: names,
      value: "<ids, areas>",
      about: "skip these requirements or areas",
      sets: { by: "settings/selection.ts" },
    }),
  },
  "Run settings": {
    seed: option({
      kind: wholeNumber(0, 2 ** 31 - 1),
      value: "<n>",
      about: "seed of the random samples",
      fallbackText: "random",
      sets: { in: "settings", member: "seed" },
    }),
    runs: option({
      kind: wholeNumber(1, 1_000_000),
      value: "<n>",
      about:
        "samples of each property; above the default, the run also waits until what it created is old",
      fallback: defaultRuns,
      sets: { in: "settings", member: "runs" },
    }),
    concurrency: option({
      kind: wholeNumber(1, 256),
      value: "<n>",
      about: "maximum number of requests in flight",
      fallback: 8,
      sets: { in: "settings", member: "concurrency" },
    }),
    rate: option({
      kind: number(0.1, 10_000),
      value: "<n>",
      about: "maximum number of requests per second",
      fallbackText: "unlimited",
      sets: { in: "settings", member: "rate" },
    }),
    maxBadCredentials: option({
      kind: wholeNumber(0, 10_000),
      value: "<n>",
      about:
        "maximum number of requests with a bad key or token; what then cannot be checked is inconclusive",
      fallbackText: "unlimited",
      sets: { in: "settings", member: "maxBadCredentials" },
    }),
    timeout: option({
      kind: duration("1ms", "10m"),
      value: "<duration>",
      about: "time-out of each request",
      fallback: "10s",
      sets: { in: "settings", member: "timeout" },
    }),
    maxTime: option({
      kind: duration("10s", "1440m"),
      value: "<duration>",
      about: "when the run has ended at the latest; what it did not judge by then is inconclusive",
      fallbackText: "computed from the other options, and printed when the run starts",
      sets: { in: "settings", member: "maxTime" },
    }),
    grace: option({
      kind: duration("0ms", "10m"),
      value: "<duration>",
      about: "time that a created resource may take to become visible",
      fallback: "5s",
      sets: { in: "settings", member: "grace" },
    }),
    maxBody: option({
      kind: size("1KiB", "1GiB"),
      value: "<size>",
      about: "maximum size of a response body after decoding",
      fallback: "32MiB",
      sets: { in: "settings", member: "maxBody" },
    }),
  },
  Development: {
    watch: onOrOff("stay, and run again when the server was restarted", { by: "cli/runs/" }),
  },
  Gate: {
    strict: onOrOff("fail the gate for warnings and inconclusive requirements too", {
      in: "gate",
      member: "strict",
    }),
    complete: onOrOff(
      "fail the gate if a selection or a limit, and not only the profile, leaves requirements out",
      {
        in: "gate",
        member: "complete",
      },
    ),
    statement: option({
      kind: text,
      value: "<file>",
      about: "pinned answers to open questions; fxconform pin writes one",
      isPath: true,
      sets: { by: "settings/configuration.ts" },
    }),
    baseline: option({
      kind: text,
      value: "<file>",
      about:
        "known failures, each with requirement, reason and expires; one that passes fails the gate",
      isPath: true,
      sets: { by: "settings/configuration.ts" },
    }),
    maxLatency: option({
      kind: latencyBudgets,
      value: "<budgets>",
      about: `how slow operations may be, such as "listBatches p95=300ms": ${statistics.join(", ")} of at least ${leastResponses} responses`,
      sets: { in: "gate", member: "budgets" },
    }),
    updateBaseline: onOrOff(
      `write the failures of the run to the baseline (--baseline, or ${baselineFileName})`,
      { by: "settings/configuration.ts" },
    ),
  },
  Reports: {
    reportDir: option({
      kind: text,
      value: "<folder>",
      about: "where the reports are written",
      fallback: "fxconform-report",
      isPath: true,
      sets: { by: "settings/configuration.ts" },
    }),
    reports: option({
      kind: choices(reportNames),
      value: "<names>",
      about: `which of ${reportNames.join(",")}`,
      fallback: ["json", "junit", "html"],
      sets: { by: "settings/configuration.ts" },
    }),
    record: option({
      kind: text,
      value: "<file.har>",
      about:
        "write every exchange to a HAR file, with secrets as numbered pseudonyms; fxconform judge reads it",
      isPath: true,
      sets: { by: "settings/configuration.ts" },
    }),
    color: option({
      kind: onOff,
      about:
        "colour the result on the console; NO_COLOR and FORCE_COLOR apply if this is not given",
      fallbackText: "on a terminal",
      sets: { by: "cli/runs/" },
    }),
    quiet: onOrOff("print the result in one line, and nothing else", { by: "cli/runs/" }),
    verbose: onOrOff("print curl commands, each step before the run, and what it covered", {
      by: "cli/runs/",
    }),
    json: onOrOff("print nothing but a summary of the result, as one line of JSON", {
      by: "cli/runs/",
    }),
  },
  Network: {
    headers: option({
      kind: headers,
      value: "<name: value>",
      about:
        "header for a gateway before the target, sent with every request; the value may be env:NAME or file:path",
      flag: "--header",
      isSecret: true,
      sets: { by: "settings/target.ts" },
    }),
    proxy: option({
      kind: proxy,
      value: "<url>",
      about: "HTTP proxy to the target, also for loopback addresses; may contain user:password@",
      fallbackText:
        "the first that is set of https_proxy and HTTPS_PROXY (for an http: address http_proxy and HTTP_PROXY), all_proxy and ALL_PROXY, unless the address is loopback, or no_proxy or else NO_PROXY names it",
      isSecret: true,
      sets: { by: "settings/proxy.ts" },
    }),
  },
  Traffic: {
    keepValues: onOrOff(
      "show names, addresses, account numbers, tax ids and merchants of the traffic as they are",
      {
        by: "cli/commands/judged-files.ts",
      },
    ),
    secretHeaders: option({
      kind: headerNames,
      value: "<names>",
      about: "further headers whose values are secrets; authorization, keys and cookies always are",
      flag: "--secret-header",
      sets: { by: "cli/commands/judged-files.ts" },
    }),
  },
  TLS: {
    ca: option({
      kind: text,
      value: "<file>",
      about: "PEM certificates of authorities to trust in addition to those of the system",
      isPath: true,
      sets: { by: "settings/target.ts" },
    }),
    cert: certificateFile("PEM client certificate, with those that lead to its authority"),
    key: certificateFile("PEM private key of --cert, if that file does not contain it"),
    insecure: onOrOff("do not verify the server's certificate", {
      in: "target",
      member: "insecure",
    }),
    allowHttp: onOrOff("send key and token unencrypted to a host that is not loopback", {
      in: "target",
      member: "allowHttp",
    }),
  },
} as const;

/** A row for a switch that is off by default. */
function onOrOff(about: string, sets: Sets<boolean>): Option<boolean, boolean> {
  return option({ kind: onOff, about, fallback: false, sets });
}

function certificateFile(about: string): Option<string, string> {
  return option({
    kind: text,
    value: "<file>",
    about,
    isPath: true,
    sets: { by: "settings/certificates.ts" },
  });
}

function pairAdvice(pair: string): string {
  const letters = pair.replace(/[^a-z]/gi, "").toUpperCase();
  return letters.length < 6 || letters.length > 10
    ? "Name both currencies, as in USDBRL."
    : `Write ${letters}.`;
}
