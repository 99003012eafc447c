import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import type { RequestFacts } from "../request-facts.ts";
import type {
  Certificate,
  CreatedKind,
  Finding,
  NoVerdict,
  RecordedExchange,
  SentCount,
} from "../run.ts";

/** The kinds of resources that the server gives an id. */
export type ResourceKind = Exclude<CreatedKind, "acam item">;

/** What is found during a run, on its way to the store: plain data, redacted, of bounded size. */
export type Message =
  ExchangeMessage | JudgementMessage | ObservationMessage | ProgressMessage | NoteMessage;

/**
 * What goes from the thread of a run to the main thread. Only the messages become a part of the
 * run.
 */
export interface Parcel {
  readonly messages: readonly Message[];
  readonly secrets?: readonly string[];
  /** For `--record`: entries of a HAR file, each as a JSON text. */
  readonly har?: readonly string[];
  readonly spans?: readonly Span[];
}

export interface ExchangeMessage {
  readonly type: "exchange";
  /** Once for each response. */
  readonly counted?: ResponseCount;
  /**
   * The exchange, if it is a sample or shows a finding. One may be kept twice, with other
   * requirements that it violates.
   */
  readonly kept?: RecordedExchange;
}

export interface ResponseCount {
  readonly operation: OperationName;
  /** Milliseconds. */
  readonly took: number;
  /** What the request was made of. */
  readonly facts?: RequestFacts;
  /** The operation answers with a success that can be read. */
  readonly succeeded?: boolean;
  /** What the success created. `id`: absent if the response has none that a request could name. */
  readonly created?: { readonly kind: CreatedKind; readonly id?: string };
}

/** That requirements hold, that one is broken, or that one has no verdict. */
export interface JudgementMessage {
  readonly type: "judgement";
  readonly holds?: readonly RequirementId[];
  readonly broken?: BrokenRequirement;
  readonly open?: NoVerdict & { readonly requirement: RequirementId };
  /** Where the requirements hold: the scenario, and the exchange that shows it if it is kept. */
  readonly scenario?: string;
  readonly exchange?: number;
  /** The id of the response that was judged, whether it is kept or not. */
  readonly judged?: number;
}

export interface BrokenRequirement {
  readonly requirement: RequirementId;
  /** Equal for violations with the same operation and message. Absent beyond the bounds. */
  readonly key?: string;
  /** The key of the mistake that it is a part of. */
  readonly mistake?: string;
  /** Only with the first violation of a key, with a smaller example of it, and with an update. */
  readonly finding?: Finding;
  /** Says more of the finding: it is not another occurrence. */
  readonly isUpdate?: true;
}

export interface ObservationMessage {
  readonly type: "observation";
  readonly question: QuestionId;
  readonly case: string;
  readonly answer: string;
}

/** How far the run is: all counters, whole. The last one counts. */
export interface ProgressMessage {
  readonly type: "progress";
  readonly sent: readonly SentCount[];
  /** The operations to which scenarios send requests that must succeed. */
  readonly operations: readonly OperationName[];
  readonly planned: number;
  readonly done: number;
  /** Milliseconds that the scenarios of each requirement took. */
  readonly took: readonly (readonly [RequirementId, number])[];
  readonly steps: readonly TargetStep[];
  /** How many of the values that fxconform knows the run drew. */
  readonly pools: readonly DrawnPool[];
  readonly peakInFlight: number;
  readonly waiting?: string;
  readonly isEnded: boolean;
}

export interface DrawnPool {
  readonly name: string;
  readonly used: number;
  readonly of: number;
}

/** `error`: of fxconform itself. `untestable`: why the target cannot be tested. */
export interface NoteMessage {
  readonly type: "note";
  readonly kind: "warning" | "untestable" | "error";
  readonly text: string;
}

/** A request of a scenario in a traced run, with its waits and earlier attempts. */
export interface Span {
  readonly scenario: string;
  readonly operation: OperationName;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /**
   * Whether a valid request succeeded, or the request is what a requirement of the scenario is
   * about.
   */
  readonly isNeeded: boolean;
}

/** What calibration finds out about a target, in this order: does it accept what is configured? */
export const calibrationSteps = [
  "counterparty",
  "operation",
  "item",
  "pairs",
  "purpose",
  "batch",
] as const;

export type CalibrationStepName = (typeof calibrationSteps)[number];

/** A step of finding out whether a target can be tested, or what it accepts. */
export interface TargetStep {
  readonly step: "name" | "connection" | "tls" | "key" | "token" | CalibrationStepName;
  readonly ok: boolean;
  /** The run ends here, because nothing can be tested. */
  readonly stops?: true;
  readonly found: string;
  readonly certificate?: Certificate;
  readonly advice?: string;
}

/** How far a run has come. */
export interface Progress {
  /** Responses so far. */
  readonly requests: number;
  readonly scenariosDone: number;
  readonly scenarios: number;
  readonly failing: number;
  /** What the run waits for, if it is a long wait: a rate limit, a target in trouble. */
  readonly waiting?: string;
}
