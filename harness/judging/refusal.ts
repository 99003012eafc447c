import { inputKindOf, type InputKind } from "../../spec/refusals.ts";
import {
  isPage,
  isRedirection,
  isRefusal,
  isSuccess,
  type Exchange,
} from "../../model/exchange.ts";
import { invalid, type Refusal } from "../../model/request.ts";
import { holds, type Judgement } from "../../model/mistake.ts";
import { brokenStatus } from "./rules/words.ts";

export interface BrokenRule {
  /** What is wrong with the request, in words that follow "a request": `with /name left out`. */
  readonly change: string;
  /** What kind of mistake it is, if `refusal` does not say so. */
  readonly input?: InputKind;
  /** How a request with this mistake must be refused, if a requirement says so. */
  readonly refusal?: Refusal;
}

type StatingRule = BrokenRule & { readonly refusal: Refusal };

const statesRefusal = (rule: BrokenRule): rule is StatingRule => rule.refusal !== undefined;

/**
 * Statuses of HTTP itself and of throttling. In a recording, such a status may not be about the
 * mistake in the request.
 */
const undecided = new Set([408, 413, 414, 425, 429, 431]);

/** HTTP servers refuse such requests by themselves, so that only a success is judged (INT-38). */
export function isExempt({ exemptBy }: Exchange): boolean {
  return exemptBy !== undefined && exemptBy !== "INT-34";
}

/** Whether the refusal is the one that any of the broken rules demands. */
export function isRight(rules: readonly BrokenRule[], exchange: Exchange): boolean {
  return rules.some(({ refusal }) =>
    refusal?.status === undefined
      ? isRefusal(exchange)
      : refusal.status === exchange.response.status,
  );
}

/**
 * Whether a right refusal is certainly about the mistake: if the target refuses the control too,
 * only a 401 is.
 */
export function isCertain({ isControlRefused }: Refusal, { response }: Exchange): boolean {
  return isControlRefused !== true || response.status === 401;
}

/** Whether the server took the request, or failed: no control can explain that. */
export function isNoRefusal(exchange: Exchange): boolean {
  return !isRefusal(exchange) && !isRedirection(exchange);
}

/**
 * What a response that counts shows of a request that must be refused. The requirement holds if
 * only one of the broken rules demands a refusal: of several, any may be the reason.
 */
export function verdictOn(rules: readonly BrokenRule[], exchange: Exchange): readonly Judgement[] {
  const stating = rules.filter(statesRefusal);
  const [rule] = stating;
  if (rule === undefined || (isExempt(exchange) && !isSuccess(exchange))) return [];
  if (isPage(exchange)) return [];
  const { change, refusal } = rule;
  const { requirement, status } = refusal;
  if (!isExempt(exchange) && isRight(rules, exchange))
    return stating.length === 1 ? [holds(requirement)] : [];
  const request = { ...exchange, intent: invalid(change, inputKindOf(requirement)) };
  const expected = status === undefined ? "a 4xx status" : `status ${status}`;
  return [brokenStatus(request, requirement, expected)];
}

/**
 * The same in a recording, where nothing can be sent again. `isAlike`: valid requests get the same
 * answer; undefined if the recording does not show that.
 */
export function recordedVerdictOn(
  rules: readonly BrokenRule[],
  exchange: Exchange,
  isAlike: boolean | undefined,
): readonly Judgement[] {
  const { status } = exchange.response;
  const verdict = verdictOn(rules, exchange);
  const refusal = rules.find(statesRefusal)?.refusal;
  if (refusal === undefined || isExempt(exchange)) return verdict;
  if (status >= 500 || undecided.has(status)) return [];
  const isClear =
    isNoRefusal(exchange) || (isRight(rules, exchange) && isCertain(refusal, exchange));
  return isClear || isAlike === false ? verdict : [];
}
