import {
  issuedToken,
  isLeftOut,
  isOtherMethod,
  isSuccess,
  jsonOf,
  lightened,
  longestToken,
  type Exchange,
  type Origin,
  type ReceivedResponse,
  type SentRequest,
} from "../../model/exchange.ts";
import { defined } from "../../model/defined.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle, type OperationName } from "../../spec/operations.ts";
import {
  formOf,
  intentOf,
  type RequestSpec,
  presentsItsOwn,
  usesSession,
} from "../../model/request.ts";
import { type Judgement, holds } from "../../model/mistake.ts";
import { batchList } from "./rules/batch-list.ts";
import { concurrency } from "./rules/concurrency.ts";
import { members } from "./rules/members.ts";
import { isReadToTheEnd, message } from "./rules/message.ts";
import { shownTwice } from "./rules/shown-twice.ts";
import type { Rule, RuleContext } from "./rules/rule.ts";
import { createMet, firstUnmet, type Limits } from "./unmet.ts";
import { counterpartyNamedIn, pairKey } from "./known-ids.ts";
import { createdBy, creationBy, distinctIds } from "./rules/distinct-ids.ts";
import { createExemptions } from "./rules/exemptions.ts";
import { batchesIn, standingObservations } from "./observations.ts";
import type { Recorder } from "../../model/evidence/recorder.ts";
import type { ResponseOutcome } from "../../model/evidence/counts.ts";
import { addIssued } from "../../model/evidence/issued-credentials.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";

/**
 * All rules, in the order in which they judge. Runs and recordings use the same rules; they differ
 * in what they know of the target.
 */
export const rules: readonly Rule[] = [
  message,
  members,
  distinctIds,
  concurrency,
  batchList,
  shownTwice,
];

export function applies(
  { judges = "unbroken" }: Rule,
  { exemptBy, intent }: Pick<Exchange, "exemptBy" | "intent">,
): boolean {
  return (
    judges === "every" ||
    (exemptBy === undefined && (judges === "unexempt" || intent.kind !== "invalid"))
  );
}

/**
 * The rules at work on the exchanges of one target, wherever the exchanges come from. The rules use
 * neither network nor clock.
 */
export function createJudging(known: RuleContext) {
  const atWork = rules.map((rule) => ({ rule, ...rule.create(known) }));
  const met = createMet(known.ids);
  let mostListed = 0;
  return {
    /** Lets the rules take note of an exchange before they judge it. */
    learn: (exchange: Exchange): void => {
      for (const { learn } of atWork) learn?.(exchange);
    },
    /**
     * Judges an exchange by all rules. Exchanges must come in the order in which they ended.
     * `hasTimes`: it is known when the exchange was sent. If not, rules that need times judge
     * nothing.
     * @defaultValue true
     */
    judge: (exchange: Exchange, hasTimes = true): readonly Judgement[] => {
      const own = atWork.filter(
        ({ rule }) => applies(rule, exchange) && (hasTimes || !rule.needsTimes),
      );
      const found = own.flatMap(({ judge }) => judge(exchange));
      // A body that was not read to its last level can show violations, but not that a requirement
      // holds.
      const isWhole = isReadToTheEnd(exchange);
      const judgements = isWhole ? found : found.filter(({ violation }) => violation !== undefined);
      met.take(exchange, found);
      keepIds(exchange, known);
      mostListed = Math.max(mostListed, listedIn(exchange));
      return judgements;
    },
    /** Why a requirement has no verdict, if it was never judged. */
    firstUnmet: (id: RequirementId, limits?: Limits) => firstUnmet(id, met, limits),
    /** Why a requirement was judged in too few responses, if it was. */
    hardlyJudged: met.exempted.mostOf,
    /** The largest number of batches in a list so far. */
    mostListed: (): number => mostListed,
  };
}

function listedIn(exchange: Exchange): number {
  return exchange.operation === "listBatches" && isSuccess(exchange)
    ? (batchesIn(exchange.json) ?? []).length
    : 0;
}

