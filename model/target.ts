import type { Network } from "./network.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import type { JsonObject } from "../spec/contract.ts";

/** `smoke` sends POST /auth/token and GET /batches and nothing else; `full` creates. */
export type Profile = "smoke" | "full";

/** Valid amounts: from `min` to `max` with up to `decimals` decimal places. */
export interface AmountRange {
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
}

/** A header that goes out with every request, for a gateway before the target. */
export interface AddedHeader {
  readonly name: string;
  readonly value: string;
  /** The value may be shown; otherwise it is a secret. */
  readonly isPublic: boolean;
  /** Where the value was read from: `env:NAME` or `file:/path`. Absent where the option holds the value itself. */
  readonly source?: string;
}

/** The server under test and what a run needs to know about it (ISO/IEC 9646: IXIT). Plain data. */
export interface Target extends Network {
  /** As the configuration file calls it, where it was chosen by its name. */
  readonly name?: string;
  /** Absolute, `http:` or `https:`, without user, query or fragment; may have a base path; no slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Needed by `full` alone. */
  readonly customerId: string;
  /** At least one; six capital letters in the usual case. */
  readonly currencyPairs: readonly string[];
  /** Purposes other than EFX that are known to work. */
  readonly otherPurposes: readonly string[];
  readonly amount: AmountRange;
  /** Members of a valid batch besides its pair. `{operation_id}` in a text stands for a new operation of the pair. */
  readonly batchMembers?: JsonObject;
  /** PEM text of certificates to trust besides the system's. */
  readonly ca?: string;
  /** Path of the file with `ca`, as the user gave it. */
  readonly caFile?: string;
  /** Do not verify the server's certificate. */
  readonly insecure: boolean;
  /** The user allows key and token to go out in clear to addresses other than loopback. */
  readonly allowHttp: boolean;
  /** @defaultValue none */
  readonly headers?: readonly AddedHeader[];
}

/** One of several runs that share the scenarios of a selection. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** How a run goes. Durations in milliseconds, sizes in bytes. */
export interface RunSettings {
  readonly profile: Profile;
  /** The selected requirements. */
  readonly selection: readonly RequirementId[];
  /** Ids of scenarios that run in addition, such as the one that found a failure. */
  readonly scenarios?: readonly string[];
  /**
   * Judge a requirement that every exchange can show in few scenarios: for `--only`.
   * @defaultValue false
   */
  readonly fewest?: boolean;
  /** Absent: this run runs every scenario of the selection. */
  readonly shard?: Shard;
  /** Requirements whose scenarios end before others of their phase start; absent: all start together. */
  readonly first?: readonly RequirementId[];
  readonly seed: number;
  /** Samples of each property. */
  readonly runs: number;
  /** Most requests in flight. */
  readonly concurrency: number;
  /** Most requests a second; absent: no bound. */
  readonly rate?: number;
  /** Most requests with a key or token that must be refused; absent: no bound. */
  readonly maxBadCredentials?: number;
  /** For each request, from its sending to the end of the response. */
  readonly timeout: number;
  /** For what was created to become visible. */
  readonly grace: number;
  /** Largest body after decoding. */
  readonly maxBody: number;
  /**
   * Hand each exchange on as an entry of a HAR file.
   * @defaultValue false
   */
  readonly record?: boolean;
}

/** A name or address that does not leave this machine: localhost, 127.0.0.0/8, ::1. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
