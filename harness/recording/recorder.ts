import { defined } from "../../model/defined.ts";
import type { Evidence, ResponseRecord } from "../../model/evidence.ts";
import type { Exchange, Origin } from "../../model/exchange.ts";
import type { Judgement, Violation } from "../../model/finding.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { bounds, cutTo } from "./bounds.ts";
import type { CurlTrust } from "./curl.ts";
import { createFindings, type Proof, type RepeatableFinding } from "./findings.ts";
import { recordedExchange, tenths } from "./recorded-exchange.ts";
import type { Redaction } from "./redaction.ts";

/** Sends what the run finds to the main thread, redacted. Keeps the exchanges that a report needs, and counts nothing. */
export interface Recorder {
  /** With the exchange that shows it, if there is one. */
  readonly holds: (requirement: RequirementId, exchange?: Exchange) => void;
  readonly violated: (requirement: RequirementId, origin: Origin, violation: Violation & Proof) => void;
  /** `cutShort`: the requirement is inconclusive even if it held elsewhere. @defaultValue false */
  readonly inconclusive: (requirement: RequirementId, reason: string, cutShort?: boolean) => void;
  readonly observe: (question: QuestionId, inCase: string, answer: string) => void;
  readonly record: (
    exchange: Exchange,
    origin: Origin,
    judgements: readonly Judgement[],
    outcome?: Pick<ResponseRecord, "succeeded" | "created">,
  ) => void;
  /** Sends evidence as it is. */
  readonly emit: (evidence: Evidence) => void;
  /** The findings so far that an exchange shows. */
  readonly repeatable: () => readonly RepeatableFinding[];
  /** Sends everything that is waiting. */
  readonly flush: () => void;
}

/** A recorder. `trust` is for the curl commands; `started` is the start of the run in milliseconds since the epoch. */
export const createRecorder = (
  send: (evidence: readonly Evidence[]) => void,
  redaction: Redaction,
  trust: CurlTrust = {},
  started = Date.now(),
): Recorder => {
  const redact = (text: string): string => redaction.redact(text.toWellFormed());
  const short = (text: string): string => cutTo(redact(text), bounds.text);
  const answer = (text: string): string => redact(text).slice(0, bounds.answer);
  const { emit, flush } = createOutbox(send);
  const findings = createFindings(redact, trust);
  const exchanges = createKeptExchanges((exchange, origin, violates) =>
    emit({ type: "exchange", exchange: recordedExchange(exchange, origin, violates, redact, started) }),
  );
  const nameOf = latest(short);

  const holds: Recorder["holds"] = (requirement, exchange) => {
    const shown = exchange && {
      scenario: nameOf(exchange.scenario),
      exchange: exchanges.sample(requirement, exchange),
    };
    emit({ type: "judgement", requirement, ...defined({ ...shown }) });
  };
  const violated: Recorder["violated"] = (requirement, origin, violation) => {
    const { key, finding } = findings.add(requirement, origin, violation);
    emit({ type: "judgement", requirement, ...defined({ key, finding }) });
    if (finding === undefined || violation.exchange === undefined) return;
    const why = `finding ${requirement}${violation.smallest === undefined ? "" : " smallest"}`;
    const cause = `${why} ${finding.operation} ${JSON.stringify(finding.cause)}`;
    exchanges.keep(violation.exchange, origin, [requirement], why, cause);
  };

  const inconclusive: Recorder["inconclusive"] = (requirement, reason, cutShort = false) =>
    emit({ type: "inconclusive", requirement, reason: short(reason), cutShort });

  return {
    holds,
    violated,
    inconclusive,
    observe: (question, inCase, text) => emit({ type: "answer", question, case: answer(inCase), answer: answer(text) }),
    record: (exchange, origin, judgements, { succeeded, created } = {}) => {
      const { operation, intent, response } = exchange;
      const made = created && { ...created, id: cutTo(redact(created.id), bounds.id) };
      const { status } = response;
      const shown = defined({ succeeded, created: made });
      emit({ type: "response", operation, status, took: tenths(response.took), ...shown });
      for (const { requirement, violation, noVerdict } of judgements) {
        if (noVerdict !== undefined) inconclusive(requirement, noVerdict);
        else if (violation === undefined) holds(requirement, exchange);
        else violated(requirement, origin, { ...violation, exchange });
      }
      if (judgements.some(({ violation }) => violation !== undefined)) return;
      exchanges.keep(exchange, origin, [], `${operation} ${intent.kind} ${Math.floor(status / 100)}`);
    },
    emit,
    repeatable: findings.repeatable,
    flush,
  };
};

/** Milliseconds that evidence waits for more. */
const delay = 50;

/** Sends evidence on in batches. */
const createOutbox = (send: (evidence: readonly Evidence[]) => void): Pick<Recorder, "emit" | "flush"> => {
  let waiting: Evidence[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) send(batch);
  };
  return {
    emit: (evidence) => {
      waiting.push(evidence);
      timer ??= setTimeout(flush, delay);
    },
    flush,
  };
};

/** The bound on the exchanges that a run keeps. */
const createKeptExchanges = (
  send: (exchange: Exchange, origin: Origin, violates: readonly RequirementId[]) => void,
) => {
  const counts = new Map<string, number>();
  const sampled = new Set<RequirementId>();
  return {
    /** Keeps an exchange, unless enough exchanges are kept for the same reason, and one for the same cause. */
    keep: (exchange: Exchange, origin: Origin, violates: readonly RequirementId[], why: string, cause = why): void => {
      const most = violates.length > 0 ? bounds.exchanges : bounds.samples;
      if ((counts.get(why) ?? 0) >= most && counts.has(cause)) return;
      for (const key of new Set([why, cause])) counts.set(key, (counts.get(key) ?? 0) + 1);
      send(exchange, origin, violates);
    },
    /** Keeps the first exchange that shows that a requirement holds. Its id, if it is the first. */
    sample: (requirement: RequirementId, exchange: Exchange): number | undefined => {
      if (sampled.has(requirement)) return undefined;
      sampled.add(requirement);
      send(exchange, { id: "", name: exchange.scenario }, []);
      return exchange.id;
    },
  };
};

/** The function, with its latest result remembered. */
const latest = (of: (text: string) => string): ((text: string) => string) => {
  let known: readonly [text: string, result: string] | undefined;
  return (text) => {
    if (known?.[0] !== text) known = [text, of(text)];
    return known[1];
  };
};
