import { bounds as most } from "../bounds.ts";
import type { Message, NoteMessage, ResponseCount } from "./messages.ts";
import { createProgress, type ProgressCounters } from "./progress.ts";
import { type Exchange, type Origin, isRefusal, type SentRequest, intentText, type Fields } from "../exchange.ts";
import type { Judgement, Violation } from "../finding.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { Gap } from "../../spec/gaps.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { type CurlTrust, toCurl } from "./curl.ts";
import type { Redaction } from "./redaction.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { CauseClass, Finding, RecordedExchange } from "../run.ts";

export type Recorder = ReturnType<typeof createRecorder>;

interface RecorderParts {
  readonly emit: (message: Message) => void;
  readonly redaction: Redaction;
  /** The command that judges the same again, quoted for a shell; ` --only <id>` follows it. */
  readonly replayCommand: string;
  /** @defaultValue counters that nobody reads */
  readonly progress?: ProgressCounters;
  /** @defaultValue none */
  readonly trust?: CurlTrust;
  /** Milliseconds since the epoch. @defaultValue now */
  readonly started?: number;
}

/** Makes messages of what the run finds, redacted and bounded. */
export const createRecorder = (parts: RecorderParts) => {
  const { emit, redaction, replayCommand, progress = createProgress(), trust = {}, started = Date.now() } = parts;
  const redact = (text: string): string => redaction.redact(text.toWellFormed());
  const short = (text: string): string => cutTo(redact(text), bounds.text);
  const answer = (text: string): string => redact(text).slice(0, bounds.answer);
  const findings = createFindings({ redact, trust, replayCommand });
  const keep = (exchange: Exchange, origin: Origin, violates: readonly RequirementId[] = []): void =>
    emit({ type: "exchange", kept: recordedExchange(exchange, origin, violates, redact, started) });
  const samples = createSamples(keep);

  const holds = (requirements: readonly RequirementId[], exchange?: Exchange): void => {
    const shown = exchange && { scenario: short(exchange.scenario), ...samples.show(requirements, exchange) };
    emit({ type: "judgement", holds: requirements, ...shown });
  };
  const violated = (requirement: RequirementId, origin: Origin, violation: Violation & Proof): void => {
    const { key, finding } = findings.add(requirement, origin, violation);
    emit({ type: "judgement", broken: { requirement, key, finding } });
    if (finding !== undefined && violation.exchange !== undefined) keep(violation.exchange, origin, [requirement]);
  };

  const explained = new Set<RequirementId>();
  const inconclusive = (requirement: RequirementId, reason: string, { cutShort = false, gap }: LeftOpen = {}) => {
    explained.add(requirement);
    emit({ type: "judgement", open: { requirement, reason: short(reason), cutShort, gap } });
  };

  return {
    holds,
    violated,
    inconclusive,
    progress,
    /** Whether there is a reason already why a requirement has no verdict, if nothing judged it. */
    isExplained: (requirement: RequirementId): boolean => explained.has(requirement),
    observe: (question: QuestionId, inCase: string, text: string): void =>
      emit({ type: "observation", question, case: answer(inCase), answer: answer(text) }),
    /** A redacted text of fxconform itself. */
    note: (kind: NoteMessage["kind"], text: string): void => emit({ type: "note", kind, text }),
    record: (
      exchange: Exchange,
      origin: Origin,
      judgements: readonly Judgement[],
      { created, ...outcome }: Pick<ResponseCount, "succeeded" | "created"> = {},
    ): void => {
      const { operation, intent, response } = exchange;
      const took = tenths(response.took);
      emit({ type: "exchange", counted: { operation, took, ...outcome, ...createdOf(created, redact) } });
      progress.responded();
      const held: RequirementId[] = [];
      for (const { requirement, violation, noVerdict, gap } of judgements)
        if (noVerdict !== undefined) inconclusive(requirement, noVerdict, { gap });
        else if (violation === undefined) held.push(requirement);
        else violated(requirement, origin, { ...violation, exchange });
      if (held.length > 0) holds(held, exchange);
      if (judgements.every(({ violation }) => violation === undefined))
        samples.add(exchange, origin, `${operation} ${intent.kind} ${Math.floor(response.status / 100)}`);
    },
    /** The findings so far that an exchange shows. */
    repeatable: findings.repeatable,
    /** How often a finding showed when its request was sent again. */
    repeated: (finding: Pick<RepeatableFinding, "requirement" | "key">, repetition: Repetition): void => {
      const { requirement, key } = finding;
      const again = findings.repeat(key, repetition);
      if (again !== undefined)
        emit({ type: "judgement", broken: { requirement, key, finding: again, isUpdate: true } });
    },
  };
};

const createdOf = (created: ResponseCount["created"], redact: (text: string) => string) => {
  if (created === undefined) return {};
  const { kind, id } = created;
  return { created: { kind, id: id === undefined ? undefined : cutTo(redact(id), bounds.id) } };
};

/** What sending the request of a finding again showed. */
export interface Repetition {
  /** How often the fault was there, such as `2 of 3`. */
  readonly text: string;
  /** The status that a request which had crashed the server got each time that it was sent alone. */
  readonly alone?: number;
}

