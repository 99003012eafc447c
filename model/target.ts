import { waits } from "./bounds.ts";
import { type Network, networkOf } from "./network.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import type { JsonObject } from "../spec/json.ts";
import type { AmountRange } from "../spec/amount-range.ts";

/** Secrets with fewer characters are not searched for: ordinary text contains them by chance. */
export const shortestSecret = 8;

/** `smoke` sends only POST /auth/token and GET /batches; `full` also creates resources. */
export type Profile = "smoke" | "full";

/** A range in the form that `--amount` takes: `10..1000:2`. */
export function amountText({ min, max, decimals }: AmountRange): string {
  return `${plainNumber(min)}..${plainNumber(max)}:${decimals}`;
}

/** A number as text without an exponent. */
function plainNumber(value: number): string {
  return value.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 });
}

/**
 * A header of the option `--header`. It is sent with every request, for a gateway in front of the
 * target.
 */
export interface AddedHeader {
  readonly name: string;
  readonly value: string;
  /**
   * Where the value was read from: `env:NAME` or `file:/path`. Absent if the option itself contains
   * the value.
   */
  readonly source?: string;
}

/** The server under test and what a run must know about it. Plain data. */
export interface Target extends Network {
  /**
   * An absolute URL with `http:` or `https:`, without user, query, fragment or final slash. A path
   * is allowed.
   */
  readonly baseUrl: string;
  readonly apiKey: string;
  /**
   * The id of the customer for whom counterparties are registered, which stands in the path of
   * these requests. Only the profile `full` needs it.
   */
  readonly customerId: string;
  /** At least one currency pair, usually two ISO 4217 codes in a row: `USDBRL`. */
  readonly currencyPairs: readonly string[];
  /** Purposes other than EFX that the server accepts. */
  readonly otherPurposes: readonly string[];
  readonly amount: AmountRange;
  /**
   * Members of a valid batch in addition to its pair. In their texts, the id of a new operation
   * replaces `{operation_id}`.
   */
  readonly batchMembers?: JsonObject;
  /** PEM text of certificate authorities to trust in addition to those of the system. */
  readonly ca?: string;
  readonly caFile?: string;
  readonly insecure: boolean;
  /**
   * Allow an `http:` base URL beyond loopback, although key and token are then sent unencrypted.
   */
  readonly allowHttp: boolean;
  /** Headers that are sent with every request. @defaultValue none */
  readonly headers?: readonly AddedHeader[];
}

/** The number of samples of each property in a run without `--runs`. */
export const defaultRuns = 25;

/** The settings of a run. Durations are in milliseconds, sizes in bytes. */
export interface RunSettings {
  readonly profile: Profile;
  readonly selection: readonly RequirementId[];
  /** Ids of scenarios to run in addition, such as the scenario that found a failure. */
  readonly scenarios?: readonly string[];
  /**
   * For requirements that every exchange can show, run only the cheapest scenarios. `--only` sets
   * this. @defaultValue false
   */
  readonly fewest?: boolean;
  /**
   * Run nothing but `scenarios` and the whole calibration, report each step of the calibration, and
   * repeat no finding. `doctor` sets this. @defaultValue false
   */
  readonly createsLeast?: boolean;
  readonly seed: number;
  /** The number of samples of each property. */
  readonly runs: number;
  readonly concurrency: number;
  /** The largest number of requests per second. @defaultValue no limit */
  readonly rate?: number;
  /**
   * The largest number of requests with a key or token that must be refused. @defaultValue no limit
   */
  readonly maxBadCredentials?: number;
  /** The time limit of a request, from sending it to the end of the response. */
  readonly timeout: number;
  /** When the run has ended at the latest, in milliseconds. @defaultValue see `timeBoundOf` */
  readonly maxTime?: number;
  /** The grace period: how long a new resource may take to become visible. */
  readonly grace: number;
  /** The largest response body that is read, in bytes after content decoding. */
  readonly maxBody: number;
  /** Whether each exchange is also reported as an entry of a HAR file. @defaultValue false */
  readonly record?: boolean;
}

/** Whether a host is loopback: localhost, a name below localhost, 127.0.0.0/8 or ::1. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/** A path without slashes at its end. */
export function withoutFinalSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

/** A value that reports must not show, and the label that replaces it. */
export interface Secret {
  readonly value: string;
  readonly label: string;
  readonly kind: SecretKind;
}

/** The first part of the pseudonym that replaces a secret in a recording. */
export type SecretKind = "key" | "token" | "secret";