function keepIds(exchange: Exchange, { ids }: RuleContext): void {
  const made = createdBy(exchange);
  if (exchange.operation === "listBatches" && isSuccess(exchange)) ids.sawList(exchange.json);
  if (made === undefined) return;
  // An id from a valid request stays valid, even if an invalid request gets the same id later.
  const isOdd = exchange.intent.kind === "invalid" || exchange.exemptBy !== undefined;
  if (isOdd && !ids.known(made.kind, made.id)) ids.taint(made.kind, made.id);
  else ids.remember(made.kind, made.id, made.data);
}

/**
 * A request as it went out, its response, and when the request was sent, in milliseconds since the
 * run started.
 */
interface AnsweredRequest {
  readonly sent: SentRequest;
  readonly response: ReceivedResponse;
  readonly at: number;
}

interface JudgeParts {
  readonly recorder: Recorder;
  readonly redaction: Redaction;
  readonly ruleContext: RuleContext;
  /** Called with each token that a response issues. */
  readonly adopt: (token: string) => void;
}

export type Judge = ReturnType<typeof createJudge>;

/**
 * Makes an exchange of each attempt that counts. The rules judge the exchange, and the recorder
 * records it.
 */
export function createJudge({ recorder, redaction, ruleContext, adopt }: JudgeParts) {
  const known = new WeakMap<
    Exchange,
    { readonly spec: RequestSpec; violations: readonly Judgement[] }
  >();
  const rules = createJudging(ruleContext);
  const exemptions = createExemptions();
  /** The forms of bad credentials that a response has decided (`formOf`). */
  const shown = new Set<string>();
  const unread = new Set<OperationName>();
  let exchanges = 0;

  const takeToken = (exchange: Exchange): void => {
    const token =
      exchange.operation === "createToken" ? issuedToken(exchange.json)?.token : undefined;
    if (isSuccess(exchange) && token !== undefined && token.length <= longestToken) adopt(token);
  };

  /**
   * Warns, once for each operation, that a body was not read in full because it exceeds a bound.
   * That is not a violation.
   */
  const warnOfUnread = ({ operation, response: { defect } }: Exchange): void => {
    const rest = unreadTexts.get(defect?.kind ?? "");
    if (defect === undefined || rest === undefined || unread.has(operation)) return;
    unread.add(operation);
    const text = `${operationTitle(operation)}: ${defect.text}${rest}.`;
    recorder.note("warning", text);
  };

  const judge = (spec: RequestSpec, origin: Origin, answered: AnsweredRequest): Exchange => {
    exchanges += 1;
    const exchange = exchangeOf(exchanges, spec, origin, answered, exemptions);
    teach(redaction, exchange);
    takeToken(exchange);
    rules.learn(exchange);
    const judgements = rules.judge(exchange);
    const kept = lightened(exchange);
    known.set(kept, {
      spec,
      violations: judgements.filter(({ violation }) => violation !== undefined),
    });
    recorder.record(
      exchange,
      origin,
      [...heldBy(spec, exchange), ...judgements],
      outcomeOf(exchange),
    );
    warnOfUnread(exchange);
    for (const { question, case: inCase, answer } of standingObservations(exchange))
      recorder.observe(question, inCase, answer);
    return kept;
  };

  return {
    /**
     * Before an invalid request is sent, marks what it may create. In other responses, the values
     * of what is marked are not judged (INT-40).
     */
    announce: (spec: RequestSpec): void => announceTo(ruleContext, spec),
    judge,
    /**
     * Records judgements that follow the standing checks, such as that a request was refused
     * rightly.
     */
    conclude: (
      spec: RequestSpec,
      origin: Origin,
      exchange: Exchange,
      judgements: readonly Judgement[],
    ): void => {
      const found = known.get(exchange);
      if (found !== undefined)
        found.violations = [
          ...found.violations,
          ...judgements.filter(({ violation }) => violation !== undefined),
        ];
      for (const { requirement, violation } of judgements) {
        if (spec.refusal !== undefined) shown.add(formOf(spec.refusal));
        if (violation === undefined) recorder.holds([requirement], exchange);
        else recorder.violated(requirement, origin, { ...violation, exchange });
      }
    },
    /**
     * The request spec of an exchange, without the demand that it succeed. Undefined for an
     * exchange that was not judged here.
     */
    specOf: (exchange: Exchange): RequestSpec | undefined => undemanding(known.get(exchange)?.spec),
    violationsOf: (exchange: Exchange): readonly Judgement[] =>
      known.get(exchange)?.violations ?? [],
    /**
     * Whether a response has already decided a requirement in one of its forms; `formOf` makes the
     * name of a form.
     */
    isShown: (form: string): boolean => shown.has(form),
    firstUnmet: rules.firstUnmet,
    hardlyJudged: rules.hardlyJudged,
    mostListed: rules.mostListed,
  };
}

