import { isSuccess } from "../../../model/exchange.ts";
import type { Exchange } from "../../../model/exchange.ts";
import { absence } from "./absence.ts";
import { batchList } from "./batch-list.ts";
import { concurrency } from "./concurrency.ts";
import { identities, createdBy } from "./identity.ts";
import { createLeftOut } from "./left-out.ts";
import { decidedByMembers, members } from "./members.ts";
import { decidedByMessage, message } from "./message.ts";
import type { Check, Rule, Knowledge } from "./rule.ts";
import type { Judgement } from "../../../model/judgement.ts";

const pure = (check: Check, rule: Omit<Rule, "create">): Rule => ({
  ...rule,
  create: (known) => ({ judge: (exchange) => check(exchange, known) }),
});

/** All rules, in the order in which they judge. A run and a recording judge alike; they differ in what they know. */
export const rules: readonly Rule[] = [
  pure(message, { decides: decidedByMessage, judges: "every" }),
  pure(members, { decides: decidedByMembers, judges: "unexempt" }),
  identities,
  concurrency,
  batchList,
  absence,
];

export const applies = (
  { judges = "unbroken" }: Rule,
  { exemptBy, intent }: Pick<Exchange, "exemptBy" | "intent">,
): boolean => judges === "every" || (exemptBy === undefined && (judges === "unexempt" || intent.kind !== "invalid"));

/** All rules at work on the exchanges of one target, from any source, without network and clock. */
export const createJudging = (known: Knowledge) => {
  const atWork = rules.map((rule) => ({ rule, ...rule.create(known) }));
  const leftOut = createLeftOut();
  return {
    /** Takes note of an exchange that will be judged, or that is judged next. */
    learn: (exchange: Exchange): void => {
      for (const { learn } of atWork) learn?.(exchange);
    },
    /** Exchanges must be judged in the order in which they ended. `hasTimes`: it is known when. @defaultValue true */
    judge: (exchange: Exchange, hasTimes = true): readonly Judgement[] => {
      const own = atWork.filter(({ rule }) => applies(rule, exchange) && (hasTimes || !rule.needsTimes));
      const found = own.flatMap(({ judge }) => judge(exchange));
      // Nothing holds of a body that was not read to its last level.
      const isWhole = exchange.response.defect?.kind !== "too deep";
      const judgements = isWhole ? found : found.filter(({ violation }) => violation !== undefined);
      keepIdentities(exchange, known);
      leftOut.count(exchange, judgements);
      return judgements;
    },
    unmet: () => [...atWork.flatMap(({ unmet }) => unmet?.() ?? []), ...leftOut.all()],
    /** The requirements that hold in a few exchanges alone, as most of their kind were exempt for one reason. */
    hardlyJudged: leftOut.most,
  };
};

const keepIdentities = (exchange: Exchange, { identities }: Knowledge): void => {
  const made = createdBy(exchange);
  if (exchange.operation === "listBatches" && isSuccess(exchange)) identities.sawList();
  if (made === undefined) return;
  // An id that a valid request received stays valid, even if an invalid request receives it again.
  const isOdd = exchange.intent.kind === "invalid" || exchange.exemptBy !== undefined;
  if (isOdd && !identities.known(made.kind, made.id)) identities.taint(made.kind, made.id);
  else identities.remember(made.kind, made.id, made.data);
};
