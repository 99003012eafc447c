import type { Exchange } from "../../../model/exchange.ts";
import { batchList } from "./batch-list.ts";
import { concurrency } from "./concurrency.ts";
import { identities } from "./identity.ts";
import { decidedByMembers, members } from "./members.ts";
import { decidedByMessage, message } from "./message.ts";
import { type Check, type Rule } from "./rule.ts";

/** A rule that is a pure function of an exchange and of what is known. */
const pure = (check: Check, rule: Omit<Rule, "create">): Rule => ({
  ...rule,
  create: (known) => ({ judge: (exchange) => check(exchange, known) }),
});

/**
 * All rules, in the order in which they judge. A run (`harness/judge.ts`) and a recording (`traffic/judge.ts`) judge by
 * the same; they differ in what they know.
 */
export const rules: readonly Rule[] = [
  pure(message, { decides: decidedByMessage, judges: "every" }),
  pure(members, { decides: decidedByMembers, judges: "unexempt" }),
  identities,
  concurrency,
  batchList,
];

export const applies = (
  { judges = "unbroken" }: Rule,
  { exemptBy, intent }: Pick<Exchange, "exemptBy" | "intent">,
): boolean => judges === "every" || (exemptBy === undefined && (judges === "unexempt" || intent.kind !== "invalid"));
