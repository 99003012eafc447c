import { isRefusal, isSuccess, messageOf, type Exchange } from "../../model/exchange.ts";
import type { Judgement } from "../../model/finding.ts";
import { broken, holds } from "../../harness/judging/rules/rule.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { BrokenRule, Refusal } from "../requests/rule.ts";
import type { Facts } from "./facts.ts";

/** Statuses that say nothing about the request: throttling, a server or a gateway in trouble, an idle connection. */
const undecided = new Set([408, 413, 414, 425, 429, 431]);

/**
 * Whether a request that breaks rules was refused as it must be. If it breaks several rules, any refusal that one of
 * them states is right. If it was accepted, only the requirement of the first rule fails.
 */
export const judgeRefusal = (exchange: Exchange, rules: readonly BrokenRule[], facts: Facts): readonly Judgement[] => {
  const stated = rules.flatMap((rule) => (rule.refusal === undefined ? [] : [{ rule, refusal: rule.refusal }]));
  const [first] = stated;
  if (first === undefined || exchange.exemptBy !== undefined) return [];
  const { status } = exchange.response;
  if (isSuccess(exchange)) return [blame(exchange, first.rule, first.refusal)];
  if (!isRefusal(exchange) || undecided.has(status)) return [];
  // The refusal may be for another rule, for which no status is stated.
  const isFree = stated.length < rules.length || stated.some(({ refusal }) => refusal.status === undefined);
  const isRight = isFree || stated.some(({ refusal }) => refusal.status === status);
  if (isRight) return stated.length === 1 ? [holds(first.refusal.requirement)] : [];
  // A quota or a firewall refuses before it reads the request.
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
