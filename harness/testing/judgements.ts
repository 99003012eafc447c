import { requirementOf, type RequirementId } from "../../spec/catalogue.ts";
import type { Check, Knowledge } from "../judging/rules/rule.ts";
import type { Judgement } from "../../model/judgement.ts";
import { applies, createJudging, rules } from "../judging/judge.ts";
import type { Exchange } from "../../model/exchange.ts";
import { createIdentities } from "../judging/identities.ts";
import { schemas } from "./contract.ts";

/** A run that has seen nothing yet. */
export const nothingKnown = (): Knowledge => ({ schemas, identities: createIdentities(), grace: 5000 });

/** The judgements on a single exchange, after those that led to this knowledge. */
export const judgeExchange = (exchange: Exchange, known: Knowledge): readonly Judgement[] =>
  createJudging(known).judge(exchange);

/** The judgements of a check, one a line: `OPER-02 holds`, or `OPER-02 message | expected | actual | pointer`. */
export const said = (check: Check, exchange: Exchange, known = nothingKnown()): readonly string[] =>
  check(exchange, known).map(lineOf);

/** The requirements that any of the standing checks finds broken, each once, in order. */
export const brokenIn = (exchange: Exchange, known = nothingKnown()): readonly RequirementId[] =>
  idsOf(exchange, known, true);

/** Those of them that fail a run. */
export const mustsBrokenIn = (exchange: Exchange, known = nothingKnown()): readonly RequirementId[] =>
  brokenIn(exchange, known).filter((id) => requirementOf(id).level === "MUST");

/** What all rules say of an exchange, after those that led to this knowledge; nothing is learnt from it. */
export const judged = (exchange: Exchange, known: Knowledge): readonly Judgement[] =>
  rules.filter((rule) => applies(rule, exchange)).flatMap((rule) => rule.create(known).judge(exchange));

const idsOf = (exchange: Exchange, known: Knowledge, broken: boolean): readonly RequirementId[] => [
  ...new Set(
    judged(exchange, known)
      .filter(({ violation }) => (violation !== undefined) === broken)
      .map(({ requirement }) => requirement),
  ),
];

/** A judgement as `said` gives it, with the cause by which reports group findings. */
export const wholeLineOf = (judgement: Judgement): string =>
  [lineOf(judgement), ...Object.values(judgement.violation?.cause ?? {})].join(" | ");

const lineOf = ({ requirement, violation, noVerdict = "holds" }: Judgement): string =>
  violation === undefined
    ? `${requirement} ${noVerdict}`
    : `${requirement} ${[violation.message, violation.expected, violation.actual, violation.pointer ?? "-"].join(" | ")}`;
