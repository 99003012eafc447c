import type { Network } from "./network.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import type { JsonObject } from "../spec/contract.ts";

/** `smoke` sends only POST /auth/token and GET /batches; `full` also creates resources. */
export type Profile = "smoke" | "full";

/** Valid amounts: from `min` to `max` with up to `decimals` decimal places. */
export interface AmountRange {
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
}

/** A header of `--header`: sent with every request, for a gateway in front of the target. */
export interface AddedHeader {
  readonly name: string;
  readonly value: string;
  /** Whether reports may show the value. Otherwise it is a secret. */
  readonly isPublic: boolean;
  /** Where the value was read from: `env:NAME` or `file:/path`. Absent if the option contains the value itself. */
  readonly source?: string;
}

/** The server under test and what a run must know about it. Plain data. */
export interface Target extends Network {
  /** An absolute URL with `http:` or `https:`, without user, query, fragment or final slash. It may have a path. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Only the profile `full` needs it. */
  readonly customerId: string;
  /** At least one, each usually two ISO 4217 codes in a row: `USDBRL`. */
  readonly currencyPairs: readonly string[];
  /** Purposes other than EFX that the server accepts. */
  readonly otherPurposes: readonly string[];
  readonly amount: AmountRange;
  /** Members of a valid batch besides its pair. `{operation_id}` in a text is replaced by the id of a new operation. */
  readonly batchMembers?: JsonObject;
  /** PEM text of certificate authorities to trust besides those of the system. */
  readonly ca?: string;
  /** Path of the file with `ca`, as the user gave it. */
  readonly caFile?: string;
  /** Do not verify the server's certificate. */
  readonly insecure: boolean;
  /** Allow an `http:` base URL other than loopback, so that key and token are sent unencrypted. */
  readonly allowHttp: boolean;
  /** @defaultValue none */
  readonly headers?: readonly AddedHeader[];
}

/** The settings of a run. Durations are in milliseconds, sizes in bytes. */
export interface RunSettings {
  readonly profile: Profile;
  /** The selected requirements. */
  readonly selection: readonly RequirementId[];
  /** Ids of scenarios to run in addition, such as the one that found a failure. */
  readonly scenarios?: readonly string[];
  /**
   * Run only the cheapest scenarios for a requirement that every exchange can show. `--only` sets it.
   * @defaultValue false
   */
  readonly fewest?: boolean;
  /** Requirements whose scenarios run before the others of their phase. @defaultValue none: all start together */
  readonly first?: readonly RequirementId[];
  readonly seed: number;
  /** Samples of each property. */
  readonly runs: number;
  /** The largest number of requests in flight. */
  readonly concurrency: number;
  /** The largest number of requests per second. @defaultValue no limit */
  readonly rate?: number;
  /** The largest number of requests with a key or token that must be refused. @defaultValue no limit */
  readonly maxBadCredentials?: number;
  /** Time limit of a request, from sending it to the end of the response. */
  readonly timeout: number;
  /** Grace period: how long a created resource may take to become visible. */
  readonly grace: number;
  /** Largest response body that is read, in bytes after content decoding. */
  readonly maxBody: number;
  /**
   * Report each exchange as an entry of a HAR file too.
   * @defaultValue false
   */
  readonly record?: boolean;
}

/** Whether a host is loopback: localhost and names below it, 127.0.0.0/8, ::1. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
