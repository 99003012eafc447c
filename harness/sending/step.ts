import type { Gap } from "../../spec/gaps.ts";
import type { InterpretationId } from "../../spec/interpretations.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { RequestSpec } from "../../model/request.ts";
import type { Judgement } from "../../model/judgement.ts";
import type { Attempt, Sign } from "./attempt.ts";
import type { SendingFacts } from "./facts.ts";

/** What a row shows besides what comes next. */
interface Effects {
  readonly judgements?: readonly Judgement[];
  readonly observes?: Observed;
  /** What the run waits for, in words. */
  readonly waiting?: string;
}

/** An answer to an open question that any request may give. */
export type Observed = readonly [question: "OPEN-19" | "OPEN-27", answer: string];

/**
 * The request again, or `other`, which tells whether the target responds at all, or accepts the
 * token.
 */
export interface Send extends Effects {
  readonly kind: "send";
  readonly other?: RequestSpec;
  /** On a connection of its own. */
  readonly isFresh?: true;
  /** Within an exclusive turn, which lasts until a response counts. */
  readonly isAlone?: true;
  readonly newToken?: true;
  /**
   * Milliseconds to wait before, within the exclusive turn if there is one. `forAll`: all requests
   * wait.
   */
  readonly pause?: number;
  readonly forAll?: true;
}

/** The last response of the request counts. */
export interface Counts extends Effects {
  readonly kind: "counts";
}

/** A further response is needed: to the same request, or to a valid request like it. */
export interface Ask extends Effects {
  readonly kind: "ask";
  readonly of: "request" | "control";
  /** While nothing else is in flight: a server may lock what another request uses. */
  readonly isAlone?: boolean;
  /** Milliseconds to wait before, while others are sent. */
  readonly pause?: number;
}

/**
 * The last response is the answer. `noVerdict`: why the requirement that the request is about has
 * no verdict.
 */
export interface Done extends Effects {
  readonly kind: "done";
  readonly noVerdict?: string;
}

/** No response counts. */
export interface Stop extends Effects {
  readonly kind: "stop";
  readonly reason: string;
  /** What was missing, if that is nobody's fault (INT-57). */
  readonly gap?: Gap;
  /** The target is given up, not the request alone. */
  readonly isLost?: true;
}

export type Step = Send | Counts | Ask | Done | Stop;

/** A case that sending meets, and what then comes next. It knows no time and no network. */
export interface Row<S, N extends Step = Step> {
  /**
   * The interpretation that the row follows, and the server that needs it: a usual one (INT-43),
   * else a faulty one. Then the ids of variants or faults of the reference server that are such a
   * server.
   */
  readonly for: readonly [InterpretationId, server: string, ...ids: string[]];
  readonly when: (situation: S) => boolean;
  readonly step: (situation: S) => N;
  /** What its choice shows of the target. */
  readonly learns?: (facts: SendingFacts, situation: S) => void;
  /** What the end of a request shows to which the row led an attempt. */
  readonly ends?: (facts: SendingFacts, end: End) => Observed | undefined;
}

export type StepTable<S, N extends Step = Step> = Readonly<Record<string, Row<S, N>>>;

/** An attempt of a request, or of a control for it. */
export type Tried = Attempt & {
  readonly isControl: boolean;
  /** The row that led to it. */
  readonly row: Led;
  /** Absent if nothing was judged yet. */
  readonly exchange?: Exchange | undefined;
};

/** A row, as attempts that it led to remember it. */
export interface Led {
  readonly id: string;
  readonly ends: Row<never>["ends"] | undefined;
}

/**
 * How the attempts for a request ended. `status` and `sign` are of the last attempt; the status is
 * 0 without a response.
 */
export interface End {
  readonly spec: RequestSpec;
  readonly counts: boolean;
  readonly status: number;
  readonly sign: Sign | undefined;
  readonly tried: readonly Tried[];
}

/** A step, the row that chose it, and what that shows of the target. */
export interface Choice<N extends Step = Step> {
  readonly row: Led;
  readonly step: N;
  readonly learn: (facts: SendingFacts) => void;
}

/** The choice of the first row that applies; undefined if none does. */
export function choiceOf<S, N extends Step>(
  table: StepTable<S, N>,
  situation: S,
): Choice<N> | undefined {
  for (const [id, row] of Object.entries(table))
    if (row.when(situation)) {
      const learn = (facts: SendingFacts): void => row.learns?.(facts, situation);
      return { row: { id, ends: row.ends }, step: row.step(situation), learn };
    }
  return undefined;
}

/** The last attempt of the request itself. */
export function requestIn(tried: readonly Tried[]): Tried | undefined {
  return tried.findLast(({ isControl }) => !isControl);
}
