import type { RequirementId } from "../../spec/catalogue.ts";
import { operationNames, type OperationName } from "../../spec/operations.ts";
import { questionIds, questions, type QuestionId } from "../../spec/questions.ts";
import { plural } from "../plural.ts";
import { byAnswer, createdKinds } from "../run.ts";
import type {
  CreatedKind,
  Finding,
  NoVerdict,
  ObservedAnswer,
  RecordedExchange,
  RequirementResult,
  Run,
} from "../run.ts";
import { createLatencies } from "./latency.ts";
import type {
  DrawnPool,
  JudgementMessage,
  Message,
  NoteMessage,
  ObservationMessage,
  Progress,
  ProgressMessage,
  ResponseCount,
} from "./messages.ts";
import type { JudgedResponse } from "../request-facts.ts";
import { createWitness, type Witness } from "./witness.ts";
import { createProgress } from "./progress.ts";

export type Store = ReturnType<typeof createStore>;

/** What was found out about a requirement. */
export interface JudgedRequirement extends Pick<
  RequirementResult,
  "asked" | "findings" | "judgedIn" | "sample"
> {
  readonly inconclusive: readonly NoVerdict[];
}

/** Members of `report.json` that follow from the messages alone, and the progress of the run. */
export interface RunDraft extends Pick<
  Run,
  | "requests"
  | "sent"
  | "observations"
  | "latency"
  | "exchanges"
  | "created"
  | "createdCounts"
  | "warnings"
> {
  readonly createdWithoutId: number;
  readonly judged: ReadonlyMap<RequirementId, JudgedRequirement>;
  /** Which responses show which mistake. Absent if there were more responses than are kept. */
  readonly witness?: Witness;
  /** Why the target could not be tested, if a message says so. */
  readonly untestable?: string;
  /** Internal errors. */
  readonly errors: readonly string[];
  /** Operations that had to succeed at least once and never gave a success that can be read. */
  readonly neverSucceeded: readonly OperationName[];
  /** A sentence on how many of the known odd values were sent; absent if none were drawn. */
  readonly notSent?: string;
  readonly progress: ProgressMessage;
}

/**
 * The most that a report lists, so that no target can make it grow without bound. The length of a
 * text is bounded where the text is made.
 */
const bounds = {
  created: 1000,
  /** Different answers to an open question, in all its cases. */
  answers: 1000,
  /** Reasons why a requirement has no verdict: for each gap, and for reasons without a gap. */
  reasons: 5,
  scenarios: 12,
};

/** Folds messages into the data of a report, for a server, a recording and a document alike. */
export function createStore() {
  const judgements = createJudgements();
  const observations = createObservations();
  const responses = createResponses();
  const witness = createWitness();
  const exchanges = new Map<number, RecordedExchange>();
  const notes: NoteMessage[] = [];
  let progress = createProgress().now();

  const keep = (exchange: RecordedExchange): void => {
    const violates = [
      ...new Set([...(exchanges.get(exchange.id)?.violates ?? []), ...exchange.violates]),
    ];
    exchanges.set(exchange.id, { ...exchange, violates });
  };
  const textsOf = (kind: NoteMessage["kind"]): readonly string[] =>
    notes.filter((note) => note.kind === kind).map(({ text }) => text);
  const takeOne = (message: Message): void => {
    if (message.type === "exchange") {
      if (message.counted !== undefined) responses.take(message.counted);
      if (message.counted?.facts !== undefined) witness.request(message.counted.facts);
      if (message.kept !== undefined) keep(message.kept);
    } else if (message.type === "judgement") {
      judgements.take(message);
      for (const response of responsesIn(message)) witness.judged(response);
    } else if (message.type === "observation") observations.take(message);
    else if (message.type === "progress") progress = message;
    else notes.push(message);
  };
  const requestsOf = ({ sent }: ProgressMessage): number =>
    sent.reduce((sum, { count }) => sum + count, 0);

  return {
    take: (messages: readonly Message[]): void => {
      for (const message of messages) takeOne(message);
    },
    draft: (): RunDraft => ({
      requests: requestsOf(progress),
      sent: progress.sent,
      observations: observations.all(),
      ...responses.result(),
      exchanges: [...exchanges.values()].sort((a, b) => a.id - b.id),
      warnings: [...textsOf("warning"), ...observations.warnings()],
      judged: judgements.all(),
      witness: witness.result(),
      untestable: textsOf("untestable")[0],
      notSent: notSentOf(progress.pools),
      errors: textsOf("error"),
      neverSucceeded: responses.withoutSuccess(progress.operations),
      progress,
    }),
    /** The ids of the requirements that have a finding. */
    failing: judgements.failing,
    progress: (): Progress => {
      const { done, planned, waiting } = progress;
      const counts = {
        scenariosDone: done,
        scenarios: planned,
        failing: judgements.failing().size,
      };
      return { ...counts, requests: requestsOf(progress), waiting };
    },
    /** The steps of the preflight, and those that are reported of the calibration, so far. */
    steps: () => progress.steps,
  };
}

/**
 * What a message says of a response: that requirements hold, or that the response shows a mistake.
 */
function responsesIn({ holds = [], broken, judged }: JudgementMessage): readonly JudgedResponse[] {
  if (judged === undefined) return [];
  const held = { exchange: judged, requirements: holds };
  if (broken === undefined || broken.isUpdate === true) return [held];
  const { requirement, mistake } = broken;
  return [held, { exchange: judged, requirements: [requirement], mistake }];
}

