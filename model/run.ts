import type { Area, Level, RequirementId } from "../spec/catalogue.ts";
import type { Gap } from "../spec/gaps.ts";
import type { OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import type { RunNetwork } from "./network.ts";
import type { Intent, Fields } from "./request.ts";

import type { Profile } from "./target.ts";

/**
 * The verdict on a requirement. `warn`: a SHOULD is broken. `inconclusive`: the requirement could
 * not be judged. `skip`: the requirement was left out.
 */
export type Verdict = "pass" | "fail" | "warn" | "inconclusive" | "skip";

/** The result of the whole run. `partial`: no MUST failed, but requirements were left out. */
export type Outcome =
  "conformant" | "nonconformant" | "partial" | "inconclusive" | "interrupted" | "error";

/** What left a requirement out of a run. */
export type SkippedBy = "selection" | "profile" | "traffic" | "contract";

/** The kind of a mistake. It decides the words in which reports describe the mistake. */
type MistakeKind =
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
  | "refused"
  | "crash"
  | "silence"
  | "token name"
  | "top list"
  | "mixed up"
  | "document"
  | "other";

/**
 * What the server does wrong, as data from the rule that found it. Findings whose mistakes have the
 * same kind, `of`, `expected` and `actual` are one mistake, wherever they show: one change of the
 * server mends them all.
 */
export interface Mistake {
  readonly kind: MistakeKind;
  /**
   * What is wrong: the name of a member, a kind of request or of response, an operation, or a place
   * in a document. Empty if `kind` says enough.
   */
  readonly of: string;
  readonly expected: string;
  readonly actual: string;
  /**
   * All requirements that the same mistake can break, at this endpoint and at others. Absent if it
   * can break only the requirement of the finding.
   */
  readonly kin?: readonly RequirementId[];
}

/** The `actual` of a mistake if a body has Infinity or NaN as a number. */
export const notFinite = "a number that is not finite";

/** A violation with its evidence. Texts from the target are redacted and of bounded length. */
export interface Finding {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** Where the wrong value stands: a JSON pointer into the body of the response. */
  readonly pointer?: string;
  /** The place in the OpenAPI document that is wrong. Absent if no document was judged. */
  readonly document?: DocumentPlace;
  /** The `id` of an entry of `exchanges` that shows the violation. */
  readonly exchange?: number;
  /** Where the same thing was shown first, with another value. `exchange`: an `id`, too. */
  readonly shownFirst?: { readonly exchange: number; readonly pointer: string };
  readonly operation?: OperationName;
  /** The kind of the request that shows the violation. */
  readonly intent?: Intent["kind"];
  /** Findings with equal mistakes are one mistake. */
  readonly mistake: Mistake;
  /**
   * The mistake as part of which this one is reported, because one change of the server mends both.
   * Absent if the finding is reported as its own mistake. Runs are compared by `mistake`.
   */
  readonly partOf?: Mistake;
  /**
   * The intent of the request as a text, if no exchange shows it: `unusual: whose body is null`.
   */
  readonly sent?: string;
  /**
   * The finding only shows what `partOf` leads to, such as a value that the server should have
   * refused. It says neither where the mistake is nor how often it occurs.
   */
  readonly isConsequence?: true;
  /** The permanent id of the scenario that found the violation. */
  readonly scenario?: string;
  /** A command that checks the requirement again. */
  readonly replay: string;
  /** The request as a curl command, with shell variables in place of secrets. */
  readonly curl: string;
  /**
   * How often an intermittent violation was seen when the request was repeated, such as `2 of 3`.
   */
  readonly repeated?: string;
  /** How many findings of this kind there were, including this one. The others are not kept. */
  readonly occurrences?: number;
}

/** A place in an OpenAPI document. Lines and columns are counted from one. */
export interface DocumentPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** JSON pointer, which starts with `#`. */
  readonly pointer: string;
  /** What stands at the place and what has to stand there, in the words of the document. */
  readonly says: string;
  /** The line itself, with the line before and the line after. Bounded. */
  readonly frame: readonly string[];
  /** The number of the first line of the frame. */
  readonly frameStart: number;
  /**
   * The document only says less than a server must do (INT-58). The finding is a warning, even
   * beside failures of the same requirement.
   */
  readonly isLess?: true;
}

export interface RequirementResult {
  readonly id: RequirementId;
  readonly area: Area;
  readonly level: Level;
  readonly statement: string;
  readonly source: string;
  /** How often the requirement was judged. */
  readonly asked: number;
  readonly verdict: Verdict;
  readonly reason?: string;
  /** Why the verdict is `inconclusive`, if that is nobody's fault (INT-57). */
  readonly gap?: Gap;
  /**
   * The operation whose responses did not let a scenario continue, if that is why the verdict is
   * `inconclusive`.
   */
  readonly blockedAt?: OperationName;
  /** What left the requirement out, if the verdict is `skip`. */
  readonly skippedBy?: SkippedBy;
  /** How long the scenarios of the requirement took, in milliseconds. Absent if not known. */
  readonly tookMs?: number;
  /** The first scenarios in which the requirement held, at most twelve. Absent if not known. */
  readonly judgedIn?: readonly string[];
  /** The `id` of an exchange that shows that the requirement holds. */
  readonly sample?: number;
  readonly findings: readonly Finding[];
}

