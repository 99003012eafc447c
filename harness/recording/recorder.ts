import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import type { Judgement, Violated } from "../judging/checks/check.ts";
import { toCurl } from "./curl.ts";
import type { Evidence, FoundViolation, RecordedExchange, TimelineRow } from "../../model/evidence.ts";
import { intentText, type Exchange, type Fields, type SentRequest } from "../../model/exchange.ts";
import type { Redaction } from "./redaction.ts";

/** Who asks: a scenario, by the requirements it cites. */
export interface Origin {
  readonly name: string;
  readonly requirements: readonly RequirementId[];
}

/** A violation together with what shows it. */
export interface Accusation extends Violated {
  readonly exchange?: Exchange;
  readonly operation?: OperationName;
  readonly request?: SentRequest;
  readonly repeated?: string;
  /** The least that shows the fault, found by shrinking: it takes the place of the first finding of its kind. */
  readonly smallest?: true;
  /** Whether another response to the same request shows the fault too; absent: what the standing checks say of it. */
  readonly again?: (exchange: Exchange) => boolean;
}

/** A finding whose request can be asked again to see how often the fault is there. */
export interface Suspect {
  readonly key: string;
  readonly requirement: RequirementId;
  readonly exchange: Exchange;
  readonly origin: Origin;
  readonly again?: (exchange: Exchange) => boolean;
}

/** Gathers what the run finds and hands it on, redacted and within bounds. */
export interface Recorder {
  /** With the exchange that shows it, where one does. */
  readonly holds: (requirement: RequirementId, exchange?: Exchange) => void;
  readonly violated: (requirement: RequirementId, origin: Origin, accusation: Accusation) => void;
  readonly inconclusive: (requirement: RequirementId, reason: string, cutShort?: boolean) => void;
  readonly observe: (question: QuestionId, inCase: string, answer: string) => void;
  readonly record: (exchange: Exchange, origin: Origin, judgements: readonly Judgement[]) => void;
  readonly recordFailure: (operation: OperationName, at: number, took: number) => void;
  readonly tell: (evidence: Evidence) => void;
  /** The findings so far that an exchange shows. */
  readonly suspects: () => readonly Suspect[];
  /** Sends on what is held back. */
  readonly flush: () => void;
}

/** Bounds on what is kept: distinct findings and exchanges a requirement, samples a kind of exchange, characters a body. */
const bounds = { findings: 8, exchanges: 4, samples: 3, body: 16_384, header: 2_048, answers: 60, text: 600, id: 300 };

