import { requirementOf, type RequirementId } from "../../spec/catalogue.ts";
import type { Rule, RuleContext } from "../judging/rules/rule.ts";
import type { Judgement } from "../../model/mistake.ts";
import { applies, createJudging, rules } from "../judging/judge.ts";
import type { Exchange } from "../../model/exchange.ts";
import { createKnownIds } from "../judging/known-ids.ts";
import { schemas } from "./contract.ts";

/** What rules know at the start of a run. */
export function nothingKnown(): RuleContext {
  return {
    schemas,
    ids: createKnownIds(),
    grace: 5000,
  };
}

/** The judgements of all rules on a single exchange, given what earlier exchanges have shown. */
export function judgeExchange(exchange: Exchange, known: RuleContext): readonly Judgement[] {
  return createJudging(known).judge(exchange);
}

/**
 * The judgements of a rule, each on a line: `OPER-02 holds`, or `OPER-02 message | expected |
 * actual | pointer`.
 */
export function said(rule: Rule, exchange: Exchange, known = nothingKnown()): readonly string[] {
  return rule.create(known).judge(exchange).map(lineOf);
}

/**
 * The judgements of a rule on an exchange after others, in short form:
 * `OPER-02 holds`, or `OPER-02` and what came in place of what was expected.
 */
export function saidAfter(
  rule: Rule,
  learnt: readonly Exchange[],
  exchange: Exchange,
): readonly string[] {
  const { judge, learn } = rule.create(nothingKnown());
  for (const one of learnt) {
    if (applies(rule, one)) judge(one);
    learn?.(one);
  }
  return judge(exchange).map(shortLineOf);
}

/** Returns what a judgement says in short form, as `saidAfter` gives it. */
export function shortLineOf({ requirement, violation, noVerdict = "holds" }: Judgement): string {
  return `${requirement} ${violation?.actual ?? noVerdict}`;
}

/** The requirements that any rule finds broken, each once, in the order of the rules. */
export function brokenIn(exchange: Exchange, known = nothingKnown()): readonly RequirementId[] {
  return idsOf(exchange, known, true);
}

/** The MUST requirements that any rule finds broken, each once. */
export function mustsBrokenIn(
  exchange: Exchange,
  known = nothingKnown(),
): readonly RequirementId[] {
  return brokenIn(exchange, known).filter((id) => requirementOf(id).level === "MUST");
}

/**
 * What all rules say of an exchange, given what earlier exchanges have shown. Nothing is learnt
 * from the exchange.
 */
export function judged(exchange: Exchange, known: RuleContext): readonly Judgement[] {
  return rules
    .filter((rule) => applies(rule, exchange))
    .flatMap((rule) => rule.create(known).judge(exchange));
}

function idsOf(exchange: Exchange, known: RuleContext, broken: boolean): readonly RequirementId[] {
  return [
    ...new Set(
      judged(exchange, known)
        .filter(({ violation }) => (violation !== undefined) === broken)
        .map(({ requirement }) => requirement),
    ),
  ];
}

/** Returns a judgement as one line of text, as `said` gives it. */
export function lineOf({ requirement, violation, noVerdict = "holds" }: Judgement): string {
  return violation === undefined
    ? `${requirement} ${noVerdict}`
    : `${requirement} ${[violation.message, violation.expected, violation.actual, violation.pointer ?? "-"].join(" | ")}`;
}
