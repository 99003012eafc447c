import type { Gap } from "../../spec/gaps.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { RequestSpec } from "../../model/request.ts";
import type { Judgement } from "../../model/judgement.ts";
import type { Attempt } from "./attempt.ts";
import type { SendingFacts } from "./facts.ts";

/** What a step causes besides the next request. */
interface StepEffects {
  readonly judgements?: readonly Judgement[];
  readonly observes?: Observed;
  /** What the run waits for, in words. */
  readonly waiting?: string;
}

/** The answer to an open question that any request may show. */
export type Observed = readonly [question: "OPEN-19" | "OPEN-27", answer: string];

/** How a request is sent again. */
export interface Again extends StepEffects {
  /** Send on a new connection. */
  readonly isFresh?: true;
  /** Send within an exclusive turn, which lasts until a response counts. */
  readonly isAlone?: boolean;
  readonly newToken?: true;
  /**
   * How long to wait before the request is sent, in milliseconds. An exclusive turn begins before
   * the wait. `forAll`: all requests wait.
   */
  readonly pause?: number;
  readonly forAll?: true;
  readonly learns?: (facts: SendingFacts) => void;
}

/**
 * Make an attempt of the request, or of `other`, which shows whether the target responds at all or
 * accepts the token.
 */
export interface SendStep extends Again {
  readonly kind: "send";
  readonly other?: RequestSpec;
}

/** The last response to the request counts. */
export interface CountsStep extends StepEffects {
  readonly kind: "counts";
}

/**
 * Another answer is needed: to the same request, or to a control, which is a valid request like it.
 * Other requests are sent during its pause.
 */
export interface AskStep extends Again {
  readonly kind: "ask";
  readonly of: "request" | "control" | "proof";
}

/**
 * The last response is the final one. `noVerdict`: why the requirement that the request is about
 * has no verdict.
 */
export interface DoneStep extends StepEffects {
  readonly kind: "done";
  readonly noVerdict?: string;
}

/** No response counts: the request ends as inconclusive. */
export interface StopStep extends StepEffects {
  readonly kind: "stop";
  readonly reason: string;
  /** Why the requirement has no verdict, if that is nobody's fault (INT-57). */
  readonly gap?: Gap;
  /** The whole target is given up, not only the request. */
  readonly isLost?: true;
}

export type Step = SendStep | CountsStep | AskStep | DoneStep | StopStep;

/** An attempt of a request, or of a control for the request. */
export type TriedAttempt = Attempt & {
  readonly isControl: boolean;
  /** The doubt that led to the attempt, and its step: `silence, again`. */
  readonly by: string;
  /** Absent if the response was not judged yet. */
  readonly exchange?: Exchange | undefined;
};

/** A step, the doubt that chose it, and what the facts learn from the choice. */
export interface ChosenStep<N extends Step = Step> {
  readonly by: string;
  readonly step: N;
  readonly learn: (facts: SendingFacts) => void;
}

/** The last attempt of the request itself, and not of a control. Undefined if there is none yet. */
export function requestIn(tried: readonly TriedAttempt[]): TriedAttempt | undefined {
  return tried.findLast(({ isControl }) => !isControl);
}