/** Points to a finding: `findings[finding]` of a requirement. */
interface CauseExample {
  readonly requirement: RequirementId;
  readonly finding: number;
}

/** How many responses show a mistake, out of those that could show it. */
export interface Share {
  readonly affected: number;
  readonly of: number;
}

/**
 * A mistake of the server with everything that follows from it: what one change of the server
 * mends.
 */
export interface Cause {
  /**
   * One sentence without a full stop: what is wrong, where, how often, and what the affected
   * requests have in common.
   */
  readonly text: string;
  /** MUST if the mistake breaks at least one MUST, and otherwise SHOULD. */
  readonly level: Level;
  readonly mistake: Mistake;
  /** The operations at which the mistake shows, in the order in which a client calls them. */
  readonly operations: readonly OperationName[];
  /** The mistake shows at every operation that could show it, of which there are at least two. */
  readonly isEverywhere?: true;
  /** How many responses show the mistake. Absent if this was not counted. */
  readonly responses?: Share;
  /** What all affected requests have in common and no other request has: `with 2 decimals`. */
  readonly common?: string;
  /** The requirements that have no verdict because of the mistake. */
  readonly waiting?: readonly RequirementId[];
  /**
   * What the run used in place of the right value, to continue despite the mistake:
   * `the value of access_token`.
   */
  readonly wentOn?: string;
  readonly requirements: readonly RequirementId[];
  /**
   * Points to the finding that shows the mistake most plainly. Absent if the target could not be
   * tested at all, as there is no finding then.
   */
  readonly example?: CauseExample;
  /** For each requirement, points to its first finding of the mistake. */
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
  /** The last day on which the failure is tolerated: `YYYY-MM-DD`. */
  readonly expires: string;
}

/** Whether the pipeline may continue, and every reason why not. */
export interface Gate {
  readonly pass: boolean;
  readonly reasons: readonly GateReason[];
  readonly tolerated: readonly ToleratedFailure[];
}

/** For each level, how many requirements of the catalogue have a verdict. */
export interface JudgedCounts {
  readonly must: { readonly judged: number; readonly of: number };
  readonly should: { readonly judged: number; readonly of: number };
}

/**
 * How often an answer to an open question was observed in one of its cases. A case has the same
 * name in every run.
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

/** The latency of an operation in milliseconds. */
export interface Latency {
  readonly operation: OperationName;
  /** The number of requests that got a response. */
  readonly count: number;
  readonly sum: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /**
   * Durations, rounded up to two significant digits, each with the number of responses that took so
   * long. In rising order.
   */
  readonly histogram: readonly (readonly [ms: number, count: number])[];
}

export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  /** When the certificate expires: ISO 8601 in UTC. */
  readonly expires: string;
  /** The version of TLS: `TLSv1.3`. */
  readonly protocol: string;
}

/** The kind of a request: its intent, or `bad credentials` if its key or token must be refused. */
export type SentKind = Intent["kind"] | "bad credentials";

export interface SentCount {
  readonly operation: OperationName;
  readonly kind: SentKind;
  readonly count: number;
}

/**
 * Which combinations of attributes occurred in valid requests that the server accepted
 * (docs/sensitivity.md). Attributes and values have the names of the design from which the requests
 * were made.
 */
export interface Coverage {
  /** What has the attributes: `payees`, `operations` or `items`. */
  readonly of: string;
  /**
   * Attributes of which each pair of values should occur. An attribute can be in several groups, and
   * makes pairs in each of them.
   */
  readonly groups: readonly (readonly string[])[];
  readonly pairs: { readonly covered: number; readonly of: number };
  /** Combinations of three values, of which each two are such a pair. */
  readonly triples: { readonly covered: number; readonly of: number };
  /**
   * The pairs that did not occur, by a value that they share, such as `bank_country CN`. `status`:
   * how the server refused a request with such a pair; absent if none was sent.
   */
  readonly missing: readonly {
    readonly with: string;
    readonly pairs: number;
    readonly status?: number;
  }[];
}

/** How many responses at an operation had a status, those included that were asked for again. */
export interface StatusCount {
  readonly operation: OperationName;
  readonly status: number;
  readonly count: number;
}

/** A kind of request that clients sent and that breaks the specification. */
export interface ClientFinding {
  readonly operation: OperationName;
  /**
   * What is wrong with the request, in words that follow "a request": `without an Authorization
   * header`.
   */
  readonly text: string;
  readonly count: number;
  /** Where the recording has the first such request: `run.har, entry 12`. */
  readonly example: string;
}

/** What a run lacks for a verdict on a requirement. */
export interface Lack {
  readonly reason: string;
  /** Why the requirement has no verdict, if that is nobody's fault (INT-57). */
  readonly gap?: Gap | undefined;
  /** The operation whose responses did not show what was needed, if that is the `reason`. */
  readonly blockedAt?: OperationName | undefined;
}

