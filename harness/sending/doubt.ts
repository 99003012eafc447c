import type { Gap } from "../../spec/gaps.ts";
import { jsonOf, messageOf, type Exchange } from "../../model/exchange.ts";
import type { Judgement } from "../../model/mistake.ts";
import type { Attempt } from "./attempt.ts";
import type { RequestSpec } from "../../model/request.ts";
import { operationTitle } from "../../spec/operations.ts";
import { enough, type SendingFacts } from "./facts.ts";

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
export interface ChosenStep {
  readonly by: string;
  readonly step: Step;
  readonly learn: (facts: SendingFacts) => void;
}

/** The last attempt of the request itself, and not of a control. Undefined if there is none yet. */
export function requestIn(tried: readonly TriedAttempt[]): TriedAttempt | undefined {
  return tried.findLast(({ isControl }) => !isControl);
}

/** What a doubt looks at: a request, and all that was sent for it, the oldest first. */
interface InDoubt {
  readonly spec: RequestSpec;
  readonly facts: Readonly<SendingFacts>;
  readonly history: readonly { readonly isControl: boolean; readonly by: string }[];
}

/** What follows in the end, and what is learnt from it. */
export interface Conclusion<S> {
  /** Undefined: the next doubt decides. */
  readonly step: (s: S) => Step | undefined;
  readonly learns?: (facts: SendingFacts, s: S) => void;
}

/**
 * A reason why the last response to a request may not say what the server makes of the request, and
 * how that is found out. `examine` is the procedure, the same for all doubts.
 */
export interface Doubt<S extends InDoubt> {
  /** Whether the last response to the request itself leaves this doubt. */
  readonly when: (s: S) => boolean;
  /** How the request is sent again for the nth time, from 0. Undefined: not again. */
  readonly again?: (nth: number, s: S) => Again | undefined;
  /**
   * The doubt was examined often enough: after so many repetitions this follows, or else the next
   * doubt is asked.
   */
  readonly known?: Partial<Conclusion<S>> & {
    readonly after: number;
    /** How often in a row the doubt has to stay. @defaultValue three times */
    readonly often?: number;
    /** @defaultValue it stayed so often */
    readonly is?: (s: S, isExamined: boolean) => boolean;
  };
  /** What a doubt that stayed says something of. @defaultValue the operation */
  readonly of?: (s: S) => string;
  /** What the request is compared with. Undefined: nothing. */
  readonly control?: (s: S) => RequestSpec | "proof" | undefined;
  /** Whether the control shows that the target treats everything so for now. */
  readonly isNoBetter?: (s: S) => boolean;
  /** How the request is sent for the nth time while the control fares no better. */
  readonly outage?: (nth: number, s: S) => Again | undefined;
  /** How the request is sent once more after a control that fared better. */
  readonly confirmed?: (s: S) => Again | undefined;
  /** What follows if the control never fared better. @defaultValue `stays` */
  readonly down?: Conclusion<S>;
  /** What follows if the doubt stays although the control fared better. @defaultValue it counts */
  readonly stays?: Conclusion<S>;
  /** What is learnt, and observed, if the doubt went away when the request was sent again. */
  readonly passes?: (facts: SendingFacts, first: S) => Observed | undefined | void;
}

export type Doubts<S extends InDoubt> = Readonly<Record<string, Doubt<S>>>;

/** What the doubts about attempts look at. */
export interface Situation {
  readonly spec: RequestSpec;
  readonly facts: Readonly<SendingFacts>;
  readonly history: readonly TriedAttempt[];
  /** The last attempt, of the request itself or of a control. */
  readonly last: TriedAttempt;
  /** The last attempt of the request itself. */
  readonly request: TriedAttempt;
  /** The status of that attempt. 0 if there was no response. */
  readonly status: number;
}

/** A table of doubts about attempts. */
export type AttemptDoubts = Doubts<Situation>;

export function titleOf({ spec }: Pick<Situation, "spec">): string {
  return operationTitle(spec.operation);
}

/** What an attempt came to, in words for a reason. */
export function wordsOf({ response, failure }: TriedAttempt): string {
  return response === undefined
    ? (failure?.message ?? "")
    : messageOf({ response, json: jsonOf(response) });
}

export const counts = { kind: "counts" } as const;

export function stop(reason: string): StopStep {
  return { kind: "stop", reason };
}