export const createRecorder = (emit: (evidence: readonly Evidence[]) => void, redaction: Redaction): Recorder => {
  const asked = new Map<RequirementId, number>();
  const fresh = new Map<RequirementId, number>();
  const occurrences = new Map<string, number>();
  const kinds = new Map<RequirementId, number>();
  const shown = new Set<string>();
  const keptFor = new Map<string, number>();
  const answers = new Map<string, number>();
  const told = new Map<string, number>();
  const suspects = new Map<string, Suspect>();
  const questions = new Map<QuestionId, number>();
  let timeline: TimelineRow[] = [];
  let waiting: Evidence[] = [];
  let timer: NodeJS.Timeout | undefined;
  const redact = (text: string): string => redaction.redact(text.toWellFormed());
  const line = (text: string): string => cutTo(redact(text), bounds.text);

  const flush = (): void => {
    if (timer !== undefined) clearTimeout(timer);
    timer = undefined;
    const changed = [...answers].filter(([key, count]) => told.get(key) !== count);
    for (const [key, count] of changed) {
      const [question, inCase, answer] = JSON.parse(key) as [QuestionId, string, string];
      waiting.push({ type: "observation", question, case: inCase, answer, count: count - (told.get(key) ?? 0) });
      told.set(key, count);
    }
    if (fresh.size > 0) waiting.push({ type: "asked", counts: Object.fromEntries(fresh) });
    if (timeline.length > 0) waiting.push({ type: "timeline", entries: timeline });
    if (occurrences.size > 0) waiting.push({ type: "occurrences", counts: Object.fromEntries(occurrences) });
    fresh.clear();
    timeline = [];
    if (waiting.length === 0) return;
    const out = waiting;
    waiting = [];
    emit(out);
  };
  const soon = (): void => {
    timer ??= setTimeout(flush, 50);
  };
  const tell = (evidence: Evidence): void => {
    waiting.push(evidence.type === "created" ? { ...evidence, id: cutTo(redact(evidence.id), bounds.id) } : evidence);
    soon();
  };
  const count = (requirement: RequirementId): void => {
    asked.set(requirement, (asked.get(requirement) ?? 0) + 1);
    fresh.set(requirement, (fresh.get(requirement) ?? 0) + 1);
    soon();
  };
  const violated = (requirement: RequirementId, origin: Origin, accusation: Accusation): void => {
    count(requirement);
    const operation = accusation.exchange?.operation ?? accusation.operation;
    const key = `${requirement} ${operation ?? ""} ${accusation.message}`;
    const before = occurrences.get(key) ?? 0;
    occurrences.set(key, before + 1);
    if (before > 0 && accusation.smallest === undefined) return;
    const kind = kinds.get(requirement) ?? 0;
    if (before === 0) kinds.set(requirement, kind + 1);
    if (before === 0 ? kind >= bounds.findings : !shown.has(key)) return;
    shown.add(key);
    const { exchange, again } = accusation;
    if (exchange !== undefined) {
      suspects.set(key, { key, requirement, exchange, origin, ...(again === undefined ? {} : { again }) });
    }
    const request = exchange?.request ?? accusation.request;
    const finding: FoundViolation = {
      key,
      requirement,
      message: line(accusation.message),
      expected: line(accusation.expected),
      actual: line(accusation.actual),
      scenario: origin.requirements,
      curl: request === undefined ? "" : toCurl(request, redact),
      ...(accusation.pointer === undefined ? {} : { pointer: line(accusation.pointer) }),
      ...(accusation.exchange === undefined ? {} : { exchange: accusation.exchange.id }),
      ...(operation === undefined ? {} : { operation }),
      ...(accusation.repeated === undefined ? {} : { repeated: accusation.repeated }),
    };
    tell({ type: "finding", finding });
    if (accusation.exchange !== undefined)
      keep(
        accusation.exchange,
        origin,
        [requirement],
        `finding ${requirement}${accusation.smallest ? " smallest" : ""}`,
        bounds.exchanges,
      );
  };
  const keep = (
    exchange: Exchange,
    origin: Origin,
    violates: readonly RequirementId[],
    why: string,
    most: number,
  ): void => {
    const before = keptFor.get(why) ?? 0;
    if (before >= most) return;
    keptFor.set(why, before + 1);
    tell({ type: "exchange", exchange: keptMessage(exchange, origin, violates, redact) });
  };

  const heldIn = new Set<string>();
  const sampled = new Set<RequirementId>();
  const holds: Recorder["holds"] = (requirement, exchange) => {
    count(requirement);
    const key = `${requirement} ${exchange?.scenario ?? ""}`;
    if (exchange === undefined || heldIn.has(key)) return;
    heldIn.add(key);
    const sample = { type: "held", requirement, scenario: line(exchange.scenario) } as const;
    if (sampled.has(requirement)) return tell(sample);
    sampled.add(requirement);
    tell({ ...sample, exchange: exchange.id });
    const origin = { name: exchange.scenario, requirements: [] };
    tell({ type: "exchange", exchange: keptMessage(exchange, origin, [], redact) });
  };

  return {
    holds,
    violated,
    inconclusive: (requirement, reason, cutShort = false) =>
      tell({ type: "inconclusive", requirement, reason: line(reason), cutShort }),
    observe: (question, inCase, answer) => {
      const key = JSON.stringify([question, redact(inCase).slice(0, 200), redact(answer).slice(0, 200)]);
      if (!answers.has(key)) {
        const before = questions.get(question) ?? 0;
        if (before >= bounds.answers) return;
        questions.set(question, before + 1);
      }
      answers.set(key, (answers.get(key) ?? 0) + 1);
      soon();
    },
    record: (exchange, origin, judgements) => {
      const { status, took } = exchange.response;
      timeline.push([exchange.operation, Math.round(exchange.at), Math.round(took * 10) / 10, status]);
      for (const { requirement, violation } of judgements) {
        if (violation === undefined) holds(requirement, exchange);
        else violated(requirement, origin, { ...violation, exchange });
      }
      if (!judgements.some(({ violation }) => violation !== undefined)) {
        const sample = `${exchange.operation} ${exchange.intent.kind} ${Math.floor(status / 100)}`;
        keep(exchange, origin, [], sample, bounds.samples);
      }
      soon();
    },
    recordFailure: (operation, at, took) => {
      timeline.push([operation, Math.round(at), Math.round(took * 10) / 10, 0]);
      soon();
    },
    tell,
    suspects: () => [...suspects.values()],
    flush,
  };
};

const keptMessage = (
  exchange: Exchange,
  origin: Origin,
  violates: readonly RequirementId[],
  redact: (text: string) => string,
): RecordedExchange => {
  const { request, response } = exchange;
  const serverIds = response.headers
    .filter(([name]) =>
      /^(x-)?(request|correlation|trace|amzn-trace|amzn-request)-?id$|^traceparent$|^cf-ray$/i.test(name),
    )
    .map(([name, value]) => `${name}: ${redact(value).slice(0, 200)}`);
  return {
    id: exchange.id,
    operation: exchange.operation,
    scenario: origin.name,
    violates,
    intent: redact(intentText(exchange.intent)),
    at: Math.round(exchange.at),
    waited: Math.round(response.waited * 10) / 10,
    took: Math.round(response.took * 10) / 10,
    request: {
      method: request.method,
      url: cutTo(redact(request.url), bounds.header),
      headers: fieldsKept(request.headers, redact),
      bodyBytes: request.body?.length ?? 0,
      ...(request.body === undefined ? {} : { body: textKept(request.body, redact) }),
    },
    response: {
      status: response.status,
      statusText: redact(response.statusText).slice(0, 200),
      headers: fieldsKept(response.headers, redact),
      body: textKept(response.body, redact),
      bodyBytes: response.body.length,
    },
    ...(serverIds.length === 0 ? {} : { serverIds }),
  };
};

const fieldsKept = (fields: Fields, redact: (text: string) => string): Fields =>
  fields
    .slice(0, 60)
    .map(([name, value]) => [redact(name).slice(0, 200), redact(value).slice(0, bounds.header)] as const);

const cutTo = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Redacted in a window wider than what is kept, so that no secret is cut in two before it is seen. */
const textKept = (body: Uint8Array, redact: (text: string) => string): string => {
  const text = redact(new TextDecoder().decode(body.subarray(0, bounds.body * 8)));
  return cutTo(text, bounds.body);
};
