import type { Exchange, Origin } from "../../model/exchange.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";
import type { RequestSpec } from "../../model/request.ts";
import type { Judge } from "../judging/judge.ts";
import type { RuleContext } from "../judging/rules/rule.ts";
import type { Answer } from "./answer-doubts.ts";
import type { AttemptParts, Attempts } from "./attempt.ts";
import type { SendingFacts } from "./facts.ts";
import type { Session } from "./session.ts";
import type { AskStep, TriedAttempt } from "./doubt.ts";
import type { Scheduler } from "./turns.ts";

export interface SenderParts extends AttemptParts {
  readonly scheduler: Scheduler;
  readonly redaction: Redaction;
  readonly ruleContext: RuleContext;
  readonly signal: AbortSignal;
  /** Waits until no requests but those with bad credentials are sent any more. */
  readonly quiet: () => Promise<void>;
  /**
   * Called with each exchange that counts, except for those that no scenario asked for
   * (`sessionOrigin`).
   */
  readonly learn: (exchange: Exchange) => void;
}

/** What all requests of a run share. */
export interface SharedParts extends SenderParts {
  readonly facts: SendingFacts;
  readonly attempts: Attempts;
  readonly session: Session;
  readonly judge: Judge;
}

/** A request on its way: what a scenario wants to send, and what came of it so far. */
export interface Sending {
  readonly spec: RequestSpec;
  readonly origin: Origin;
  /** What is being sent now. Absent while the last answer is looked at. */
  asked: AskedRequest | undefined;
  /** The attempts since the last response that counted. */
  tried: TriedAttempt[];
  /** The responses that counted so far. */
  readonly shown: Answer[];
}

/** What is being sent: the request itself, or a control that its refusal needs. */
export interface AskedRequest extends Omit<AskStep, "kind" | "pause"> {
  readonly spec: RequestSpec;
  readonly by: string;
  /** How many waits for the end of a lock-out there were before this request. */
  readonly lockOutWaits: number;
}

export function askedIn({ asked }: Sending): AskedRequest {
  if (asked === undefined) throw new Error("nothing is sent now");
  return asked;
}

/** The last answer to the request itself. */
export function answerIn({ shown }: Sending): Answer | undefined {
  return shown.findLast(({ isControl }) => !isControl);
}

/** Whether the requirement that the request is about was broken before. */
export function isBrokenBefore(
  { refusal }: RequestSpec,
  { recorder }: Pick<SharedParts, "recorder">,
): boolean {
  return refusal !== undefined && recorder.isBroken(refusal.requirement);
}
