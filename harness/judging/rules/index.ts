import { isSuccess, fieldOf, isOtherMethod, isRedirection, isRefusal, utf8 } from "../../../model/exchange.ts";
import type { Exchange } from "../../../model/exchange.ts";
import { absence } from "./absence.ts";
import { batchList } from "./batch-list.ts";
import { concurrency } from "./concurrency.ts";
import { identities, createdBy } from "./identity.ts";
import { decidedByMembers, members } from "./members.ts";
import { decidedByMessage, message } from "./message.ts";
import type { Check, Rule, Knowledge } from "./rule.ts";
import type { Judgement } from "../../../model/finding.ts";
import type { InterpretationId } from "../../../spec/interpretations.ts";

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
      return judgements;
    },
    unmet: () => atWork.flatMap(({ unmet }) => unmet?.() ?? []),
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

type Part = Pick<Exchange, "operation" | "request" | "response">;

/** Requests and responses of which only a crash is judged, each with the interpretation that says so. */
const exemptions: readonly (readonly [InterpretationId, (exchange: Part) => boolean])[] = [
  // The specification does not redirect: a 304 is different, because it stands for an earlier list.
  ["INT-34", ({ response }) => isRedirection({ response }) && response.status !== 304],
  ["INT-38", isOtherMethod],
  ["INT-38", ({ response }) => response.status === 414 || response.status === 431],
  ["INT-38", (exchange) => isRefusal(exchange) && /%(?:5b|5d|25|20)/i.test(exchange.request.url)],
  ["INT-41", ({ request }) => request.body !== undefined && utf8(request.body) === undefined],
  ["INT-41", ({ request }) => !isDecodable(request.url)],
  ["INT-44", ({ request }) => !/^(identity)?$/i.test(fieldOf(request.headers, "content-encoding") ?? "")],
];

/** The interpretation by which only a crash is judged in an exchange: it follows from what was sent and received. */
export const exemptionOf = (exchange: Part): InterpretationId | undefined =>
  exemptions.find(([, applies]) => applies(exchange))?.[0];

/** Whether the percent-encoded bytes of a URL are UTF-8. */
const isDecodable = (url: string): boolean => {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
};
