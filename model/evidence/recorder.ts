import type { OperationName } from "../../spec/operations.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { Gap } from "../../spec/gaps.ts";
import type { QuestionId } from "../../spec/questions.ts";
import type { Exchange, Origin } from "../exchange.ts";
import type { Judgement, Violation } from "../judgement.ts";
import { intentText, type Fields } from "../request.ts";
import { createRequestFacts } from "../request-facts.ts";
import type { RecordedExchange } from "../run.ts";
import type { CurlTrust } from "./curl.ts";
import { createFindings, type Proof, type RepeatableFinding, type Repetition } from "./findings.ts";
import { cutTo, mostKept } from "../kept.ts";
import type { Message, NoteMessage, ResponseCount } from "./messages.ts";
import { createProgress, type ProgressCounters } from "./progress.ts";
import type { Redaction } from "./redaction.ts";

export type Recorder = ReturnType<typeof createRecorder>;

interface RecorderParts {
  readonly emit: (message: Message) => void;
  readonly redaction: Redaction;
  /**
   * The command that repeats the run, quoted for a shell. ` --only <id>` is appended to it to judge
   * a single requirement.
   */
  readonly replayCommand: string;
  /** The counters of the run's progress. @defaultValue counters that nobody reads */
  readonly progress?: ProgressCounters;
  /** What the curl commands need to trust the target. @defaultValue none */
  readonly trust?: CurlTrust;
  /** When the run started, in milliseconds since the epoch. @defaultValue now */
  readonly started?: number;
}

/** Makes messages of what the run finds, redacted and bounded. */
export function createRecorder(parts: RecorderParts) {
  const {
    emit,
    redaction,
    replayCommand,
    progress = createProgress(),
    trust = {},
    started = Date.now(),
  } = parts;
  const redact = (text: string): string => redaction.redact(text.toWellFormed());
  const short = (text: string): string => cutTo(redact(text), mostKept.text);
  const answer = (text: string): string => redact(text).slice(0, mostKept.answer);
  const findings = createFindings({ redact, trust, replayCommand });
  const keep = (
    exchange: Exchange,
    origin: Origin,
    violates: readonly RequirementId[] = [],
  ): void =>
    emit({ type: "exchange", kept: recordedExchange(exchange, origin, violates, redact, started) });
  const samples = createSamples(keep);
  const judgements = createJudgementMessages({ emit, findings, keep, samples, short });
  const { holds, violated, inconclusive } = judgements;
  const countedOf = createCounting(answer);

  return {
    ...judgements,
    progress,
    observe: (question: QuestionId, inCase: string, text: string): void =>
      emit({ type: "observation", question, case: answer(inCase), answer: answer(text) }),
    /** Emits a text of fxconform itself as a note. The text is redacted already. */
    note: (kind: NoteMessage["kind"], text: string): void => emit({ type: "note", kind, text }),
    record: (
      exchange: Exchange,
      origin: Origin,
      judged: readonly Judgement[],
      { created, ...outcome }: Pick<ResponseCount, "succeeded" | "created"> = {},
    ): void => {
      const { operation, intent, response } = exchange;
      emit({
        type: "exchange",
        counted: { ...countedOf(exchange), ...outcome, ...createdOf(created, redact) },
      });
      progress.responded();
      const held: RequirementId[] = [];
      for (const { requirement, violation, noVerdict, gap } of judged)
        if (noVerdict !== undefined) inconclusive(requirement, noVerdict, { gap });
        else if (violation === undefined) held.push(requirement);
        else violated(requirement, origin, { ...violation, exchange });
      if (held.length > 0) holds(held, exchange);
      if (judged.every(({ violation }) => violation === undefined))
        samples.add(
          exchange,
          origin,
          `${operation} ${intent.kind} ${Math.floor(response.status / 100)}`,
        );
    },
    /** The findings so far whose requests can be sent again. */
    repeatable: findings.repeatable,
    /** Reports how often a finding showed when its request was sent again. */
    repeated: (
      finding: Pick<RepeatableFinding, "requirement" | "key">,
      repetition: Repetition,
    ): void => {
      const { requirement, key } = finding;
      const again = findings.repeat(key, repetition);
      if (again !== undefined)
        emit({ type: "judgement", broken: { requirement, key, finding: again, isUpdate: true } });
    },
  };
}

interface JudgementParts {
  readonly emit: RecorderParts["emit"];
  readonly findings: ReturnType<typeof createFindings>;
  readonly keep: (exchange: Exchange, origin: Origin, violates?: readonly RequirementId[]) => void;
  readonly samples: ReturnType<typeof createSamples>;
  /** Redacts a text and cuts it to the length that reports keep. */
  readonly short: (text: string) => string;
}

