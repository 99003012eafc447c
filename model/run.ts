import type { RecordedExchange } from "./recorded-exchange.ts";
import type { Area, Level, RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import type { RunNetwork } from "./network.ts";
import type { Intent } from "./exchange.ts";

export type { RecordedExchange };

/** Verdict of one requirement, in the words of ISO/IEC 9646 where it has one. */
export type Verdict = "pass" | "fail" | "warn" | "inconclusive" | "skip";

/** What the whole run says of the target. `partial`: no violation, and requirements were left out. */
export type Outcome = "conformant" | "nonconformant" | "partial" | "inconclusive" | "interrupted" | "error";

/** What left a requirement out of a run. */
export type SkippedBy = "selection" | "profile" | "shard" | "bail" | "traffic";

/**
 * The class of what was expected and of what was found, as short texts that are the same in every run: `status 400`,
 * `status 422`.
 */
export interface CauseClass {
  readonly expected: string;
  readonly actual: string;
}

/** A violation with its evidence. All text that came from the target is redacted and bounded. */
export interface Finding {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer into the body of the response. */
  readonly pointer?: string;
  /** `id` of an entry of `exchanges`. */
  readonly exchange?: number;
  readonly operation?: OperationName;
  /** What kind of request shows it. */
  readonly intent?: Intent["kind"];
  /** Findings of one operation with the same class have one cause. */
  readonly cause?: CauseClass;
  /** The permanent id of the scenario that found it. */
  readonly scenario?: string;
  /** A command that checks the requirement again. */
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
  /** Present where the verdict is `skip`. */
  readonly skippedBy?: SkippedBy;
  /** Milliseconds that its scenarios took, where known. */
  readonly tookMs?: number;
  /** Names of the first scenarios in which it was seen to hold, at most twelve; absent where not known. */
  readonly judgedIn?: readonly string[];
  /** `id` of an exchange that shows that it holds, where one does. */
  readonly sample?: number;
  readonly findings: readonly Finding[];
}

/** Findings with one cause. */
export interface Cause extends CauseClass {
  readonly operation?: OperationName;
  /** One sentence. */
  readonly text: string;
  /** The requirements that it breaks, in the order of the catalogue. */
  readonly requirements: readonly RequirementId[];
  /** The finding to look at first: `requirements[…].findings[finding]`. */
  readonly example: { readonly requirement: RequirementId; readonly finding: number };
  readonly findings: number;
}

/** Why the gate does not pass. */
export interface GateReason {
  readonly kind: GateReasonKind;
  readonly requirement?: RequirementId;
  readonly question?: QuestionId;
  readonly text: string;
}

export type GateReasonKind =
  | "must-failed"
  | "strict-warning"
  | "strict-inconclusive"
  | "statement"
  | "statement-not-observed"
  | "known-failure-passes"
  | "known-failure-expired"
  | "known-failure-changed"
  | "latency"
  | "certificate"
  | "nothing-tested"
  | "interrupted"
  | "error";

/** What would fail the gate, and why it does not. */
export type ToleratedFailure = KnownTolerated | NewTolerated;

/** A failure that the baseline knows. */
interface KnownTolerated {
  readonly requirement: RequirementId;
  readonly reason: string;
  /** Last day on which it is tolerated: `YYYY-MM-DD`. */
  readonly expires: string;
  readonly since?: never;
}

/** A requirement that the catalogue of `--catalogue` did not have. */
interface NewTolerated {
  readonly requirement: RequirementId;
  readonly reason: string;
  /** The version that it came with. */
  readonly since: string;
  readonly expires?: never;
}

/** Whether the pipeline may go on. */
export interface Gate {
  readonly pass: boolean;
  readonly reasons: readonly GateReason[];
  readonly tolerated: readonly ToleratedFailure[];
}

/** How many requirements have a verdict, of all that the catalogue has at this level. */
export interface Judged {
  readonly must: { readonly judged: number; readonly of: number };
  readonly should: { readonly judged: number; readonly of: number };
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
  /** Requests with a response. */
  readonly count: number;
  readonly sum: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Durations rounded up to two significant digits, and how many responses took that long, in rising order. */
  readonly histogram: readonly (readonly [ms: number, count: number])[];
}

/** What the certificate of the server says, and how it was shown. */
export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  /** ISO 8601 in UTC. */
  readonly expires: string;
  /** `TLSv1.3`. */
  readonly protocol: string;
}

/** A request by its intent; one whose key or token must be refused is one of the bad credentials. */
export type SentKind = Intent["kind"] | "bad credentials";

/** How many requests of a kind were sent. */
export interface SentCount {
  readonly operation: OperationName;
  readonly kind: SentKind;
  readonly count: number;
}

/** 2xx; 3xx and 4xx; 5xx or no response. */
export const answerClasses = ["succeeded", "refused", "failed"] as const;

export type AnswerClass = (typeof answerClasses)[number];