export interface NoVerdict extends Lack {
  /** Whether the requirement cannot pass, even if some responses show that it holds. */
  readonly cutShort: boolean;
}

/**
 * How the verdict on a requirement changed from one run to a later one. `another cause`: it failed
 * before, and now fails in another way.
 */
export type VerdictChange =
  "new failure" | "another cause" | "still failing" | "no verdict" | "fixed";

/** How a run differs from the last run of the same target and selection. */
export interface SinceLast {
  /** When the earlier run started: ISO 8601 in UTC. */
  readonly startedAt: string;
  /** The requirements that failed in one of the two runs. */
  readonly changes: readonly {
    readonly requirement: RequirementId;
    readonly change: VerdictChange;
  }[];
}

export const createdKinds = ["counterparty", "operation", "batch", "acam item"] as const;

export type CreatedKind = (typeof createdKinds)[number];
export const formatVersion = 6;

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
  /** The certificate of the server. Present if the server was reached over TLS. */
  readonly certificate?: Certificate;
  /**
   * `traffic`: the run judged what others sent (command `judge`). `contract`: the run judged a
   * document (command `contract`).
   */
  readonly profile: Profile | "traffic" | "contract";
  readonly seed: number;
  /** The number of samples of each property. */
  readonly runs: number;
  /** What the user gave as `--only` and `--exclude`. Absent if everything was selected. */
  readonly selection?: { readonly only?: readonly string[]; readonly exclude?: readonly string[] };
  /** When the run started: ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  readonly sent?: readonly SentCount[];
  /** How many requests had no key or token, or one that must be refused. */
  readonly badCredentials?: number;
  readonly peakInFlight: number;
  readonly outcome: Outcome;
  /** One sentence that says why the outcome is what it is. */
  readonly summary: string;
  /** True if no requirement was left out: not by profile, selection or an interruption. */
  readonly complete: boolean;
  readonly judged: JudgedCounts;
  readonly gate: Gate;
  readonly causes: readonly Cause[];
  /**
   * The options as they were given, by their names in the configuration file and without secrets.
   * `replay` reads those that shape samples.
   */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * A sentence for each option in a file that makes the gate demand less. Absent if there is none.
   */
  readonly narrowed?: readonly string[];
  /**
   * What changed since the last run. Absent if the report folder held no run with a verdict of the
   * same target and selection.
   */
  readonly sinceLast?: SinceLast;
  /** The command that puts a token into `$TOKEN`, which the curl commands use. */
  readonly tokenCommand?: string;
  readonly requirements: readonly RequirementResult[];
  readonly observations: readonly Observation[];
  readonly latency: readonly Latency[];
  /** In the order of the operations and of the statuses. Absent if nothing was sent. */
  readonly statuses?: readonly StatusCount[];
  /** What the valid requests covered. Absent if none was made from a design. */
  readonly coverage?: readonly Coverage[];
  readonly exchanges: readonly RecordedExchange[];
  /** The resources that were created and have an id. The list has a maximum length. */
  readonly created: readonly { readonly kind: CreatedKind; readonly id: string }[];
  /** How many resources of each kind were created. Kinds without any are left out. */
  readonly createdCounts: Readonly<Partial<Record<CreatedKind, number>>>;
  /**
   * How many of the created resources have no id that a request can name, for example because the
   * id is a number. Absent if all have one.
   */
  readonly createdWithoutId?: number;
  /**
   * How clients broke the specification, if traffic was judged. This does not count against the
   * server.
   */
  readonly client?: readonly ClientFinding[];
  /** Notes on what was left out of the reports and why. */
  readonly withheld: readonly string[];
  readonly warnings: readonly string[];
  /** The internal error that ended the run, with its stack. Present if the outcome is `error`. */
  readonly error?: string;
}

interface RecordedMessage {
  readonly headers: Fields;
  /** The size of the whole body after content decoding, even if `body` was cut. */
  readonly bodyBytes: number;
}

/** An exchange in the form in which reports keep it: plain data, redacted, of bounded size. */
export interface RecordedExchange {
  readonly id: number;
  readonly operation: OperationName;
  readonly scenario: string;
  readonly violates: readonly RequirementId[];
  /** What the request was meant to be: `valid`, `unusual: …` or `invalid: …` */
  readonly intent: string;
  /** When the request was sent: ISO 8601 in UTC. */
  readonly startedAt: string;
  /** When the request was sent, in milliseconds since the run started. */
  readonly at: number;
  /** Milliseconds from the request to the first byte of the response. */
  readonly waited: number;
  /** Milliseconds from the request to the end of the response. */
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
  /** Headers with ids by which the request can be found in the server's log: `X-Request-Id: 17`. */
  readonly serverIds?: readonly string[];
}

/**
 * Compares two answers to a question, for sorting: by case, then by count with the highest first,
 * then by answer.
 */
export function byAnswer(a: ObservedAnswer, b: ObservedAnswer): number {
  return inOrder(a.case, b.case) || b.count - a.count || inOrder(a.answer, b.answer);
}

/**
 * Compares two texts, for sorting: by their UTF-16 code units, so that the order is the same in
 * every locale.
 */
function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