function undemanding(spec: RequestSpec | undefined): RequestSpec | undefined {
  if (spec?.mustSucceed === undefined) return spec;
  const { mustSucceed: _, awaits: __, ...sent } = spec;
  return sent;
}

/**
 * The requirements that a response shows to hold: HTTP-05, which a missing response would break,
 * and AUTH-04 after a valid request that succeeded with the token of the session.
 */
function heldBy(spec: RequestSpec, exchange: Exchange): readonly Judgement[] {
  const isAccepted = isSuccess(exchange) && usesSession(spec) && spec.intent.kind === "valid";
  return isAccepted ? [holds("HTTP-05"), holds("AUTH-04")] : [holds("HTTP-05")];
}

/** For each kind of defect, what became of the body, and what to do. */
const unreadTexts = new Map<string, string>([
  ["too large", ", and was not judged. Raise --max-body"],
  ["too many", ", and was not judged"],
  [
    "too deep",
    ", and was judged down to there. Nothing has to be done: servers that keep unknown members repeat a deep one of this run",
  ],
]);

/** Tells the redaction which credentials a response issues, and which id it gives to a resource. */
function teach(redaction: Redaction, exchange: Exchange): void {
  if (exchange.operation === "createToken") addIssued(exchange.response, redaction);
  const created = createdIn(exchange);
  if (created?.id !== undefined) redaction.addId(created.id);
}

function announceTo({ ids }: RuleContext, { operation, intent, text, body }: RequestSpec): void {
  if (intent.kind !== "invalid") return;
  if (operation === "createBatch")
    ids.taint("batch of pair", pairKey(typeof body === "function" ? undefined : body));
  const sent = text ?? body;
  const named =
    operation === "createOperation" && typeof sent !== "function"
      ? counterpartyNamedIn(sent)
      : undefined;
  if (named !== undefined) ids.taint("operation of counterparty", named);
}

function exchangeOf(
  id: number,
  spec: RequestSpec,
  origin: Origin,
  answered: AnsweredRequest,
  exemptions: ReturnType<typeof createExemptions>,
): Exchange {
  const { operation } = spec;
  const { sent: request, response, at } = answered;
  const intent = intentOf(spec);
  const candidate = {
    operation,
    intent,
    request,
    response,
    exemptBy: spec.exemptBy,
    path: Object.values(spec.path ?? {}),
    // A request with credentials of its own counts even without a stated refusal: the answer to a
    // good token in an unusual form is observed (INT-46).
    statesRefusal: spec.refusal !== undefined || presentsItsOwn(spec),
  };
  exemptions.learn(candidate);
  const exemptBy = exemptions.of(candidate);
  const json = jsonOf(response);
  return { id, operation, intent, scenario: origin.name, request, response, at, json, exemptBy };
}

/**
 * Whether an exchange shows that its operation works, and what the exchange created, however
 * unusual the request was.
 */
function outcomeOf(exchange: Exchange): ResponseOutcome {
  const { intent, exemptBy, response } = exchange;
  if (!isSuccess(exchange)) return {};
  const counts = intent.kind !== "invalid" && exemptBy === undefined;
  const created = createdIn(exchange);
  return { succeeded: counts && !isLeftOut(response), ...defined({ created }) };
}

/**
 * What a success created: its kind, and its id if the response has one that a request could name.
 * An ACAM item has the id of its operation. Undefined if nothing was created.
 */
function createdIn(exchange: Exchange): ResponseOutcome["created"] {
  const { operation, request } = exchange;
  if (operation === "addAcamItem" && !isOtherMethod(exchange)) {
    const operationId = new URL(request.url).pathname.split("/").at(-2) ?? "";
    return { kind: "acam item", id: decodeURIComponent(operationId) };
  }
  const creation = creationBy(exchange);
  if (creation === undefined) return undefined;
  const { kind, id } = creation;
  return typeof id === "string" && id !== "" ? { kind, id } : { kind };
}