export interface LeftOpen {
  /** The requirement is inconclusive even if it held elsewhere. @defaultValue false */
  readonly cutShort?: boolean;
  /** What was missing, if that is nobody's fault (INT-57). */
  readonly gap?: Gap | undefined;
}

/** Exchanges without a finding. */
const createSamples = (keep: (exchange: Exchange, origin: Origin) => void) => {
  const counts = new Map<string, number>();
  const sampled = new Set<RequirementId>();
  return {
    /** Keeps an exchange, unless enough exchanges of its kind are kept. */
    add: (exchange: Exchange, origin: Origin, kind: string): void => {
      const before = counts.get(kind) ?? 0;
      counts.set(kind, before + 1);
      if (before < bounds.samples) keep(exchange, origin);
    },
    /** Keeps the exchange, and returns its id, if it is the first that shows that one of the requirements holds. */
    show: (requirements: readonly RequirementId[], exchange: Exchange): { readonly exchange?: number } => {
      if (requirements.every((requirement) => sampled.has(requirement))) return {};
      for (const requirement of requirements) sampled.add(requirement);
      keep(exchange, { id: "", name: exchange.scenario });
      return { exchange: exchange.id };
    },
  };
};

export interface Proof {
  readonly exchange?: Exchange;
  /** If there is no exchange. */
  readonly operation?: OperationName;
  readonly request?: SentRequest;
  /** How often the fault was seen, such as `2 of 3`. */
  readonly repeated?: string;
  /** Found by shrinking: replaces the finding with the same message even if its request is no simpler. */
  readonly smallest?: true;
  /** Whether another exchange of the same request shows the fault too. Absent: the standing checks decide. */
  readonly again?: (exchange: Exchange) => boolean;
}

/** A finding whose request can be sent again to see how often the fault shows. */
export interface RepeatableFinding {
  readonly key: string;
  readonly requirement: RequirementId;
  readonly exchange: Exchange;
  readonly origin: Origin;
  readonly again?: (exchange: Exchange) => boolean;
}

interface FindingTexts {
  readonly redact: (text: string) => string;
  readonly trust: CurlTrust;
  readonly replayCommand: string;
}

interface KnownFinding {
  readonly finding: Finding;
  /** How simple its request is. */
  readonly weight: number;
  readonly repetition?: Repetition;
}

const createFindings = (texts: FindingTexts) => {
  const known = new Map<string, KnownFinding>();
  const repeatable = new Map<string, RepeatableFinding>();
  const hasRoom = createRoom();
  return {
    /** The key, and the finding if it is new or of a simpler request than before; neither beyond the bounds. */
    add: (requirement: RequirementId, origin: Origin, violation: Violation & Proof) => {
      const { exchange, again } = violation;
      const operation = exchange?.operation ?? violation.operation;
      const cause = violation.cause && {
        ...violation.cause,
        input: (exchange && inputOf(exchange)) ?? violation.cause.input,
      };
      const key = `${requirement} ${operation ?? ""} ${violation.message.slice(0, bounds.text)}`;
      const before = known.get(key);
      const weight = weightOf(exchange) - (violation.smallest === undefined ? 0 : 1);
      if (before === undefined) {
        if (!hasRoom(requirement, operation ?? "", cause === undefined ? key : causeKey(cause))) return {};
      } else if (weight >= before.weight) return { key };
      // A large body would stay in memory until the end.
      if (exchange !== undefined && exchange.response.body.length < most.largeBody)
        repeatable.set(key, { key, requirement, exchange, origin, again });
      const whole = { ...violation, cause, operation };
      const finding = findingOf(requirement, whole, origin, texts);
      const repetition = before?.repetition;
      known.set(key, { finding, weight, repetition });
      return { key, finding: repetition === undefined ? finding : withRepetition(finding, repetition) };
    },
    repeatable: () => [...repeatable.values()],
    /** The finding with what its repetition showed; undefined if no finding has the key. */
    repeat: (key: string, repetition: Repetition): Finding | undefined => {
      const own = known.get(key);
      if (own === undefined) return undefined;
      known.set(key, { ...own, repetition });
      return withRepetition(own.finding, repetition);
    },
  };
};

/** A crash that the same request alone did not cause is another cause than one that it did. */
const withRepetition = (finding: Finding, { text, alone }: Repetition): Finding => {
  if (alone === undefined) return { ...finding, repeated: text };
  const { actual, cause } = finding;
  return {
    ...finding,
    repeated: text,
    actual: `${actual}; sent alone, the same request was answered with ${alone}`,
    ...(cause && { cause: { ...cause, actual: `${cause.actual}, not when sent alone` } }),
  };
};

/** Less for a simpler request: a valid one before an unusual one before an invalid one, then a shorter one. */
const weightOf = (exchange: Exchange | undefined): number => {
  if (exchange === undefined) return 0;
  const { url, body, headers } = exchange.request;
  return url.length + (body?.length ?? 0) + headers.join().length + 1e8 * intents.indexOf(exchange.intent.kind);
};

