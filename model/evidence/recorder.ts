import type { RequirementId } from "../../spec/catalogue.ts";
import { prose } from "../../spec/prose.ts";
import { questionIds, type QuestionId } from "../../spec/questions.ts";
import type { Exchange, Origin } from "../exchange.ts";
import type { Judgement, Violation } from "../mistake.ts";
import { intentText, type Fields } from "../request.ts";
import { createRequestFacts, type RequestFacts } from "../request-facts.ts";
import {
  byAnswer,
  type Coverage,
  type Finding,
  type Lack,
  type NoVerdict,
  type ObservedAnswer,
  type RecordedExchange,
  type Run,
} from "../run.ts";
import { cutTo, mostKept } from "../bounds.ts";
import type { CurlTrust } from "./curl.ts";
import { createWitness, type Evidence, type JudgedRequirement } from "./evidence.ts";
import { createFindings, type Proof, type RepeatableFinding, type Repetition } from "./findings.ts";
import {
  createProgress,
  createResponses,
  type ProgressCounters,
  type ResponseOutcome,
} from "./counts.ts";
import { createRedaction, type Redaction } from "./redaction.ts";

/** Replaces the secrets in a text. */
type Redact = (text: string) => string;

export type Recorder = ReturnType<typeof createRecorder>;

interface RecorderParts {
  /** @defaultValue one that knows no secret */
  readonly redaction?: Redaction;
  /**
   * The command that repeats the run, quoted for a shell. ` --only <id>` is appended to it to judge
   * a single requirement.
   */
  readonly replayCommand?: string;
  /** The counters of the run's progress. @defaultValue counters that nobody reads */
  readonly progress?: ProgressCounters;
  /** What the curl commands need to trust the target. @defaultValue none */
  readonly trust?: CurlTrust;
  /** When the run started, in milliseconds since the epoch. @defaultValue now */
  readonly started?: number;
}

/**
 * The most that a report lists, so that no target can make it grow without bound. The length of a
 * text is bounded where the text is made.
 */
const bounds = {
  /** Different answers to an open question, in all its cases. */
  answers: 1000,
  /** Reasons why a requirement has no verdict: for each gap, and for reasons without a gap. */
  reasons: 5,
  scenarios: 12,
};

/** Keeps what a run finds, redacted and bounded. */
export function createRecorder({ redaction = createRedaction(), ...parts }: RecorderParts = {}) {
  const { progress = createProgress(), started = Date.now(), ...texts } = parts;
  let coverage: readonly Coverage[] = [];
  const redact = (text: string): string => redaction.redact(text.toWellFormed());
  const short = (text: string): string => cutTo(redact(text), mostKept.text);
  const answer = (text: string): string => redact(text).slice(0, mostKept.answer);
  const findings = createFindings({ redact, replayCommand: "", ...texts });
  const observations = createObservations();
  const responses = createResponses();
  const witness = createWitness();
  const factsOf = createRequestFacts(answer);
  const { keep, all } = createExchanges(redact, started);
  const notes = { warning: [] as string[], untestable: [] as string[], error: [] as string[] };
  const samples = createSamples(keep);

  const { judged, ...judgements } = createJudgements({ findings, witness, samples, keep, short });
  const { holds, violated, inconclusive } = judgements;

  return {
    progress,
    ...judgements,
    /** Counts a response, whether it is judged or the request is sent again. */
    received: responses.received,
    observe: (question: QuestionId, inCase: string, text: string): void =>
      observations.add(question, answer(inCase), answer(text)),
    /** Adds a text of fxconform itself. The text is redacted already. */
    note: (kind: keyof typeof notes, text: string): void => void notes[kind].push(text),
    record: (
      exchange: Exchange,
      origin: Origin,
      shown: readonly Judgement[],
      { succeeded, created }: ResponseOutcome = {},
    ): void => {
      const { operation, intent, response } = exchange;
      const took = tenths(response.took);
      responses.add(operation, took, { succeeded, created: boundedId(created, redact) });
      witness.request(factsOf(exchange));
      progress.responded();
      const held: RequirementId[] = [];
      for (const { requirement, violation, noVerdict, gap } of shown)
        if (noVerdict !== undefined) inconclusive(requirement, noVerdict, { gap });
        else if (violation === undefined) held.push(requirement);
        else violated(requirement, origin, { ...violation, exchange });
      if (held.length > 0) holds(held, exchange);
      if (shown.every(({ violation }) => violation === undefined))
        samples.add(
          exchange,
          origin,
          `${operation} ${intent.kind} ${Math.floor(response.status / 100)}`,
        );
    },
    /** Adds a finding that was made elsewhere, of a document. */
    found: (key: string, requirement: RequirementId, finding: Finding): void => {
      findings.addMade(key, requirement, finding);
      judgements.breaks(requirement);
    },
    /** The findings so far whose requests can be sent again. */
    repeatable: findings.repeatable,
    /** Notes how often a finding showed when its request was sent again. */
    repeated: ({ key }: Pick<RepeatableFinding, "key">, repetition: Repetition): void =>
      findings.repeat(key, repetition),
    /** Notes what further requests have shown of one that crashed. */
    tried: witness.tried,
    /** The facts of all requests so far. */
    requests: () => witness.result()?.requests ?? new Map<number, RequestFacts>(),
    failing: findings.failing,
    /** Notes what the valid requests of the run have covered. */
    covers: (covered: readonly Coverage[]): void => void (coverage = covered),
    /** All that was found so far. */
    evidence: (): Evidence => {
      const now = progress.now();
      return {
        sent: now.sent,
        requests: now.sent.reduce((sum, { count }) => sum + count, 0),
        neverSucceeded: responses.withoutSuccess(now.operations),
        progress: now,
        ...responses.result(),
        coverage,
        observations: observations.all(),
        exchanges: all(),
        warnings: [...notes.warning, ...observations.warnings()],
        judged: judged(),
        witness: witness.result(),
        untestable: notes.untestable[0],
        errors: notes.error,
      };
    },
  };
}

