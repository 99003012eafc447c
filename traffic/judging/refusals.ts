import { isRefusal, isSuccess, messageOf, type Exchange } from "../../model/exchange.ts";
import type { Judgement } from "../../model/finding.ts";
import { broken, holds } from "../../harness/judging/checks/check.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { BrokenRule, Refusal } from "../requests/rule.ts";
import type { Facts } from "./facts.ts";

/** Statuses that say nothing of the request: throttling, a server or a gateway in trouble, a connection that was idle. */
const undecided = new Set([408, 413, 414, 425, 429, 431]);

/**
 * Whether a request that breaks rules was refused as it must be. With several rules broken, the refusal that any of
 * them states is right. An acceptance is blamed on the first rule alone.
 */
export const judgeRefusal = (exchange: Exchange, rules: readonly BrokenRule[], facts: Facts): readonly Judgement[] => {
  const stated = rules.flatMap((rule) => (rule.refusal === undefined ? [] : [{ rule, refusal: rule.refusal }]));
  const [first] = stated;
  if (first === undefined || exchange.offContract) return [];
  const { status } = exchange.response;
  if (isSuccess(exchange)) return [blame(exchange, first.rule, first.refusal)];
  if (!isRefusal(exchange) || undecided.has(status)) return [];
  // Another rule, of which no status is stated, may be what it was refused for.
  const isFree = stated.length < rules.length || stated.some(({ refusal }) => refusal.status === undefined);
  const isRight = isFree || stated.some(({ refusal }) => refusal.status === status);
  if (isRight) return stated.length === 1 ? [holds(first.refusal.requirement)] : [];
  // A quota or a firewall refuses before it looks at what is asked for.
  return facts.refusesValidAlike(exchange) ? [] : [blame(exchange, first.rule, first.refusal)];
};

const blame = (exchange: Exchange, { change }: BrokenRule, { requirement, status }: Refusal): Judgement => {
  const expected = status === undefined ? "a 4xx status" : `status ${status}`;
  return broken(requirement, {
    message: `${operationTitle(exchange.operation)} answers a request ${change} with ${exchange.response.status}.`,
    expected: status === undefined ? "a refusal: a 4xx status" : expected,
    actual: `status ${messageOf(exchange)}`,
    cause: { expected, actual: `status ${exchange.response.status}` },
  });
};
