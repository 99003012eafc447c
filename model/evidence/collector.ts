import type { Evidence, EvidenceOf, PreflightStep, Progress } from "./messages.ts";
import { byAnswer, createdKinds } from "../run.ts";
import type { CreatedKind, ObservedAnswer, Run, SentKind, RecordedExchange } from "../run.ts";
import { plural } from "../plural.ts";
import { createLatencies } from "./latency.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationNames, type OperationName } from "../../spec/operations.ts";
import { questionIds, questions, type QuestionId } from "../../spec/questions.ts";
import { createJudgements } from "./judgements.ts";
import type { RunOptions } from "../run-options.ts";

export type Collection = ReturnType<Collector["collection"]>;

export type Collector = ReturnType<typeof createCollector>;

/** The most that a report lists, so that no target can make it grow without bound. */
const bounds = {
  created: 1000,
  /** Different answers to an open question, in all its cases. */
  answers: 1000,
};

type Takes = { readonly [T in Evidence["type"]]: (evidence: EvidenceOf<T>) => void };

export const createCollector = (options: Pick<RunOptions, "replayCommand"> = {}) => {
  const judgements = createJudgements(options);
  const answers = createAnswers();
  const requests = createRequests();
  const course = createCourse();
  const exchanges = new Map<number, RecordedExchange>();
  const pools = new Map<string, EvidenceOf<"pool">>();
  const takes: Takes = {
    ...judgements.takes,
    ...answers.takes,
    ...requests.takes,
    ...course.takes,
    exchange: ({ exchange }) => {
      const violates = [...new Set([...(exchanges.get(exchange.id)?.violates ?? []), ...exchange.violates])];
      exchanges.set(exchange.id, { ...exchange, violates });
    },
    pool: (pool) => void pools.set(pool.name, pool),
    // These are no part of a run: the engine hands them on.
    secret: () => undefined,
    span: () => undefined,
    recorded: () => undefined,
  };
  return {
    take: (evidence: readonly Evidence[]): void => {
      for (const one of evidence) (takes[one.type] as (evidence: Evidence) => void)(one);
    },
    collection: () => {
      const { operations, warnings, ...whole } = course.result();
      return {
        ...whole,
        ...requests.result(),
        judged: judgements.all(),
        exchanges: [...exchanges.values()].sort((a, b) => a.id - b.id),
        notSent: notSentOf([...pools.values()]),
        observations: answers.all(),
        warnings: [...warnings, ...answers.warnings()],
        neverSucceeded: requests.withoutSuccess(operations),
      };
    },
    failing: judgements.failing,
    progress: (): Progress => {
      const { done, planned } = course.result();
      const failing = judgements.failing().size;
      return { scenariosDone: done, scenarios: planned, failing, ...requests.progress() };
    },
  };
};

const createAnswers = () => {
  const known = new Map<QuestionId, Map<string, ObservedAnswer>>();
  const crowded = new Set<QuestionId>();
  return {
    takes: {
      answer: ({ question, case: inCase, answer }: EvidenceOf<"answer">): void => {
        const answers = known.get(question) ?? new Map<string, ObservedAnswer>();
        const key = JSON.stringify([inCase, answer]);
        const count = (answers.get(key)?.count ?? 0) + 1;
        if (count === 1 && answers.size >= bounds.answers) return void crowded.add(question);
        known.set(question, answers.set(key, { case: inCase, answer, count }));
      },
    },
    all: (): Run["observations"] =>
      questionIds.flatMap((id) => {
        const answers = [...(known.get(id)?.values() ?? [])].sort(byAnswer);
        return answers.length === 0 ? [] : [{ id, question: questions[id].question, answers }];
      }),
    warnings: () =>
      [...crowded].map((question) => `${question}: more different answers were observed than a report holds.`),
  };
};

