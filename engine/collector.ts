import type { Evidence, EvidenceOf, Span } from "../model/evidence.ts";
import { byAnswer, createdKinds } from "../model/run.ts";
import type { CreatedKind, ObservedAnswer, Run, SentKind, RecordedExchange } from "../model/run.ts";
import { plural } from "../model/plural.ts";
import { createLatencies } from "../model/latency.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { operationNames, type OperationName } from "../spec/operations.ts";
import { questionIds, questions, type QuestionId } from "../spec/questions.ts";
import { createJudgements } from "./judgements.ts";
import type { RunOptions } from "../model/run-options.ts";
import type { Progress } from "./options.ts";

export type Collection = ReturnType<Collector["collection"]>;

export type Collector = ReturnType<typeof createCollector>;

interface Listeners {
  readonly onSecret?: (secret: string) => void;
  readonly onSpan?: ((span: Span) => void) | undefined;
  readonly onRecorded?: ((entry: string) => void) | undefined;
}

/** The most that a report lists, so that no target can make it grow without bound. */
const bounds = {
  created: 1000,
  /** Cases of an open question, and answers in each of them. */
  cases: 400,
  answers: 40,
};

type Takes = { readonly [T in Evidence["type"]]: (evidence: EvidenceOf<T>) => void };

export const createCollector = (
  options: Pick<RunOptions, "replayCommand"> = {},
  { onSecret, onSpan, onRecorded }: Listeners = {},
) => {
  const judgements = createJudgements(options);
  const answers = createAnswers();
  const exchanges = createExchanges();
  const requests = createRequests();
  const pools = createPools();
  const scenarios = createScenarios();
  const notes = createNotes();
  let peakInFlight: number | undefined;
  const takes: Takes = {
    ...judgements.takes,
    ...answers.takes,
    ...exchanges.takes,
    ...requests.takes,
    ...pools.takes,
    ...scenarios.takes,
    ...notes.takes,
    secret: ({ value }) => onSecret?.(value),
    span: (span) => onSpan?.(span),
    recorded: ({ entry }) => onRecorded?.(entry),
    end: (end) => void ({ peakInFlight } = end),
  };
  return {
    take: (evidence: readonly Evidence[]): void => {
      for (const one of evidence) (takes[one.type] as (evidence: Evidence) => void)(one);
    },
    collection: () => ({
      judged: judgements.all(),
      exchanges: exchanges.all(),
      ...pools.result(),
      ...requests.result(),
      ...scenarios.result(),
      ...notes.result(),
      observations: answers.all(),
      warnings: [...notes.result().warnings, ...answers.warnings()],
      neverSucceeded: requests.withoutSuccess(scenarios.operations()),
      peakInFlight: peakInFlight ?? 0,
      ended: peakInFlight !== undefined,
    }),
    failing: judgements.failing,
    progress: (): Progress => ({ ...scenarios.progress(), ...requests.progress(), failing: judgements.failing().size }),
  };
};

const createAnswers = () => {
  const cases = new Map<QuestionId, Map<string, Map<string, number>>>();
  const crowded = new Set<QuestionId>();
  return {
    takes: {
      answer: ({ question, case: inCase, answer }: EvidenceOf<"answer">): void => {
        const known = cases.get(question) ?? new Map<string, Map<string, number>>();
        const counts = known.get(inCase) ?? new Map<string, number>();
        const isFull =
          !counts.has(answer) && (counts.size >= bounds.answers || (counts.size === 0 && known.size >= bounds.cases));
        if (isFull) return void crowded.add(question);
        cases.set(question, known.set(inCase, counts.set(answer, (counts.get(answer) ?? 0) + 1)));
      },
    },
    all: (): Run["observations"] =>
      questionIds
        .filter((id) => cases.has(id))
        .map((id) => ({
          id,
          question: questions[id].question,
          answers: [...(cases.get(id) ?? [])]
            .flatMap(([inCase, counts]) =>
              [...counts].map(([answer, count]): ObservedAnswer => ({ case: inCase, answer, count })),
            )
            .sort(byAnswer),
        })),
    warnings: () =>
      [...crowded].map((question) => `${question}: more different answers were observed than a report holds.`),
  };
};

const createExchanges = () => {
  const kept = new Map<number, RecordedExchange>();
  return {
    takes: {
      exchange: ({ exchange }: EvidenceOf<"exchange">): void => {
        const violates = [...new Set([...(kept.get(exchange.id)?.violates ?? []), ...exchange.violates])];
        kept.set(exchange.id, { ...exchange, violates });
      },
    },
    all: () => [...kept.values()].sort((a, b) => a.id - b.id),
  };
};

const createRequests = () => {
  const counts = new Map<string, number>();
  const latencies = createLatencies();
  const created: Run["created"][number][] = [];
  const createdCounts = new Map<CreatedKind, number>();
  const succeeded = new Set<OperationName>();
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
        const { kind } = response.created;
        createdCounts.set(kind, (createdCounts.get(kind) ?? 0) + 1);
        if (created.length < bounds.created) created.push(response.created);
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
    }),
    withoutSuccess: (needed: ReadonlySet<OperationName>) =>
      operationNames.filter((operation) => needed.has(operation) && !succeeded.has(operation)),
    progress: () => ({ requests, ...(waiting === undefined ? {} : { waiting }) }),
  };
};

const sentKinds = ["valid", "unusual", "invalid", "bad credentials"] as const satisfies readonly SentKind[];

/** How many of the values of all pools the run sent, as a sentence. */
const createPools = () => {
  const pools = new Map<string, { readonly used: number; readonly of: number }>();
  return {
    takes: { pool: ({ name, used, of }: EvidenceOf<"pool">): void => void pools.set(name, { used, of }) },
    result: (): { readonly notSent?: string } => {
      if (pools.size === 0) return {};
      const [used, of] = [...pools.values()].reduce(([a, b], pool) => [a + pool.used, b + pool.of], [0, 0]);
      const rest = used < of ? ": another --seed sends others, --runs 1000 sends all" : "";
      return { notSent: `Sent ${used} of the ${plural(of, "odd value")} that fxconform knows${rest}.` };
    },
  };
};

const createScenarios = () => {
  const took = new Map<RequirementId, number>();
  let operations: ReadonlySet<OperationName> = new Set();
  let [planned, done] = [0, 0];
  return {
    takes: {
      planned: (all: EvidenceOf<"planned">): void => {
        planned = all.scenarios;
        operations = new Set(all.operations);
      },
      done: (scenario: EvidenceOf<"done">): void => {
        done += 1;
        for (const id of scenario.requirements) took.set(id, (took.get(id) ?? 0) + scenario.took);
      },
    },
    result: () => ({ planned, done, took }),
    operations: () => operations,
    progress: () => ({ scenariosDone: done, scenarios: planned }),
  };
};

const createNotes = () => {
  const texts = { warning: [] as string[], untestable: [] as string[], error: [] as string[] };
  return {
    takes: { note: ({ kind, text }: EvidenceOf<"note">): void => void texts[kind].push(text) },
    result: () => ({ warnings: texts.warning, untestable: texts.untestable[0], errors: texts.error }),
  };
};
