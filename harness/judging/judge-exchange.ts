import { isSuccess, type Exchange } from "../../model/exchange.ts";
import type { Judgement } from "../../model/finding.ts";
import { holds, type Knowledge } from "./rules/rule.ts";
import { createdBy } from "./rules/identity.ts";
import { checksOf } from "./rules/index.ts";

/**
 * The judgements of the standing checks on an exchange from any source, without network and clock. Adds the ids in the
 * exchange to `knowledge`, so exchanges must be judged in the order in which they ended.
 */
export const judgeExchange = (exchange: Exchange, knowledge: Knowledge): readonly Judgement[] => {
  const judgements = withoutRepeats([
    // HTTP-05 holds, because there is a response.
    holds("HTTP-05"),
    ...checksOf(exchange).flatMap((check) => check(exchange, knowledge)),
  ]);
  const made = createdBy(exchange);
  if (exchange.operation === "listBatches" && isSuccess(exchange)) knowledge.identities.sawList();
  if (made === undefined) return judgements;
  // An id that a valid request received stays valid, even if an invalid request receives it again.
  const isOdd = exchange.intent.kind === "invalid" || exchange.exemptBy !== undefined;
  const isOurs = isOdd && !knowledge.identities.known(made.kind, made.id);
  if (isOurs) knowledge.identities.taint(made.kind, made.id);
  else knowledge.identities.remember(made.kind, made.id, made.data);
  return judgements;
};

/** One violation for each requirement and place: the one of the first check that found it. */
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