/** What was sent when, in at most 200 intervals of the same length, of which the first begins with the run. */
export interface Timeline {
  readonly intervalMs: number;
  /** Requests in flight, as the mean of each interval. */
  readonly inFlight: readonly number[];
  /** Requests by the interval in which they were sent. Operations without a request are left out. */
  readonly operations: readonly (Readonly<Record<AnswerClass, readonly number[]>> & {
    readonly operation: OperationName;
  })[];
}

/** A kind of request by which clients break what is stated. */
export interface ClientFinding {
  readonly operation: OperationName;
  /** What the request is, after "a request": `without an Authorization header`. */
  readonly text: string;
  readonly count: number;
  /** Where the first one was seen. */
  readonly example: string;
}

/** How much of a pool of values a run used. */
export interface PoolUse {
  readonly name: string;
  readonly used: number;
  readonly of: number;
}

/** What a scenario sent, or what it sent of one pool, and the requirements that this showed broken. */
export interface Traffic {
  /** Permanent id of the scenario; `session` where the session itself sends. */
  readonly scenario: string;
  readonly pool?: string;
  readonly requests: number;
  readonly violates: readonly RequirementId[];
}

/** What `merge` needs besides the requirements to conclude for several runs as for one. */
export interface JoinableEvidence {
  /** `--bail` ended the run. */
  readonly bailed: boolean;
  /** Why the target could not be tested. */
  readonly untestable?: string;
  /** Operations that answered with success. */
  readonly succeeded: readonly OperationName[];
  /** Operations that valid requests were sent to and that never answered with success. */
  readonly neverSucceeded: readonly OperationName[];
  /** Why there may be no verdict; `cutShort` where that outweighs what was seen to hold. */
  readonly inconclusive: readonly {
    readonly requirement: RequirementId;
    readonly reason: string;
    readonly cutShort: boolean;
  }[];
}

/** Kinds of what a run creates on the server. */
export const createdKinds = ["counterparty", "operation", "batch", "acam item"] as const;

export type CreatedKind = (typeof createdKinds)[number];

/** Rises with the shape of `report.json`. */
export const formatVersion = 3;

/** What a run leaves behind, as plain JSON: `report.json`. Every other report is a projection of it. */
export interface Run {
  readonly formatVersion: typeof formatVersion;
  readonly tool: { readonly name: "fxconform"; readonly version: string };
  readonly specification: { readonly version: string };
  readonly runId: string;
  readonly target: {
    readonly baseUrl: string;
    /** The target of the configuration file that was chosen. */
    readonly name?: string;
    readonly network?: RunNetwork;
    /** Names of the headers that were added to every request. */
    readonly headers?: readonly string[];
  };
  /** The server's certificate, where it was reached over TLS. */
  readonly certificate?: Certificate;
  /** `traffic`: requests that others sent were judged. */
  readonly profile: "smoke" | "full" | "traffic";
  readonly seed: number;
  /** Runs a property. */
  readonly runs: number;
  /** What was selected, in the words of the user; absent: everything. */
  readonly selection?: { readonly only?: readonly string[]; readonly exclude?: readonly string[] };
  /** The part of the scenarios that this run ran, from 1; absent: all of them. */
  readonly shard?: { readonly index: number; readonly count: number };
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  /** The requests by operation and kind. */
  readonly sent?: readonly SentCount[];
  /** How many of the requests presented a key or a token that must be refused, or none. */
  readonly badCredentials?: number;
  /** Most requests in flight at once. */
  readonly peakInFlight: number;
  readonly outcome: Outcome;
  /** One sentence: why the outcome is what it is. */
  readonly summary: string;
  /** Nothing of the catalogue was left out by profile, selection, shard or interruption. */
  readonly complete: boolean;
  readonly judged: Judged;
  readonly gate: Gate;
  readonly causes: readonly Cause[];
  /** The options as given, by their names in the configuration file, without secrets: what `replay` needs. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The command that puts a token into `$TOKEN`, which the curl commands use. */
  readonly tokenCommand?: string;
  readonly requirements: readonly RequirementResult[];
  readonly observations: readonly Observation[];
  readonly latency: readonly Latency[];
  readonly timeline: Timeline;
  /** The pools that values were drawn from; absent where none was. */
  readonly pools?: readonly PoolUse[];
  readonly traffic?: readonly Traffic[];
  readonly exchanges: readonly RecordedExchange[];
  /** What was created, up to a bound. */
  readonly created: readonly {
    readonly kind: CreatedKind;
    readonly id: string;
  }[];
  /** How many of each kind were created; kinds of which there are none are left out. */
  readonly createdCounts: Readonly<Partial<Record<CreatedKind, number>>>;
  /** What clients did against what is stated, where traffic was judged: no verdict on the server. */
  readonly client?: readonly ClientFinding[];
  /** Absent in merged reports and where traffic was judged. */
  readonly evidence?: JoinableEvidence;
  /** What was left out of the reports, and why. */
  readonly withheld: readonly string[];
  readonly warnings: readonly string[];
  /** The internal error that ended the run, with its stack, where the outcome is `error`. */
  readonly error?: string;
}