const intents: readonly Exchange["intent"]["kind"][] = ["valid", "unusual", "invalid"];

/** Whether there is room for another finding of a requirement and of a cause. If so, counts it. */
const createRoom = (): ((requirement: RequirementId, operation: string, cause: string) => boolean) => {
  /** Findings by requirement, by requirement and operation, and by cause. */
  const counts = new Map<string, number>();
  const count = (key: string): number => counts.get(key) ?? 0;
  return (requirement, operation, cause) => {
    const [own, ofOperation] = [`${requirement} ${operation} ${cause}`, `${requirement} ${operation}`];
    const isFirst = count(own) === 0;
    if (count(own) >= bounds.findingsOfCause || count(isFirst ? ofOperation : requirement) >= bounds.findings)
      return false;
    for (const key of [requirement, ofOperation, own]) counts.set(key, count(key) + 1);
    return true;
  };
};

/** A violation as reports have it, found once. */
const findingOf = (
  requirement: RequirementId,
  violation: Violation & Proof,
  origin: Origin,
  { redact, trust, replayCommand }: FindingTexts,
): Finding => {
  const { exchange, operation, cause, pointer, repeated } = violation;
  const line = (text: string): string => cutTo(redact(text), bounds.text);
  const request = exchange?.request ?? violation.request;
  return {
    message: line(violation.message),
    expected: line(violation.expected),
    actual: line(violation.actual),
    replay: replayOf(replayCommand, requirement),
    curl: request === undefined ? "" : toCurl(request, redact, trust),
    occurrences: 1,
    pointer: pointer === undefined ? undefined : line(pointer),
    exchange: exchange?.id,
    operation,
    intent: exchange?.intent.kind,
    cause: cause && { ...cause, expected: line(cause.expected), actual: line(cause.actual) },
    scenario: origin.id,
    repeated,
  };
};

/** The command that judges one requirement again. */
export const replayOf = (replayCommand: string, requirement: RequirementId): string =>
  `${replayCommand} --only ${requirement}`;

const causeKey = ({ expected, actual, input }: CauseClass): string => JSON.stringify([expected, actual, input]);

/** What is wrong with a request that was accepted. A refusal with a wrong status is one mistake for all requests. */
const inputOf = (exchange: Exchange): string | undefined =>
  exchange.intent.kind === "invalid" && !isRefusal(exchange) ? exchange.intent.input : undefined;

/** An exchange as it is kept; `started` is the time of the run's start in milliseconds since the epoch. */
export const recordedExchange = (
  exchange: Exchange,
  origin: Origin,
  violates: readonly RequirementId[],
  redact: (text: string) => string,
  started: number,
): RecordedExchange => {
  const { request, response } = exchange;
  const serverIds = response.headers
    .filter(([name]) => serverId.test(name))
    .map(([name, value]) => `${name}: ${redact(value).slice(0, bounds.answer)}`);
  return {
    id: exchange.id,
    operation: exchange.operation,
    scenario: origin.name,
    violates,
    intent: redact(intentText(exchange.intent)),
    startedAt: new Date(started + exchange.at).toISOString(),
    at: Math.round(exchange.at),
    waited: tenths(response.waited),
    took: tenths(response.took),
    request: {
      method: request.method,
      url: cutTo(redact(request.url), bounds.header),
      headers: fieldsKept(request.headers, redact),
      bodyBytes: request.body?.length ?? 0,
      body: request.body && bodyKept(request.body, redact),
    },
    response: {
      status: response.status,
      statusText: redact(response.statusText).slice(0, bounds.answer),
      headers: fieldsKept(response.headers, redact),
      body: bodyKept(response.body, redact),
      bodyBytes: response.body.length,
    },
    ...(serverIds.length === 0 ? {} : { serverIds }),
  };
};

/** Headers by which an implementer finds a request in a log. */
const serverId = /^(x-)?(request|correlation|trace|amzn-trace|amzn-request)-?id$|^traceparent$|^cf-ray$/i;

/** Milliseconds with one decimal place. */
export const tenths = (ms: number): number => Math.round(ms * 10) / 10;

const fieldsKept = (fields: Fields, redact: (text: string) => string): Fields =>
  fields
    .slice(0, bounds.headers)
    .map(([name, value]) => [redact(name).slice(0, bounds.answer), redact(value).slice(0, bounds.header)] as const);

/** Redacts more text than is kept, so that no secret is cut in two before redaction. */
const bodyKept = (body: Uint8Array, redact: (text: string) => string): string =>
  cutTo(redact(new TextDecoder().decode(body.subarray(0, bounds.body * 8))), bounds.body);

/** The most that is kept of what the target sends, so that no target can make a report grow without bound. */
export const bounds = {
  /** Findings of a requirement, and of a cause. The first of each operation and cause is kept beyond that. */
  findings: 16,
  findingsOfCause: 4,
  /** Exchanges without a finding, for each operation, kind of intent and class of status. */
  samples: 3,
  text: 600,
  answer: 200,
  id: 300,
  body: 16_384,
  header: 2048,
  headers: 60,
} as const;

export const cutTo = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