/** What a success created, with its id redacted and bounded. */
function boundedId(created: ResponseOutcome["created"], redact: Redact) {
  if (created?.id === undefined) return created;
  return { ...created, id: cutTo(redact(created.id), mostKept.id) };
}

/** The exchanges that reports keep, in the form in which they keep them. */
function createExchanges(redact: Redact, started: number) {
  const exchanges = new Map<number, RecordedExchange>();
  return {
    keep: (exchange: Exchange, origin: Origin, broken: readonly RequirementId[] = []): void => {
      const all = [...(exchanges.get(exchange.id)?.violates ?? []), ...broken];
      const kept = recordedExchange(exchange, origin, [...new Set(all)], redact, started);
      exchanges.set(exchange.id, kept);
    },
    all: () => [...exchanges.values()].sort((a, b) => a.id - b.id),
  };
}

interface JudgementParts {
  readonly findings: ReturnType<typeof createFindings>;
  readonly witness: ReturnType<typeof createWitness>;
  readonly samples: ReturnType<typeof createSamples>;
  readonly keep: (exchange: Exchange, origin: Origin, violates?: readonly RequirementId[]) => void;
  /** Redacts a text and cuts it to the length that reports keep. */
  readonly short: Redact;
}

/** What is counted for a requirement. */
interface Counted {
  asked: number;
  sample?: number;
  isBroken: boolean;
  /** The scenarios whose exchanges showed it, with their names as reports keep them. */
  readonly scenarios: Map<string, string>;
  readonly reasons: NoVerdict[];
  lack?: Lack;
}

