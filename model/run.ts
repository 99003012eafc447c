import type { Area, Level, RequirementId } from "../spec/catalogue.ts";
import type { Gap } from "../spec/gaps.ts";
import type { OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import type { RunNetwork } from "./network.ts";
import type { Intent, Fields } from "./request.ts";

import type { Profile } from "./target.ts";

/**
 * Verdict on one requirement. `warn`: a SHOULD is not met. `inconclusive`: not judged; `skip`: left
 * out.
 */
export type Verdict = "pass" | "fail" | "warn" | "inconclusive" | "skip";

/** The result of the whole run. `partial`: no MUST failed, but requirements were left out. */
export type Outcome =
  "conformant" | "nonconformant" | "partial" | "inconclusive" | "interrupted" | "error";

/** What left a requirement out of a run. */
export type SkippedBy = "selection" | "profile" | "bail" | "traffic" | "contract";

/**
 * What was expected and found, without values that differ between runs: `status 400`, `status 422`.
 */
export interface CauseClass {
  readonly expected: string;
  readonly actual: string;
  /** What is wrong with the requests that were not refused: `with null for a member`. */
  readonly input?: string;
}

/** What kind of thing is wrong: it decides the words of a mistake. */
export type DeviationKind =
  | "type"
  | "null"
  | "missing"
  | "value"
  | "echo"
  | "spelling"
  | "error"
  | "body"
  | "media type"
  | "page"
  | "status"
  | "refusal"
  | "accepted"
  | "crash"
  | "silence"
  | "token name"
  | "top list";

/**
 * What the server does wrong, as data of the rule that saw it. One change of the server mends all
 * findings whose deviations have the same kind, `of`, `expected` and `actual`: they are one
 * mistake, wherever they show.
 */
export interface Deviation {
  readonly kind: DeviationKind;
  /** The name of a member, a kind of request or of response. Empty where the kind says enough. */
  readonly of: string;
  readonly expected: string;
  readonly actual: string;
  /**
   * The requirements that a response of this kind is judged by, here and at other endpoints.
   * Absent: its own alone.
   */
  readonly kin?: readonly RequirementId[];
}

/** What is wrong with a body that holds Infinity or NaN as a number. */
export const notFinite = "a number that is not finite";

/** A violation with its evidence. Texts from the target are redacted and of bounded length. */
export interface Finding {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer into the body of the response. */
  readonly pointer?: string;
  /** Where an OpenAPI document says it, if a document was judged. */
  readonly document?: DocumentPlace;
  /** `id` of an entry of `exchanges`. */
  readonly exchange?: number;
  readonly operation?: OperationName;
  /** The kind of the request that shows it. */
  readonly intent?: Intent["kind"];
  /** Findings with the same operation and the same class have one cause. */
  readonly cause?: CauseClass;
  /**
   * Findings with equal deviations are one mistake. Absent: the mistake is that of its operation
   * and class alone.
   */
  readonly deviation?: Deviation;
  /** It shows what the server accepted elsewhere, and goes with that mistake. */
  readonly isConsequence?: true;
  /** The permanent id of the scenario that found it. */
  readonly scenario?: string;
  /** A command that checks the requirement again. */
  readonly replay: string;
  /** The request as a curl command, with shell variables in place of secrets. */
  readonly curl: string;
  /**
   * How often an intermittent violation was seen when the request was repeated, such as `2 of 3`.
   */
  readonly repeated?: string;
  /** How many findings of this kind there were, including this one. Only the first are kept. */
  readonly occurrences?: number;
}

/** A place in an OpenAPI document. Lines and columns are counted from one. */
export interface DocumentPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** JSON pointer, which starts with `#`. */
  readonly pointer: string;
  /** What stands there and what has to, in the words of the document. */
  readonly says: string;
  /** The line, with the one before and the one after; bounded. */
  readonly frame: readonly string[];
  /** The number of the first line of the frame. */
  readonly frameStart: number;
  /** Findings at other places with the same texts have the same cause. */
  readonly isOneCause?: true;
  /** The document only leaves something out: a warning, even beside failures of its requirement. */
  readonly isLess?: true;
}

export interface RequirementResult {
  readonly id: RequirementId;
  readonly area: Area;
  readonly level: Level;
  readonly statement: string;
  readonly source: string;
  /** How often it was judged. */
  readonly asked: number;
  readonly verdict: Verdict;
  readonly reason?: string;
  /**
   * What was missing, if the verdict is `inconclusive` and the reason is nobody's fault (INT-57).
   */
  readonly gap?: Gap;
  /**
   * The operation whose responses left nothing to go on with, if the verdict is `inconclusive` for
   * that.
   */
  readonly blockedAt?: OperationName;
  /** Present if the verdict is `skip`. */
  readonly skippedBy?: SkippedBy;
  /** Milliseconds that its scenarios took. Absent if not known. */
  readonly tookMs?: number;
  /** Names of the first scenarios in which it held, at most twelve. Absent if not known. */
  readonly judgedIn?: readonly string[];
  /** `id` of an exchange that shows that it holds. */
  readonly sample?: number;
  readonly findings: readonly Finding[];
}