/** Makes the step that sends the request again, or a control. */
type Send = (again: Again, control: RequestSpec | "proof" | undefined) => Step;

/** The step of the first doubt that has one. Undefined: the response counts. */
export function stepInDoubt<S extends InDoubt>(
  doubts: Doubts<S>,
  s: S,
  send: Send,
): ChosenStep | undefined {
  for (const id in doubts) {
    const doubt = doubts[id];
    if (doubt?.when(s) !== true) continue;
    const step = examine(id, doubt, s, send);
    if (step !== undefined) return step;
  }
  return undefined;
}

/**
 * How a doubt is examined:
 *
 * 1. The request is sent again (`again`).
 * 2. If the doubt stays, a control is sent. If that fares no better, the request is sent again after
 *    a pause (`outage`), then the control, and so on; in the end the target counts as down.
 * 3. If the control fares better, the request is sent once more (`confirmed`), and the control.
 * 4. If the doubt still stays, it is the server's answer.
 *
 * What stayed often enough at an operation is `known`, and is not examined again. Each response is
 * compared once for each doubt, and repetitions are counted, so that every examination ends.
 */
function examine<S extends InDoubt>(
  id: string,
  doubt: Doubt<S>,
  s: S,
  send: Send,
): ChosenStep | undefined {
  const { again, known, control, isNoBetter, outage, confirmed, stays, down = stays } = doubt;
  // The names of the steps are all that the procedure remembers: `silence, again`.
  const by = (name: string): string => `${id}, ${name}`;
  /** How often a step of this name was taken for the request. */
  const times = (name: string): number => s.history.filter((one) => one.by === by(name)).length;
  const repeat = (name: string, how: Again | undefined): ChosenStep | undefined =>
    how && { by: by(name), step: send(how, undefined), learn: (facts) => how.learns?.(facts) };
  const conclude = (
    name: "known" | "down" | "stays",
    conclusion: Partial<Conclusion<S>> | undefined,
  ): ChosenStep | undefined => {
    const step = conclusion?.step?.(s);
    if (step === undefined) return undefined;
    const learn = (facts: SendingFacts): void => {
      if (name === "stays") stayed(facts, id, subjectOf(doubt, s));
      conclusion?.learns?.(facts, s);
    };
    return { by: by(name), step, learn };
  };
  const isCompared = s.history.at(-1)?.by === by("control");
  const sinceRequest = s.history.slice(s.history.findLastIndex(({ isControl }) => !isControl) + 1);
  // Another doubt about the same response was examined since. Compared again, the two would take
  // turns for ever.
  if (!isCompared && sinceRequest.some((one) => one.by === by("control"))) return undefined;
  if (isCompared && isNoBetter?.(s) !== true) {
    const once = times("confirmed") === 0 ? confirmed?.(s) : undefined;
    return repeat("confirmed", once) ?? conclude("stays", stays);
  }
  if (!isCompared) {
    const isOften = isExamined(s.facts, id, subjectOf(doubt, s), known?.often);
    const isKnown = known !== undefined && (known.is?.(s, isOften) ?? isOften);
    const isOver = isKnown && times("again") >= known.after;
    const next = isOver ? undefined : again?.(times("again"), s);
    if (next !== undefined) return repeat("again", next);
    if (isKnown) return conclude("known", known);
    if (control === undefined) return conclude("stays", stays);
    const other = control(s);
    if (other !== undefined)
      return { by: by("control"), step: send({}, other), learn: () => undefined };
  }
  return repeat("outage", outage?.(times("outage"), s)) ?? conclude("down", down);
}

/** What a doubt that stayed says something of. */
export function subjectOf<S extends InDoubt>({ of }: Doubt<S>, s: S): string {
  return of?.(s) ?? s.spec.operation;
}

/** Whether a doubt stayed so often in a row that it is not examined again. */
export function isExamined(
  { examined }: Readonly<SendingFacts>,
  id: string,
  of: string,
  often = enough,
): boolean {
  return (examined.get(`${id} ${of}`) ?? 0) >= often;
}

/** Notes that a doubt stayed once more. */
export function stayed({ examined }: SendingFacts, id: string, of: string): void {
  examined.set(`${id} ${of}`, (examined.get(`${id} ${of}`) ?? 0) + 1);
}