export function secretsOf({ apiKey, headers = [], proxy }: Target): readonly Secret[] {
  return [
    { value: apiKey, label: "API key", kind: "key" },
    ...(proxy?.credentials === undefined
      ? []
      : [{ value: proxy.credentials.password, label: "proxy password", kind: "key" as const }]),
    ...headers.flatMap(({ name, value }) => {
      // A server may repeat the credentials in a header without their scheme, such as Bearer.
      const [, credentials] = /^[A-Za-z][\w-]* +(\S+)$/.exec(value) ?? [];
      return [value, ...(credentials === undefined ? [] : [credentials])].map((one) => ({
        value: one,
        label: headerLabel(name),
        kind: "secret" as const,
      }));
    }),
  ];
}

/** The values of a target that are not secret, so that a server may repeat them. */
export function publicTexts(target: Target): readonly string[] {
  const { baseUrl, customerId, currencyPairs, otherPurposes, batchMembers, headers = [] } = target;
  const texts = [
    baseUrl,
    customerId,
    ...currencyPairs,
    ...otherPurposes,
    JSON.stringify(batchMembers ?? {}),
  ];
  return [...texts, ...headers.map(({ name }) => name)];
}

export const headerLabel = (name: string): string => `header ${name}`;

/** The target without its secrets, fit to be printed. */
export function shownTarget(target: Target): Readonly<Record<string, unknown>> {
  return {
    ...target,
    proxy: undefined,
    clientCertificate: undefined,
    network: networkOf(target),
    apiKey: "‹secret›",
    ca: target.ca && "given",
    headers: target.headers?.map(({ name }) => name),
  };
}

/**
 * Headers that `--header` cannot set, in lower case, each with the reason. fxconform sets some of
 * them itself.
 */
export const ownHeaders: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["It names the tool and the run, so that requests can be found in a log.", "user-agent"],
    ["Every request accepts application/json, as the specification has it.", "accept"],
    ["Every request accepts gzip.", "accept-encoding"],
    [
      "It follows from the body of each request.",
      "content-type",
      "content-length",
      "transfer-encoding",
    ],
    ["Give the key of the API with --api-key-file or FXCONFORM_API_KEY.", "x-api-key"],
    ["It carries the token of the API.", "authorization"],
    ["It follows from --base-url.", "host"],
    ["Bodies are sent as they are.", "content-encoding"],
    [
      "Connections are kept and closed as each check needs.",
      "connection",
      "keep-alive",
      "proxy-connection",
    ],
    ["Every request is HTTP/1.1.", "upgrade", "te", "trailer"],
    ["Bodies are sent without waiting for a 100 Continue.", "expect"],
    [
      "Put user and password into the proxy's address: --proxy http://user:password@host:port.",
      "proxy-authorization",
    ],
    ["A part of a response cannot be judged.", "range", "if-range"],
    [
      "A conditional request may get no content, which cannot be judged.",
      "if-match",
      "if-none-match",
      "if-modified-since",
      "if-unmodified-since",
    ],
  ].flatMap(([reason = "", ...names]) => names.map((name) => [name, reason])),
);

/**
 * Says which of the values that the user gave begin and end with a quote or a blank, as an env file
 * may have kept them. Empty if none does. The values themselves are left out: the key is a secret.
 */
export function quotedText(target: Target): string {
  const values: readonly (readonly [string, readonly string[]])[] = [
    ["the API key", [target.apiKey]],
    ["--customer-id", [target.customerId]],
    ["--currency-pairs", target.currencyPairs],
    ["--other-purposes", target.otherPurposes],
  ];
  const quoted = values.filter(([, texts]) => texts.some((text) => /^(["'`\s]).*\1$/s.test(text)));
  if (quoted.length === 0) return "";
  const names = quoted.map(([name]) => name).join(" and ");
  return `A value of ${names} begins and ends with a quote or a blank: an env file may have kept it.`;
}

/**
 * The other default options. A user who asks for more work, or for less at once, may want a longer run.
 */
const usual = { concurrency: 8, timeout: 10_000, grace: 5000 } as const;

/**
 * The bound of `--max-time`, or else that of a run with the default options. Undefined if the
 * settings ask for more than these. All times are in milliseconds since the start of the run. After
 * `lastRequest`, no request starts any more, so that the last ones have time to end. With
 * `isOfQuickServers`, the bound holds only where most responses take at most a second (INT-50).
 */
export function timeBoundOf(settings: RunSettings) {
  const { rate, runs, concurrency, timeout, grace, maxTime } = settings;
  if (maxTime !== undefined) {
    const forTheLast = Math.min(waits.wholeRun - waits.lastRequest, maxTime / 2);
    return { lastRequest: maxTime - forTheLast, whole: maxTime };
  }
  const isShort = runs <= defaultRuns && timeout <= usual.timeout && grace <= usual.grace;
  const isQuick = rate === undefined && concurrency >= usual.concurrency;
  return isShort && isQuick
    ? { lastRequest: waits.lastRequest, whole: waits.wholeRun, isOfQuickServers: true }
    : undefined;
}