/** Notes what is judged of a requirement, and says so: it holds, is broken, or has no verdict. */
function createJudgements({ findings, witness, samples, keep, short }: JudgementParts) {
  const all = new Map<RequirementId, Counted>();
  const of = (id: RequirementId): Counted => {
    const fresh = { asked: 0, isBroken: false, scenarios: new Map<string, string>(), reasons: [] };
    const known = all.get(id) ?? fresh;
    all.set(id, known);
    return known;
  };
  const breaks = (id: RequirementId): void => {
    const counted = of(id);
    counted.asked += 1;
    counted.isBroken = true;
  };
  return {
    breaks,
    holds: (ids: readonly RequirementId[], exchange?: Exchange): void => {
      const sample = exchange && samples.show(ids, exchange);
      const name = exchange?.scenario;
      for (const counted of ids.map(of)) {
        const { scenarios } = counted;
        counted.asked += 1;
        if (name !== undefined && scenarios.size < bounds.scenarios && !scenarios.has(name))
          scenarios.set(name, short(name));
        if (sample !== undefined) counted.sample ??= sample;
      }
      if (exchange !== undefined) witness.judged(exchange.id, ids);
    },
    violated: (id: RequirementId, origin: Origin, violation: Violation & Proof): void => {
      const { exchange } = violation;
      const { isExample, mistake } = findings.add(id, origin, violation);
      breaks(id);
      if (exchange === undefined) return;
      witness.judged(exchange.id, [id]);
      if (mistake !== undefined) witness.shows(exchange.id, mistake);
      if (!isExample) return;
      keep(exchange, origin, [id]);
      const first = violation.firstShown?.exchange;
      if (first !== undefined) keep(first, { ...origin, name: first.scenario ?? origin.name });
    },
    inconclusive: (
      id: RequirementId,
      reason: string,
      left: Partial<Omit<NoVerdict, "reason">> = {},
    ): void => {
      const { reasons } = of(id);
      const made = { reason: short(reason), cutShort: false, ...left };
      const known = reasons.filter(({ gap }) => gap === made.gap).length;
      if (known < bounds.reasons || made.cutShort) reasons.push(made);
    },
    /** Notes the first need of a requirement that the run did not meet. */
    lacks: (id: RequirementId, lack: Lack): void =>
      void (of(id).lack = { ...lack, reason: short(lack.reason) }),
    /** Whether a requirement has been broken so far. */
    isBroken: (id: RequirementId): boolean => all.get(id)?.isBroken === true,
    judged: (): ReadonlyMap<RequirementId, JudgedRequirement> =>
      new Map(
        [...all].map(([id, { asked, sample, scenarios, reasons, lack }]) => [
          id,
          {
            asked,
            findings: findings.of(id),
            judgedIn: scenarios.size === 0 ? undefined : [...scenarios.values()],
            sample,
            inconclusive: reasons,
            lack,
          },
        ]),
      ),
  };
}

function createObservations() {
  const known = new Map<QuestionId, Map<string, ObservedAnswer>>();
  const crowded = new Set<QuestionId>();
  return {
    add: (question: QuestionId, inCase: string, answer: string): void => {
      const answers = known.get(question) ?? new Map<string, ObservedAnswer>();
      const key = JSON.stringify([inCase, answer]);
      const count = (answers.get(key)?.count ?? 0) + 1;
      if (count === 1 && answers.size >= bounds.answers) return void crowded.add(question);
      known.set(question, answers.set(key, { case: inCase, answer, count }));
    },
    all: (): Run["observations"] =>
      questionIds.flatMap((id) => {
        const answers = [...(known.get(id)?.values() ?? [])].sort(byAnswer);
        return answers.length === 0
          ? []
          : [{ id, question: prose.questions[id].question, answers }];
      }),
    warnings: () =>
      [...crowded].map(
        (question) => `${question}: more different answers were observed than a report holds.`,
      ),
  };
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
     * requirements holds.
     */
    show: (
      requirements: readonly RequirementId[],
      exchange: Exchange,
    ): Exchange["id"] | undefined => {
      if (requirements.every((requirement) => sampled.has(requirement))) return undefined;
      for (const requirement of requirements) sampled.add(requirement);
      keep(exchange, { id: "", name: exchange.scenario });
      return exchange.id;
    },
  };
}

/**
 * An exchange in the form in which reports keep it. `started`: when the run started, in
 * milliseconds since the epoch.
 */
function recordedExchange(
  exchange: Exchange,
  origin: Origin,
  violates: readonly RequirementId[],
  redact: Redact,
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
const tenths = (ms: number): number => Math.round(ms * 10) / 10;

function fieldsKept(fields: Fields, redact: Redact): Fields {
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
function bodyKept(body: Uint8Array, redact: Redact): string {
  return cutTo(
    redact(new TextDecoder().decode(body.subarray(0, mostKept.body * 8))),
    mostKept.body,
  );
}
