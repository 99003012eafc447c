import type { Gap } from "../../spec/gaps.ts";
import type { InterpretationId } from "../../spec/interpretations.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { RequestSpec } from "../../model/request.ts";
import type { Judgement } from "../../model/judgement.ts";
import type { Attempt, Sign } from "./attempt.ts";
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

/**
 * Send the request again, or send `other`, which shows whether the target responds at all or
 * accepts the token.
 */
export interface SendStep extends StepEffects {
  readonly kind: "send";
  readonly other?: RequestSpec;
  /** Send on a new connection. */
  readonly isFresh?: true;
  /** Send within an exclusive turn, which lasts until a response counts. */
  readonly isAlone?: true;
  readonly newToken?: true;
  /**
   * How long to wait before the request, or `other`, is sent, in milliseconds. An exclusive turn
   * begins before the wait. `forAll`: all requests wait.
   */
  readonly pause?: number;
  readonly forAll?: true;
}

/** The last response to the request counts. */
export interface CountsStep extends StepEffects {
  readonly kind: "counts";
}

/**
 * Another response is needed: to the same request, or to a control, which is a valid request like
 * it.
 */
export interface AskStep extends StepEffects {
  readonly kind: "ask";
  readonly of: "request" | "control";
  /** Send while nothing else is in flight, because a server may lock what another request uses. */
  readonly isAlone?: boolean;
  /**
   * How long to wait before the request or control is sent, in milliseconds. Other requests are
   * sent meanwhile.
   */
  readonly pause?: number;
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

/**
 * A case that sending can meet, and the step that follows. A row chooses a step, and does not wait
 * or send anything itself.
 */
export interface SendingRow<S, N extends Step = Step> {
  /**
   * The interpretation that the row follows, and the server that needs the row: a usual server if
   * there is one (INT-43), else a faulty one. After that, ids of variants or faults of the
   * reference server that behave like it.
   */
  readonly for: readonly [InterpretationId, server: string, ...ids: string[]];
  readonly when: (situation: S) => boolean;
  readonly step: (situation: S) => N;
  /** What the facts learn when the row is chosen. */
  readonly learns?: (facts: SendingFacts, situation: S) => void;
  /**
   * What the facts learn when a request ends, if the row led to an attempt of it. Returns the
   * answer to an open question if the end shows one.
   */
  readonly ends?: (facts: SendingFacts, end: RequestEnd) => Observed | undefined;
}

export type StepTable<S, N extends Step = Step> = Readonly<Record<string, SendingRow<S, N>>>;

/** An attempt of a request, or of a control for the request. */
export type TriedAttempt = Attempt & {
  readonly isControl: boolean;
  /** The row that led to the attempt. */
  readonly row: LeadingRow;
  /** Absent if the response was not judged yet. */
  readonly exchange?: Exchange | undefined;
};

/** What an attempt keeps of the row that led to it. */
export interface LeadingRow {
  readonly id: string;
  readonly ends: SendingRow<never>["ends"] | undefined;
}

/**
 * How the attempts of a request ended. `status` and `sign` are those of the last attempt; without a
 * response, the status is 0.
 */
export interface RequestEnd {
  readonly spec: RequestSpec;
  readonly counts: boolean;
  readonly status: number;
  readonly sign: Sign | undefined;
  readonly tried: readonly TriedAttempt[];
}

/** A step, the row that chose it, and what the facts learn from the choice. */
export interface ChosenStep<N extends Step = Step> {
  readonly row: LeadingRow;
  readonly step: N;
  readonly learn: (facts: SendingFacts) => void;
}

/** The step of the first row that applies. Undefined if none does. */
export function choiceOf<S, N extends Step>(
  table: StepTable<S, N>,
  situation: S,
): ChosenStep<N> | undefined {
  // Each request asks several tables, so no list of their rows is made.
  for (const id in table) {
    const row = table[id];
    if (row?.when(situation) !== true) continue;
    const learn = (facts: SendingFacts): void => row.learns?.(facts, situation);
    return { row: { id, ends: row.ends }, step: row.step(situation), learn };
  }
  return undefined;
}

/** The last attempt of the request itself, and not of a control. Undefined if there is none yet. */
export function requestIn(tried: readonly TriedAttempt[]): TriedAttempt | undefined {
  return tried.findLast(({ isControl }) => !isControl);
}

/** The request is done, and its response shows nothing more. */
export const nothing: DoneStep = { kind: "done" };

/** What comes next if no row applies. */
export const nothingStated: ChosenStep<DoneStep> = {
  row: { id: "not stated", ends: undefined },
  step: nothing,
  learn: () => undefined,
};

/** Sends the request again, or a control for it. */
export function ask(of: AskStep["of"], more: Pick<AskStep, "isAlone" | "pause"> = {}): AskStep {
  return {
    kind: "ask",
    of,
    ...more,
  };
}
