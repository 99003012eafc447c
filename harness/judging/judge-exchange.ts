import { isSuccess, type Exchange } from "../../model/exchange.ts";
import type { Judgement } from "../../model/finding.ts";
import { createdBy } from "./rules/identity.ts";
import { applies, rules } from "./rules/index.ts";
import type { Knowledge } from "./rules/rule.ts";

/** All rules at work on the exchanges of one target, from any source, without network and clock. */
export interface Judging {
  /** Takes note of an exchange that will be judged, or that is judged next. */
  readonly learn: (exchange: Exchange) => void;
  /** Exchanges must be judged in the order in which they ended. `hasTimes`: it is known when. @defaultValue true */
  readonly judge: (exchange: Exchange, hasTimes?: boolean) => readonly Judgement[];
  /** Why requirements that no exchange showed have no verdict. */
  readonly unmet: () => readonly (Judgement & { readonly noVerdict: string })[];
}

export const createJudging = (known: Knowledge): Judging => {
  const atWork = rules.map((rule) => ({ rule, ...rule.create(known) }));
  return {
    learn: (exchange) => {
      for (const { learn } of atWork) learn?.(exchange);
    },
    judge: (exchange, hasTimes = true) => {
      const own = atWork.filter(({ rule }) => applies(rule, exchange) && (hasTimes || !rule.needsTimes));
      const judgements = withoutRepeats(own.flatMap(({ judge }) => judge(exchange)));
      keepIdentities(exchange, known);
      return judgements;
    },
    unmet: () => atWork.flatMap(({ unmet }) => unmet?.() ?? []),
  };
};

/** The judgements on a single exchange, after those that led to this knowledge. */
export const judgeExchange = (exchange: Exchange, known: Knowledge): readonly Judgement[] =>
  createJudging(known).judge(exchange);

const keepIdentities = (exchange: Exchange, { identities }: Knowledge): void => {
  const made = createdBy(exchange);
  if (exchange.operation === "listBatches" && isSuccess(exchange)) identities.sawList();
  if (made === undefined) return;
  // An id that a valid request received stays valid, even if an invalid request receives it again.
  const isOdd = exchange.intent.kind === "invalid" || exchange.exemptBy !== undefined;
  if (isOdd && !identities.known(made.kind, made.id)) identities.taint(made.kind, made.id);
  else identities.remember(made.kind, made.id, made.data);
};

/** One violation for each requirement and place: the one of the first rule that found it. */
const withoutRepeats = (judgements: readonly Judgement[]): readonly Judgement[] => {
  const violated = new Set(
    judgements.filter(({ violation }) => violation !== undefined).map(({ requirement }) => requirement),
  );
  const seen = new Set<string>();
  return judgements.filter(({ requirement, violation }) => {
    const key = violation === undefined ? requirement : `${requirement} ${violation.pointer ?? ""}`;
    if (seen.has(key) || (violation === undefined && violated.has(requirement))) return false;
    seen.add(key);
    return true;
  });
};
