import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import type { Evidence, TimingRow } from "../../model/evidence.ts";
import type { Exchange, Origin } from "../../model/exchange.ts";
import type { SentKind } from "../../model/run.ts";
import type { Judgement, Violation } from "../../model/finding.ts";
import { createAnswers } from "./answers.ts";
import { bounds, cutTo } from "./bounds.ts";
import { createCounter } from "./counter.ts";
import type { CurlTrust } from "./curl.ts";
import { createFindings, type Proof, type RepeatableFinding } from "./findings.ts";
import { createOutbox } from "./outbox.ts";
import { recordedExchange, tenths } from "./recorded-exchange.ts";
import type { Redaction } from "./redaction.ts";

/** Gathers what the run finds and sends it on, redacted and within bounds. */
export interface Recorder {
  /** With the exchange that shows it, if there is one. */
  readonly holds: (requirement: RequirementId, exchange?: Exchange) => void;
  readonly violated: (requirement: RequirementId, origin: Origin, violation: Violation & Proof) => void;
  /** `cutShort`: the requirement is inconclusive even if it held elsewhere. @defaultValue false */
  readonly inconclusive: (requirement: RequirementId, reason: string, cutShort?: boolean) => void;
  readonly observe: (question: QuestionId, inCase: string, answer: string) => void;
  readonly record: (exchange: Exchange, origin: Origin, judgements: readonly Judgement[]) => void;
  /** A request without a response, for the number of requests. */
  readonly recordFailure: (operation: OperationName, took: number) => void;
  /** Counts a request. */
  readonly sent: (operation: OperationName, kind: SentKind) => void;
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
  const judged = createCounter<RequirementId>();
  const sent = createCounter<`${OperationName} ${SentKind}`>();
  const kept = createCounter<string>();
  const answers = createAnswers();
  const findings = createFindings(redact, trust);
  const crowded = new Set<QuestionId>();
  let timings: TimingRow[] = [];

  const gather = (): readonly Evidence[] => {
    const counts = judged.taken();
    const sentCounts = sent.taken();
    const entries = timings;
    timings = [];
    const occurrences = findings.occurrences();
    return [
      ...answers.taken(),
      ...(counts.length > 0 ? [{ type: "judged", counts: Object.fromEntries(counts) } as const] : []),
      ...(sentCounts.length > 0 ? [{ type: "sent", counts: Object.fromEntries(sentCounts) } as const] : []),
      ...(entries.length > 0 ? [{ type: "timings", entries } as const] : []),
      ...(Object.keys(occurrences).length > 0 ? [{ type: "occurrences", counts: occurrences } as const] : []),
    ];
  };
  const outbox = createOutbox(send, gather);

  const emit = (evidence: Evidence): void =>
    outbox.add(evidence.type === "created" ? { ...evidence, id: cutTo(redact(evidence.id), bounds.id) } : evidence);
  /** What held, by scenario. */
  const heldIn = new Map<string, Set<RequirementId>>();
  const sampled = new Set<RequirementId>();
  const holds: Recorder["holds"] = (requirement, exchange) => {
    judged.add(requirement);
    outbox.soon();
    if (exchange === undefined) return;
    const held = heldIn.get(exchange.scenario) ?? new Set();
    if (held.has(requirement)) return;
    heldIn.set(exchange.scenario, held.add(requirement));
    const sample = { type: "held", requirement, scenario: cutTo(redact(exchange.scenario), bounds.text) } as const;
    if (sampled.has(requirement)) return emit(sample);
    sampled.add(requirement);
    emit({ ...sample, exchange: exchange.id });
    const origin = { id: "", name: exchange.scenario };
    emit({ type: "exchange", exchange: recordedExchange(exchange, origin, [], redact, started) });
  };
  /** Keeps an exchange, unless enough exchanges are kept for the same reason, and one for the same cause. */
  const keep = (
    exchange: Exchange,
    origin: Origin,
    violates: readonly RequirementId[],
    why: string,
    cause = why,
  ): void => {
    const most = violates.length > 0 ? bounds.exchanges : bounds.samples;
    if (kept.of(why) >= most && kept.of(cause) > 0) return;
    for (const key of new Set([why, cause])) kept.add(key);
    emit({ type: "exchange", exchange: recordedExchange(exchange, origin, violates, redact, started) });
  };
  const violated: Recorder["violated"] = (requirement, origin, violation) => {
    holds(requirement);
    const finding = findings.add(requirement, origin, violation);
    if (finding === undefined) return;
    emit({ type: "finding", finding });
    const why = `finding ${requirement}${violation.smallest === undefined ? "" : " smallest"}`;
    const cause = `${why} ${finding.operation} ${JSON.stringify(finding.cause)}`;
    if (violation.exchange !== undefined) keep(violation.exchange, origin, [requirement], why, cause);
  };

  const inconclusive: Recorder["inconclusive"] = (requirement, reason, cutShort = false) =>
    emit({ type: "inconclusive", requirement, reason: cutTo(redact(reason), bounds.text), cutShort });

  return {
    holds,
    violated,
    inconclusive,
    observe: (question, inCase, answer) => {
      const cut = (text: string): string => redact(text).slice(0, bounds.answer);
      if (answers.add(question, cut(inCase), cut(answer))) return outbox.soon();
      if (crowded.has(question)) return;
      crowded.add(question);
      emit({ type: "warning", text: `${question}: more different answers were observed than a report holds.` });
    },
    record: (exchange, origin, judgements) => {
      const { status, took } = exchange.response;
      timings.push([exchange.operation, tenths(took), status]);
      outbox.soon();
      for (const { requirement, violation, noVerdict: reason } of judgements) {
        if (reason !== undefined) inconclusive(requirement, reason);
        else if (violation === undefined) holds(requirement, exchange);
        else violated(requirement, origin, { ...violation, exchange });
      }
      if (judgements.some(({ violation }) => violation !== undefined)) return;
      keep(exchange, origin, [], `${exchange.operation} ${exchange.intent.kind} ${Math.floor(status / 100)}`);
    },
    recordFailure: (operation, took) => {
      timings.push([operation, tenths(took), 0]);
      outbox.soon();
    },
    sent: (operation, kind) => {
      sent.add(`${operation} ${kind}`);
      outbox.soon();
    },
    emit,
    repeatable: findings.repeatable,
    flush: outbox.flush,
  };
};