/** What is counted for a requirement. */
interface Counted {
  asked: number;
  sample?: number;
  readonly scenarios: Set<string>;
  readonly reasons: NoVerdict[];
  readonly findings: Map<string, Finding>;
}

function createJudgements() {
  const all = new Map<RequirementId, Counted>();
  const of = (requirement: RequirementId): Counted => {
    const known = all.get(requirement) ?? {
      asked: 0,
      scenarios: new Set(),
      reasons: [],
      findings: new Map(),
    };
    all.set(requirement, known);
    return known;
  };
  const hold = (counted: Counted, { scenario, exchange }: JudgementMessage): void => {
    counted.asked += 1;
    if (scenario !== undefined && counted.scenarios.size < bounds.scenarios)
      counted.scenarios.add(scenario);
    if (exchange !== undefined) counted.sample ??= exchange;
  };
  const breaks = ({
    requirement,
    key,
    finding,
    isUpdate,
  }: NonNullable<JudgementMessage["broken"]>): void => {
    const counted = of(requirement);
    if (isUpdate !== true) counted.asked += 1;
    const known = key === undefined ? undefined : counted.findings.get(key);
    const shown = finding ?? known;
    if (key === undefined || shown === undefined) return;
    const before = known?.occurrences ?? 0;
    counted.findings.set(key, { ...shown, occurrences: isUpdate === true ? before : before + 1 });
  };
  const leaveOpen = (open: NonNullable<JudgementMessage["open"]>): void => {
    const { requirement, reason, cutShort, gap, blockedAt } = open;
    const { reasons } = of(requirement);
    const known = reasons.filter((one) => one.gap === gap).length;
    if (known < bounds.reasons || cutShort) reasons.push({ reason, cutShort, gap, blockedAt });
  };
  return {
    take: (message: JudgementMessage): void => {
      for (const requirement of message.holds ?? []) hold(of(requirement), message);
      if (message.broken !== undefined) breaks(message.broken);
      if (message.open !== undefined) leaveOpen(message.open);
    },
    all: (): ReadonlyMap<RequirementId, JudgedRequirement> =>
      new Map([...all].map(([id, counted]) => [id, judgedOf(counted)])),
    failing: (): ReadonlySet<RequirementId> =>
      new Set([...all].filter(([, { findings }]) => findings.size > 0).map(([id]) => id)),
  };
}

function judgedOf({ asked, sample, scenarios, reasons, findings }: Counted): JudgedRequirement {
  return {
    asked,
    findings: [...findings.values()],
    judgedIn: scenarios.size === 0 ? undefined : [...scenarios],
    sample,
    inconclusive: reasons,
  };
}

function createObservations() {
  const known = new Map<QuestionId, Map<string, ObservedAnswer>>();
  const crowded = new Set<QuestionId>();
  return {
    take: ({ question, case: inCase, answer }: ObservationMessage): void => {
      const answers = known.get(question) ?? new Map<string, ObservedAnswer>();
      const key = JSON.stringify([inCase, answer]);
      const count = (answers.get(key)?.count ?? 0) + 1;
      if (count === 1 && answers.size >= bounds.answers) return void crowded.add(question);
      known.set(question, answers.set(key, { case: inCase, answer, count }));
    },
    all: (): Run["observations"] =>
      questionIds.flatMap((id) => {
        const answers = [...(known.get(id)?.values() ?? [])].sort(byAnswer);
        return answers.length === 0 ? [] : [{ id, question: questions[id].question, answers }];
      }),
    warnings: () =>
      [...crowded].map(
        (question) => `${question}: more different answers were observed than a report holds.`,
      ),
  };
}

function createResponses() {
  const latencies = createLatencies();
  const created: Run["created"][number][] = [];
  const counts = new Map<CreatedKind, number>();
  const succeeded = new Set<OperationName>();
  let createdWithoutId = 0;
  return {
    take: (response: ResponseCount): void => {
      latencies.add(response.operation, response.took);
      if (response.succeeded === true) succeeded.add(response.operation);
      if (response.created === undefined) return;
      const { kind, id } = response.created;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (id === undefined) createdWithoutId += 1;
      else if (created.length < bounds.created) created.push({ kind, id });
    },
    result: () => ({
      latency: latencies.all(),
      created,
      createdCounts: Object.fromEntries(
        createdKinds.flatMap((kind) => [...counts].filter(([one]) => one === kind)),
      ) as Run["createdCounts"],
      createdWithoutId,
    }),
    withoutSuccess: (needed: readonly OperationName[]): readonly OperationName[] =>
      operationNames.filter((operation) => needed.includes(operation) && !succeeded.has(operation)),
  };
}

/**
 * A sentence on how many of the values of all pools the run sent. Undefined if the run drew none.
 */
function notSentOf(pools: readonly DrawnPool[]): string | undefined {
  if (pools.length === 0) return undefined;
  const used = pools.reduce((sum, pool) => sum + pool.used, 0);
  const of = pools.reduce((sum, pool) => sum + pool.of, 0);
  const rest = used < of ? ": another --seed sends others, --runs 1000 sends all" : "";
  return `Sent ${used} of the ${plural(of, "odd value")} that fxconform knows${rest}.`;
}
