import { issuedToken } from "../../model/token.ts";
import { defined } from "../../model/defined.ts";
import { setImmediate } from "node:timers/promises";
import { operationTitle, type OperationName } from "../../spec/operations.ts";
import { fieldOf, isLeftOut, isOtherMethod, isSuccess, jsonOf } from "../../model/exchange.ts";
import { formOf, intentOf, type RequestSpec } from "../../model/request.ts";
import { longestToken } from "../../model/exchange.ts";
import type { Exchange, Origin, ReceivedResponse } from "../../model/exchange.ts";
import type { ResponseCount } from "../../model/evidence/messages.ts";
import type { Judgement } from "../../model/judgement.ts";
import { holds, type Knowledge } from "../judging/rules/rule.ts";
import { counterpartyNamedIn, pairKey } from "../judging/identities.ts";
import { creationBy } from "../judging/rules/identity.ts";
import { createExemptions } from "../judging/rules/exemptions.ts";
import { createJudging } from "../judging/rules/index.ts";
import { standingObservations } from "../judging/observations.ts";
import type { Recorder } from "../../model/evidence/recorder.ts";
import { addIssued } from "../../model/evidence/credentials.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";
import type { Session } from "./session.ts";
import { type Attempt, presentsItsOwn, usesSession } from "./attempt.ts";

export type AnsweredAttempt = Attempt & { readonly response: ReceivedResponse };

interface JudgeParts {
  readonly recorder: Recorder;
  readonly redaction: Redaction;
  readonly knowledge: Knowledge;
  readonly session: Pick<Session, "adopt">;
}

export type Judge = ReturnType<typeof createJudge>;

/** Turns attempts into exchanges, which the rules judge and the recorder records. */
export const createJudge = ({ recorder, redaction, knowledge, session }: JudgeParts) => {
  const known = new WeakMap<Exchange, { readonly spec: RequestSpec; violations: readonly Judgement[] }>();
  const rules = createJudging(knowledge);
  const exemptions = createExemptions();
  const refusals = createRefusals(recorder);
  const unread = new Set<OperationName>();
  let exchanges = 0;

  const takeToken = (exchange: Exchange): void => {
    const token = exchange.operation === "createToken" ? issuedToken(exchange.json)?.token : undefined;
    if (isSuccess(exchange) && token !== undefined && token.length <= longestToken) session.adopt(token);
  };

  /** A body that is too much to read is not a violation. Warns about it once for each operation. */
  const warnOfUnread = ({ operation, response: { defect } }: Exchange): void => {
    const rest = unreadTexts.get(defect?.kind ?? "");
    if (defect === undefined || rest === undefined || unread.has(operation)) return;
    unread.add(operation);
    const text = `${operationTitle(operation)}: ${defect.text}, and was not judged${rest}.`;
    recorder.note("warning", text);
  };

  const judge = async (spec: RequestSpec, origin: Origin, answered: AnsweredAttempt): Promise<Exchange> => {
    // Let waiting requests go out before this response is judged.
    await setImmediate();
    const exchange = exchangeOf(++exchanges, spec, origin, answered, exemptions);
    teach(redaction, exchange);
    takeToken(exchange);
    rules.learn(exchange);
    const judgements = rules.judge(exchange);
    known.set(exchange, { spec, violations: judgements.filter(({ violation }) => violation !== undefined) });
    recorder.record(exchange, origin, [...heldBy(spec, exchange), ...judgements], outcomeOf(exchange));
    if (isSuccess(exchange) && exchange.exemptBy === undefined)
      refusals.prove(fieldOf(exchange.request.headers, "authorization") ?? "");
    warnOfUnread(exchange);
    for (const { question, case: inCase, answer } of standingObservations(exchange))
      recorder.observe(question, inCase, answer);
    return exchange;
  };

  return {
    /** Takes up what a request says that breaks a rule: what it creates is not judged (INT-40). */
    announce: (spec: RequestSpec): void => announceTo(knowledge, spec),
    judge,
    /** Records what a rule says of an exchange besides the standing checks. */
    conclude: (spec: RequestSpec, origin: Origin, exchange: Exchange, judgements: readonly Judgement[]): void => {
      const found = known.get(exchange);
      if (found !== undefined)
        found.violations = [...found.violations, ...judgements.filter(({ violation }) => violation !== undefined)];
      refusals.conclude(spec, origin, exchange, judgements);
    },
    /** What was sent, without what was demanded of its response. */
    specOf: (exchange: Exchange): RequestSpec | undefined => undemanding(known.get(exchange)?.spec),
    violationsOf: (exchange: Exchange): readonly Judgement[] => known.get(exchange)?.violations ?? [],
    /** Whether a response has shown how a requirement is met in one of its forms, as `formOf` says it. */
    isShown: refusals.isShown,
    unmet: rules.unmet,
    hardlyJudged: rules.hardlyJudged,
  };
};

