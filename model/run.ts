import type { Area, Level, RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";

/** Verdict of one requirement, in the words of ISO/IEC 9646 where it has one. */
export type Verdict = "pass" | "fail" | "warn" | "inconclusive" | "skip";

/** What the whole run says of the target. */
export type Outcome = "conformant" | "nonconformant" | "inconclusive" | "interrupted" | "error";

/** A violation with its evidence. All text that came from the target is redacted and bounded. */
export interface Finding {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer into the answer's body. */
  readonly pointer?: string;
  /** `id` of an entry of `exchanges`. */
  readonly exchange?: number;
  readonly operation?: OperationName;
  /** A command that asks the same again. */
  readonly replay: string;
  /** The request as a curl command; secrets stand as shell variables. */
  readonly curl: string;
  /** How often a fault that is not always there was seen, such as `2 of 3`. */
  readonly repeated?: string;
  /** How many findings like this one there were, itself included; only the first are kept. */
  readonly occurrences?: number;
}

/** The judged row of the catalogue. */
export interface RequirementResult {
  readonly id: RequirementId;
  readonly area: Area;
  readonly level: Level;
  readonly statement: string;
  readonly source: string;
  /** How often it was judged. */
  readonly asked: number;
  readonly verdict: Verdict;
  /** Why it is inconclusive or skipped. */
  readonly reason?: string;
  /** Milliseconds that its scenarios took, where known. */
  readonly tookMs?: number;
  readonly findings: readonly Finding[];
}

/** How often an answer was observed in a case of an open question. The name of a case is the same in every run. */
export interface ObservedAnswer {
  readonly case: string;
  readonly answer: string;
  readonly count: number;
}
/** The answers of this target to an open question. */
export interface Observation {
  readonly id: QuestionId;
  readonly question: string;
  readonly answers: readonly ObservedAnswer[];
}

/** Latency of an operation in milliseconds. */
export interface Latency {
  readonly operation: OperationName;
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** One request on the time axis: the few numbers that every exchange leaves. */
export interface TimelineEntry {
  readonly operation: OperationName;
  /** Milliseconds since the run started at which the request was sent. */
  readonly at: number;
  /** Milliseconds from the send to the end of the answer. */
  readonly took: number;
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
}

/** A message as kept: redacted, body cut to a bound. */
export interface RecordedExchange {
  readonly id: number;
  readonly operation: OperationName;
  /** The scenario that asked, by its requirements, such as `OPER-02`. */
  readonly scenario: string;
  /** Requirements with a finding in this exchange. */
  readonly violates: readonly RequirementId[];
  /** `valid`, `unusual: …` or `invalid: …` */
  readonly intent: string;
  readonly startedAt: string;
  readonly at: number;
  /** Milliseconds to the first byte of the answer. */
  readonly waited: number;
  readonly took: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body?: string;
    readonly bodyBytes: number;
  };
  readonly response?: {
    readonly status: number;
    readonly statusText: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
    /** Size after decoding; more than `body` holds where it was cut. */
    readonly bodyBytes: number;
  };
  /** What went wrong where there is no answer. */
  readonly error?: string;
  /** Ids that the server gave the request, such as x-request-id. */
  readonly serverIds?: readonly string[];
}

/** What a run leaves behind, as plain JSON: `report.json`. Every other report is a projection of it. */
export interface Run {
  readonly formatVersion: 1;
  readonly tool: { readonly name: "fxconform"; readonly version: string };
  readonly specification: { readonly version: string };
  readonly runId: string;
  readonly target: { readonly baseUrl: string };
  readonly profile: "smoke" | "full";
  readonly seed: number;
  /** Runs a property. */
  readonly runs: number;
  /** The part of the selection that was asked, from 1; absent where all of it was. */
  readonly shard?: { readonly index: number; readonly count: number };
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  /** Most requests in flight at once. */
  readonly peakInFlight: number;
  readonly outcome: Outcome;
  /** One sentence: why the outcome is what it is. */
  readonly summary: string;
  readonly gate: { readonly pass: boolean; readonly reasons: readonly string[] };
  readonly requirements: readonly RequirementResult[];
  readonly observations: readonly Observation[];
  readonly latency: readonly Latency[];
  readonly timeline: readonly TimelineEntry[];
  readonly exchanges: readonly RecordedExchange[];
  readonly created: readonly {
    readonly kind: "counterparty" | "operation" | "batch" | "acam item";
    readonly id: string;
  }[];
  /** What was left out of the reports, and why. */
  readonly withheld: readonly string[];
  readonly warnings: readonly string[];
  /** The error of ours that ended the run, with its stack, where the outcome is `error`. */
  readonly error?: string;
}