/** Makes the messages about a requirement: it holds, it is broken, or it has no verdict. */
function createJudgementMessages({ emit, findings, keep, samples, short }: JudgementParts) {
  const explained = new Set<RequirementId>();
  const failed = new Set<RequirementId>();
  return {
    holds: (requirements: readonly RequirementId[], exchange?: Exchange): void => {
      const shown = exchange && {
        scenario: short(exchange.scenario),
        ...samples.show(requirements, exchange),
      };
      emit({ type: "judgement", holds: requirements, ...shown, judged: exchange?.id });
    },
    violated: (requirement: RequirementId, origin: Origin, violation: Violation & Proof): void => {
      const { exchange } = violation;
      failed.add(requirement);
      const { key, finding, mistake } = findings.add(requirement, origin, violation);
      emit({
        type: "judgement",
        broken: { requirement, key, mistake, finding },
        judged: exchange?.id,
      });
      if (finding !== undefined && exchange !== undefined) keep(exchange, origin, [requirement]);
    },
    inconclusive: (requirement: RequirementId, reason: string, left: LeftOpen = {}): void => {
      explained.add(requirement);
      emit({
        type: "judgement",
        open: { requirement, reason: short(reason), cutShort: false, ...left },
      });
    },
    /** Whether a reason was recorded why a requirement may end without a verdict. */
    isExplained: (requirement: RequirementId): boolean => explained.has(requirement),
    /** Whether a requirement has been broken so far. */
    isBroken: (requirement: RequirementId): boolean => failed.has(requirement),
  };
}

/** Makes a function that returns what is counted of an exchange. `textOf` redacts its texts. */
function createCounting(textOf: (text: string) => string) {
  const factsOf = createRequestFacts(textOf);
  return (exchange: Exchange) => ({
    operation: exchange.operation,
    took: tenths(exchange.response.took),
    facts: factsOf(exchange),
  });
}

function createdOf(created: ResponseCount["created"], redact: (text: string) => string) {
  if (created === undefined) return {};
  const { kind, id } = created;
  return { created: { kind, id: id === undefined ? undefined : cutTo(redact(id), mostKept.id) } };
}

export interface LeftOpen {
  /** The requirement is inconclusive even if it held elsewhere. @defaultValue false */
  readonly cutShort?: boolean;
  /** What was missing, if that is nobody's fault (INT-57). */
  readonly gap?: Gap | undefined;
  /** The operation whose responses did not let a scenario continue, if that is the reason. */
  readonly blockedAt?: OperationName | undefined;
}

/** Decides which exchanges without a finding are kept. */
function createSamples(keep: (exchange: Exchange, origin: Origin) => void) {
  const counts = new Map<string, number>();
  const sampled = new Set<RequirementId>();
  return {
    /** Keeps an exchange, unless enough exchanges of its kind are kept already. */
    add: (exchange: Exchange, origin: Origin, kind: string): void => {
      const before = counts.get(kind) ?? 0;
      counts.set(kind, before + 1);
      if (before < mostKept.samples) keep(exchange, origin);
    },
    /**
     * Keeps the exchange and returns its id, if it is the first to show that one of the
     * requirements holds. Otherwise returns an empty object.
     */
    show: (
      requirements: readonly RequirementId[],
      exchange: Exchange,
    ): { readonly exchange?: number } => {
      if (requirements.every((requirement) => sampled.has(requirement))) return {};
      for (const requirement of requirements) sampled.add(requirement);
      keep(exchange, { id: "", name: exchange.scenario });
      return { exchange: exchange.id };
    },
  };
}

/**
 * An exchange in the form in which reports keep it. `started`: when the run started, in
 * milliseconds since the epoch.
 */
export function recordedExchange(
  exchange: Exchange,
  origin: Origin,
  violates: readonly RequirementId[],
  redact: (text: string) => string,
  started: number,
): RecordedExchange {
  const { request, response } = exchange;
  const serverIds = response.headers
    .filter(([name]) => serverId.test(name))
    .map(([name, value]) => `${name}: ${redact(value).slice(0, mostKept.answer)}`);
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
      url: cutTo(redact(request.url), mostKept.header),
      headers: fieldsKept(request.headers, redact),
      bodyBytes: request.body?.length ?? 0,
      body: request.body && bodyKept(request.body, redact),
    },
    response: {
      status: response.status,
      statusText: redact(response.statusText).slice(0, mostKept.answer),
      headers: fieldsKept(response.headers, redact),
      body: bodyKept(response.body, redact),
      bodyBytes: response.body.length,
    },
    ...(serverIds.length === 0 ? {} : { serverIds }),
  };
}

/** Headers by which an implementer finds a request in a log. */
const serverId =
  /^(x-)?(request|correlation|trace|amzn-trace|amzn-request)-?id$|^traceparent$|^cf-ray$/i;

/** Rounds milliseconds to one decimal place. */
export const tenths = (ms: number): number => Math.round(ms * 10) / 10;

function fieldsKept(fields: Fields, redact: (text: string) => string): Fields {
  return fields
    .slice(0, mostKept.headers)
    .map(
      ([name, value]) =>
        [redact(name).slice(0, mostKept.answer), redact(value).slice(0, mostKept.header)] as const,
    );
}

/**
 * Redacts a longer part of the body than is kept, so that no secret is cut in two before it is
 * redacted.
 */
function bodyKept(body: Uint8Array, redact: (text: string) => string): string {
  return cutTo(
    redact(new TextDecoder().decode(body.subarray(0, mostKept.body * 8))),
    mostKept.body,
  );
}
