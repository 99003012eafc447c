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

/** The kinds of resources to which the server gives an id. */
export type ResourceKind = Exclude<CreatedKind, "acam item">;

/** A message from the run to the store: plain data, redacted, of bounded size. */
export type Message =
  ExchangeMessage | JudgementMessage | ObservationMessage | ProgressMessage | NoteMessage;

/**
 * What the thread of a run hands to the main thread. Only the messages become a part of the report.
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
  /**
   * What is counted of the response. Present in one message for each response; a further message
   * that only keeps the exchange has none.
   */
  readonly counted?: ResponseCount;
  /**
   * The exchange, if it is a sample or shows a finding. The same exchange may come again with
   * further requirements that it violates.
   */
  readonly kept?: RecordedExchange;
}

export interface ResponseCount {
  readonly operation: OperationName;
  /** Milliseconds. */
  readonly took: number;
  /** The facts of the request, from which a report finds what affected requests have in common. */
  readonly facts?: RequestFacts;
  /** The response is a success that can be read. */
  readonly succeeded?: boolean;
  /**
   * What the success created. `id` is absent if the response has no id that a request could name.
   */
  readonly created?: { readonly kind: CreatedKind; readonly id?: string };
}

/**
 * Says that requirements hold, that a requirement is broken, or that a requirement has no verdict.
 */
export interface JudgementMessage {
  readonly type: "judgement";
  readonly holds?: readonly RequirementId[];
  readonly broken?: BrokenRequirement;
  readonly open?: NoVerdict & { readonly requirement: RequirementId };
  /**
   * What shows that the requirements hold: the name of the scenario, and the id of the exchange if
   * it is kept as a sample.
   */
  readonly scenario?: string;
  readonly exchange?: number;
  /** The id of the exchange that was judged, whether that exchange is kept or not. */
  readonly judged?: number;
}

export interface BrokenRequirement {
  readonly requirement: RequirementId;
  /**
   * A text that is equal for violations of the requirement with the same operation and message,
   * which make one finding. Absent if no more findings may be kept.
   */
  readonly key?: string;
  /** The key of the mistake that the violation belongs to. */
  readonly mistake?: string;
  /**
   * Present for the first violation with a key, for one with a simpler request, and for an update.
   */
  readonly finding?: Finding;
  /** The finding is an update that says more, and not another occurrence. */
  readonly isUpdate?: true;
}

export interface ObservationMessage {
  readonly type: "observation";
  readonly question: QuestionId;
  readonly case: string;
  readonly answer: string;
}

/** How far the run is. Each message has all counters, so that only the last message counts. */
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
  /** For each pool of known odd values, how many of its values the run drew. */
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

/** `error`: an internal error of fxconform. `untestable`: why the target cannot be tested. */
export interface NoteMessage {
  readonly type: "note";
  readonly kind: "warning" | "untestable" | "error";
  readonly text: string;
}

/** How long a traced run took for a request of a scenario, with waits and earlier attempts. */
export interface Span {
  readonly scenario: string;
  readonly operation: OperationName;
  /** The start and the end, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/**
 * The steps of the calibration, in this order. Each finds out whether the target accepts what is
 * configured.
 */
export const calibrationSteps = [
  "counterparty",
  "operation",
  "item",
  "pairs",
  "purpose",
  "batch",
] as const;

export type CalibrationStepName = (typeof calibrationSteps)[number];

/**
 * A step of the preflight or of calibration: whether a target can be tested, and what it accepts.
 */
export interface TargetStep {
  readonly step: "name" | "connection" | "tls" | "key" | "token" | CalibrationStepName;
  readonly ok: boolean;
  /** The run ends after this step, because nothing can be tested. */
  readonly stops?: true;
  readonly found: string;
  readonly certificate?: Certificate;
  readonly advice?: string;
}

/** How far a run has come. */
export interface Progress {
  /** The number of requests that were sent so far. */
  readonly requests: number;
  readonly scenariosDone: number;
  readonly scenarios: number;
  readonly failing: number;
  /**
   * What the run waits for. Present only during a long wait, such as for a rate limit or a target
   * in trouble.
   */
  readonly waiting?: string;
}