/** A finding of a cause: `findings[finding]` of a requirement. */
interface CauseExample {
  readonly requirement: RequirementId;
  readonly finding: number;
}

/** How many responses show a mistake, of those that could show it. */
export interface Share {
  readonly affected: number;
  readonly of: number;
}

/**
 * What a server does wrong, with everything that follows from it: what one change of the server
 * mends.
 */
export interface Cause extends CauseClass {
  /**
   * One sentence without a full stop: what is wrong, where, how often, and what the affected
   * requests have in common.
   */
  readonly text: string;
  /** MUST if it breaks one. */
  readonly level: Level;
  readonly deviation?: Deviation;
  /** The operations at which it shows, in the order in which a client calls them. */
  readonly operations: readonly OperationName[];
  /** It shows at every operation, of at least two, that could show it. */
  readonly isEverywhere?: true;
  /** Absent if it was not counted. */
  readonly responses?: Share;
  /**
   * What the requests of all affected responses have in common, and those of no other response:
   * `with 2 decimals`.
   */
  readonly common?: string;
  /** The requirements that have no verdict because of it. */
  readonly waiting?: readonly RequirementId[];
  /** With what the run went on, although it is wrong: `the value of access_token`. */
  readonly wentOn?: string;
  readonly requirements: readonly RequirementId[];
  /** The plainest finding. Absent if the target could not be tested at all: then there is none. */
  readonly example?: CauseExample;
  /** The first finding of each requirement, with what was sent and what came. */
  readonly examples: readonly CauseExample[];
  readonly findings: number;
}

export interface GateReason {
  readonly kind: GateReasonKind;
  readonly requirement?: RequirementId;
  readonly question?: QuestionId;
  readonly text: string;
}

export type GateReasonKind =
  | "must-failed"
  | "not-judged"
  | "strict-warning"
  | "strict-inconclusive"
  | "statement"
  | "statement-not-observed"
  | "known-failure-passes"
  | "known-failure-expired"
  | "known-failure-changed"
  | "latency"
  | "incomplete"
  | "nothing-tested"
  | "interrupted"
  | "error";

export interface ToleratedFailure {
  readonly requirement: RequirementId;
  readonly reason: string;
  /** Last day on which it is tolerated: `YYYY-MM-DD`. */
  readonly expires: string;
}

/** Whether the pipeline may continue, and every reason why not. */
export interface Gate {
  readonly pass: boolean;
  readonly reasons: readonly GateReason[];
  readonly tolerated: readonly ToleratedFailure[];
}

/** How many requirements of each level have a verdict, out of how many in the catalogue. */
export interface JudgedCounts {
  readonly must: { readonly judged: number; readonly of: number };
  readonly should: { readonly judged: number; readonly of: number };
}

/**
 * How often an answer was observed in a case of an open question. The name of a case is the same in
 * every run.
 */
export interface ObservedAnswer {
  readonly case: string;
  readonly answer: string;
  readonly count: number;
}

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
  /**
   * Durations, rounded up to two significant digits, and how many responses took so long; in rising
   * order.
   */
  readonly histogram: readonly (readonly [ms: number, count: number])[];
}

export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  /** ISO 8601 in UTC. */
  readonly expires: string;
  /** `TLSv1.3`. */
  readonly protocol: string;
}

/** The kind of a request: its intent, or `bad credentials` if its key or token must be refused. */
export type SentKind = Intent["kind"] | "bad credentials";

export interface SentCount {
  readonly operation: OperationName;
  readonly kind: SentKind;
  readonly count: number;
}

/** A kind of request with which clients break the specification. */
export interface ClientFinding {
  readonly operation: OperationName;
  /** What the request is, after "a request": `without an Authorization header`. */
  readonly text: string;
  readonly count: number;
  /** Where the first one is in the recording, such as `run.har, entry 12`. */
  readonly example: string;
}

export interface NoVerdict {
  readonly reason: string;
  /** The reason counts even if the requirement was seen to hold. */
  readonly cutShort: boolean;
  /** What was missing, if that is nobody's fault (INT-57). */
  readonly gap?: Gap;
  /** The operation whose responses left nothing to go on with. */
  readonly blockedAt?: OperationName;
}

/**
 * What became of a requirement from one run to a later one. `another cause`: it failed, and fails
 * in another way.
 */
export type VerdictChange =
  "new failure" | "another cause" | "still failing" | "no verdict" | "fixed";

/** How a run differs from the last one of the same target and selection. */
export interface SinceLast {
  /** When that run started: ISO 8601 in UTC. */
  readonly startedAt: string;
  /** The requirements that failed in one of the two runs. */
  readonly changes: readonly {
    readonly requirement: RequirementId;
    readonly change: VerdictChange;
  }[];
}