const createRequests = () => {
  const counts = new Map<string, number>();
  const latencies = createLatencies();
  const created: Run["created"][number][] = [];
  const createdCounts = new Map<CreatedKind, number>();
  const succeeded = new Set<OperationName>();
  let createdWithoutId = 0;
  let requests = 0;
  let waiting: string | undefined;
  return {
    takes: {
      sent: ({ operation, kind }: EvidenceOf<"sent">): void => {
        requests += 1;
        counts.set(`${operation} ${kind}`, (counts.get(`${operation} ${kind}`) ?? 0) + 1);
      },
      response: (response: EvidenceOf<"response">): void => {
        waiting = undefined;
        latencies.add(response.operation, response.took);
        if (response.succeeded === true) succeeded.add(response.operation);
        if (response.created === undefined) return;
        const { kind, id } = response.created;
        createdCounts.set(kind, (createdCounts.get(kind) ?? 0) + 1);
        if (id === undefined) createdWithoutId += 1;
        else if (created.length < bounds.created) created.push({ kind, id });
      },
      waiting: ({ text }: EvidenceOf<"waiting">): void => {
        waiting = text;
      },
    },
    result: () => ({
      requests,
      sent: operationNames
        .flatMap((operation) =>
          sentKinds.map((kind) => ({ operation, kind, count: counts.get(`${operation} ${kind}`) ?? 0 })),
        )
        .filter(({ count }) => count > 0),
      latency: latencies.all(),
      created,
      createdCounts: Object.fromEntries(
        createdKinds.flatMap((kind) => [...createdCounts].filter(([one]) => one === kind)),
      ),
      createdWithoutId,
    }),
    withoutSuccess: (needed: readonly OperationName[]) =>
      operationNames.filter((operation) => needed.includes(operation) && !succeeded.has(operation)),
    progress: () => ({ requests, ...(waiting === undefined ? {} : { waiting }) }),
  };
};

const sentKinds = ["valid", "unusual", "invalid", "bad credentials"] as const satisfies readonly SentKind[];

/** How many of the values of all pools the run sent, as a sentence; undefined if it drew none. */
const notSentOf = (pools: readonly EvidenceOf<"pool">[]): string | undefined => {
  if (pools.length === 0) return undefined;
  const [used, of] = pools.reduce(([a, b], pool) => [a + pool.used, b + pool.of], [0, 0]);
  const rest = used < of ? ": another --seed sends others, --runs 1000 sends all" : "";
  return `Sent ${used} of the ${plural(of, "odd value")} that fxconform knows${rest}.`;
};

/** How far the run has come, and what it notes on its way. */
const createCourse = () => {
  const steps: PreflightStep[] = [];
  const took = new Map<RequirementId, number>();
  const texts = { warning: [] as string[], untestable: [] as string[], error: [] as string[] };
  let operations: readonly OperationName[] = [];
  let [planned, done] = [0, 0];
  let peakInFlight: number | undefined;
  return {
    takes: {
      step: (step: EvidenceOf<"step">): void => void steps.push(step),
      planned: (all: EvidenceOf<"planned">): void => {
        planned = all.scenarios;
        operations = all.operations;
      },
      done: (scenario: EvidenceOf<"done">): void => {
        done += 1;
        for (const id of scenario.requirements) took.set(id, (took.get(id) ?? 0) + scenario.took);
      },
      note: ({ kind, text }: EvidenceOf<"note">): void => void texts[kind].push(text),
      end: (end: EvidenceOf<"end">): void => void ({ peakInFlight } = end),
    },
    result: () => ({
      ...{ operations, planned, done, took },
      ...{ warnings: texts.warning, untestable: texts.untestable[0], errors: texts.error },
      unreachable: steps.find(({ stops }) => stops === true),
      certificate: steps.find(({ certificate }) => certificate !== undefined)?.certificate,
      peakInFlight: peakInFlight ?? 0,
      ended: peakInFlight !== undefined,
    }),
  };
};