const undemanding = (spec: RequestSpec | undefined): RequestSpec | undefined => {
  if (spec?.mustSucceed === undefined) return spec;
  const { mustSucceed: _, awaits: __, ...sent } = spec;
  return sent;
};

/** What any response shows, as requests without one break HTTP-05, and the success of one with the session's token. */
const heldBy = (spec: RequestSpec, exchange: Exchange): readonly Judgement[] => {
  const isAccepted = isSuccess(exchange) && usesSession(spec) && spec.intent.kind === "valid";
  return isAccepted ? [holds("HTTP-05"), holds("AUTH-04")] : [holds("HTTP-05")];
};

/** Records how requests are refused that must be. */
const createRefusals = (recorder: Pick<Recorder, "holds" | "violated">) => {
  /** What holds as soon as a token is accepted, by its header (INT-16). */
  const unproven = new Map<string, (() => void)[]>();
  const forms = new Set<string>();
  return {
    conclude: (
      { refusal }: RequestSpec,
      origin: Origin,
      exchange: Exchange,
      judgements: readonly Judgement[],
    ): void => {
      const show = (): void => {
        if (refusal !== undefined) forms.add(formOf(refusal));
      };
      for (const { requirement, violation } of judgements) {
        if (violation !== undefined) {
          show();
          recorder.violated(requirement, origin, { ...violation, exchange });
          continue;
        }
        const hold = (): void => {
          show();
          recorder.holds([requirement], exchange);
        };
        const header = `Bearer ${refusal?.derivedFrom ?? ""}`;
        if (refusal?.derivedFrom === undefined) hold();
        else unproven.set(header, [...(unproven.get(header) ?? []), hold]);
      }
    },
    /** A request with this header was accepted, so that the token in it has not lapsed. */
    prove: (header: string): void => {
      for (const hold of unproven.get(header) ?? []) hold();
      unproven.delete(header);
    },
    isShown: (form: string): boolean => forms.has(form),
  };
};

/** What follows "not judged" for a kind of defect. */
const unreadTexts = new Map<string, string>([
  ["too large", ". Raise --max-body"],
  ["too many", ""],
  ["too deep", " further"],
]);

/** Tells the redaction what a response issues and which resource it creates. */
const teach = (redaction: Redaction, exchange: Exchange): void => {
  if (exchange.operation === "createToken") addIssued(exchange.response, redaction);
  const created = createdIn(exchange);
  if (created?.id !== undefined) redaction.addId(created.id);
};

const announceTo = ({ identities }: Knowledge, { operation, intent, text, body }: RequestSpec): void => {
  if (intent.kind !== "invalid") return;
  if (operation === "createBatch")
    identities.taint("batch of pair", pairKey(typeof body === "function" ? undefined : body));
  const sent = text ?? body;
  const named = operation === "createOperation" && typeof sent !== "function" ? counterpartyNamedIn(sent) : undefined;
  if (named !== undefined) identities.taint("operation of counterparty", named);
};

const exchangeOf = (
  id: number,
  spec: RequestSpec,
  origin: Origin,
  answered: AnsweredAttempt,
  exemptions: ReturnType<typeof createExemptions>,
): Exchange => {
  const { operation } = spec;
  const { sent: request, response, at } = answered;
  const intent = intentOf(spec);
  const candidate = {
    ...{ operation, intent, request, response, exemptBy: spec.exemptBy },
    path: Object.values(spec.path ?? {}),
    // How a good token in another form is refused is observed (INT-46).
    statesRefusal: spec.refusal !== undefined || presentsItsOwn(spec),
  };
  exemptions.learn(candidate);
  const exemptBy = exemptions.of(candidate);
  const json = jsonOf(response);
  return { id, operation, intent, scenario: origin.name, request, response, at, json, exemptBy };
};

/** Whether an exchange shows that the operation works, however unusual the request was, and what it created. */
const outcomeOf = (exchange: Exchange): Pick<ResponseCount, "succeeded" | "created"> => {
  const { intent, exemptBy, response } = exchange;
  if (!isSuccess(exchange)) return {};
  const counts = intent.kind !== "invalid" && exemptBy === undefined;
  const created = createdIn(exchange);
  return { succeeded: counts && !isLeftOut(response), ...defined({ created }) };
};

/** What a success created: with its id, an item with that of its operation; without one that no request could name. */
const createdIn = (exchange: Exchange): ResponseCount["created"] => {
  const { operation, request } = exchange;
  if (operation === "addAcamItem" && !isOtherMethod(exchange)) {
    const operationId = new URL(request.url).pathname.split("/").at(-2) ?? "";
    return { kind: "acam item", id: decodeURIComponent(operationId) };
  }
  const creation = creationBy(exchange);
  if (creation === undefined) return undefined;
  const { kind, id } = creation;
  return typeof id === "string" && id !== "" ? { kind, id } : { kind };
};