export const createdKinds = ["counterparty", "operation", "batch", "acam item"] as const;

export type CreatedKind = (typeof createdKinds)[number];
export const formatVersion = 5;

/** The result of a run as plain JSON: `report.json`. Every other report is made from it. */
export interface Run {
  readonly formatVersion: typeof formatVersion;
  readonly tool: { readonly name: "fxconform"; readonly version: string };
  readonly specification: { readonly version: string };
  readonly runId: string;
  readonly target: {
    readonly baseUrl: string;
    readonly network?: RunNetwork;
    readonly headers?: readonly string[];
  };
  /** Present if the server was reached over TLS. */
  readonly certificate?: Certificate;
  /**
   * `traffic`: `judge` judged requests that others sent. `contract`: `contract` judged a document.
   */
  readonly profile: Profile | "traffic" | "contract";
  readonly seed: number;
  /** The seeds of the runs that `merge` joined; `seed` is the first. Absent: one run. */
  readonly seeds?: readonly number[];
  /** Samples of each property. */
  readonly runs: number;
  /** What `--only` and `--exclude` were given. Absent: everything was selected. */
  readonly selection?: { readonly only?: readonly string[]; readonly exclude?: readonly string[] };
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  readonly sent?: readonly SentCount[];
  /** How many of the requests had a key or token that must be refused, or had none. */
  readonly badCredentials?: number;
  readonly peakInFlight: number;
  readonly outcome: Outcome;
  /** One sentence: why the outcome is what it is. */
  readonly summary: string;
  /** No requirement was left out by profile, selection, `--bail` or an interruption. */
  readonly complete: boolean;
  readonly judged: JudgedCounts;
  readonly gate: Gate;
  readonly causes: readonly Cause[];
  /**
   * The options as given, by their names in the configuration file, without secrets. `replay` reads
   * those that shape samples.
   */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Options of a file that make the gate demand less, a sentence each. Absent if there are none.
   */
  readonly narrowed?: readonly string[];
  /**
   * Absent if the folder of the reports held none of the same target and selection with a verdict.
   */
  readonly sinceLast?: SinceLast;
  /** The command that puts a token into `$TOKEN`, which the curl commands use. */
  readonly tokenCommand?: string;
  readonly requirements: readonly RequirementResult[];
  readonly observations: readonly Observation[];
  readonly latency: readonly Latency[];
  /** One sentence: how many of the values that it knows the run sent. Absent if it drew none. */
  readonly notSent?: string;
  readonly exchanges: readonly RecordedExchange[];
  /** The resources that were created and have an id; the list has a maximum length. */
  readonly created: readonly { readonly kind: CreatedKind; readonly id: string }[];
  /** How many of each kind were created. Kinds without any are left out. */
  readonly createdCounts: Readonly<Partial<Record<CreatedKind, number>>>;
  /**
   * How many of them have no id that a request could name: the id is a number, for example. Absent:
   * none.
   */
  readonly createdWithoutId?: number;
  /**
   * How clients broke the specification, if traffic was judged. It does not count against the
   * server.
   */
  readonly client?: readonly ClientFinding[];
  /** Notes on what was left out of the reports, and why. */
  readonly withheld: readonly string[];
  readonly warnings: readonly string[];
  /** The internal error that ended the run, with its stack. Present if the outcome is `error`. */
  readonly error?: string;
}

interface RecordedMessage {
  readonly headers: Fields;
  /** Size of the whole body after content decoding, even if `body` was cut. */
  readonly bodyBytes: number;
}

/** An exchange as reports keep it: plain data, redacted, of bounded size. */
export interface RecordedExchange {
  readonly id: number;
  readonly operation: OperationName;
  readonly scenario: string;
  readonly violates: readonly RequirementId[];
  /** `valid`, `unusual: …` or `invalid: …` */
  readonly intent: string;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Milliseconds since the run started. */
  readonly at: number;
  /** Milliseconds to the first byte of the response. */
  readonly waited: number;
  /** Milliseconds to the end of the response. */
  readonly took: number;
  readonly request: RecordedMessage & {
    readonly method: string;
    readonly url: string;
    readonly body?: string;
  };
  readonly response?: RecordedMessage & {
    readonly status: number;
    readonly statusText: string;
    readonly body: string;
  };
  /** What went wrong if there is no response. */
  readonly error?: string;
  /** Ids that the server gave the request, such as x-request-id. */
  readonly serverIds?: readonly string[];
}

/** Sorts the answers to a question by case; within a case, the most frequent first. */
export function byAnswer(a: ObservedAnswer, b: ObservedAnswer): number {
  return inOrder(a.case, b.case) || b.count - a.count || inOrder(a.answer, b.answer);
}

/** Sorts texts by their UTF-16 code units, so that the order is the same in every locale. */
export function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
