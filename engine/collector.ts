import type { Evidence, FoundViolation, RecordedExchange, Span } from "../model/evidence.ts";
import { standingOperations, type RequirementId } from "../spec/catalogue.ts";
import { questions, questionIds, type QuestionId } from "../spec/questions.ts";
import { operationNames, type OperationName } from "../spec/operations.ts";
import { byAnswer } from "../model/observed-answers.ts";
import {
  createdKinds,
  type CreatedKind,
  type NoVerdict,
  type ObservedAnswer,
  type Run,
  type SentKind,
} from "../model/run.ts";
import { plural } from "../model/plural.ts";
import { createLatencies } from "../model/timing/latency.ts";
import type { Progress } from "./options.ts";

/** Everything that the worker has sent so far. */
export interface Collection extends Required<
  Pick<Run, "exchanges" | "sent" | "latency" | "created" | "createdCounts">
> {
  readonly notSent?: string;
  readonly judged: ReadonlyMap<RequirementId, number>;
  readonly findings: readonly FoundViolation[];
  /** What showed that a requirement holds. */
  readonly held: ReadonlyMap<RequirementId, { readonly scenarios: readonly string[]; readonly sample?: number }>;
  /** Milliseconds that the scenarios of a requirement took. */
  readonly took: ReadonlyMap<RequirementId, number>;
  readonly occurrences: ReadonlyMap<string, number>;
  readonly inconclusive: ReadonlyMap<RequirementId, readonly NoVerdict[]>;
  readonly observations: Run["observations"];
  readonly neverSucceeded: readonly OperationName[];
  readonly untestable: string | undefined;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  readonly planned: number;
  readonly done: number;
  readonly requests: number;
  readonly peakInFlight: number;
  readonly ended: boolean;
}

/** Collects evidence as it arrives. */
export interface Collector {
  readonly take: (evidence: readonly Evidence[]) => void;
  readonly collection: () => Collection;
  /** Requirements with a finding so far. */
  readonly failing: () => ReadonlySet<RequirementId>;
  /** Whether every scenario that can judge a requirement has ended. */
  readonly isFinished: (requirement: RequirementId) => boolean;
  /** Whether the worker has sent everything. */
  readonly ended: () => boolean;
  readonly progress: () => Progress;
}

/** The most created resources that a report lists, and the most reasons and scenarios of a requirement. */
const bounds = { created: 1000, reasons: 5, scenarios: 12 };

export const createCollector = (onSecret: (secret: string) => void, onSpan?: (span: Span) => void): Collector => {
  const judged = new Map<RequirementId, number>();
  const findings: FoundViolation[] = [];
  const held = new Map<RequirementId, { scenarios: string[]; sample?: number }>();
  const occurrences = new Map<string, number>();
  const inconclusive = new Map<RequirementId, NoVerdict[]>();
  const sent = new Map<string, number>();
  const exchanges = new Map<number, RecordedExchange>();
  const latencies = createLatencies();
  const created: Run["created"][number][] = [];
  const createdCounts = new Map<CreatedKind, number>();
  const answers = new Map<QuestionId, Map<string, ObservedAnswer>>();
  const needed = new Set<OperationName>();
  const succeeded = new Set<OperationName>();
  const took = new Map<RequirementId, number>();
  const pools = new Map<string, { readonly used: number; readonly of: number }>();
  /** How many scenarios that judge a requirement by themselves have not ended. */
  const open = new Map<RequirementId, number>();
  const repeated = new Map<string, Extract<Evidence, { readonly type: "repeated" }>>();
  const faults: string[] = [];
  const warnings: string[] = [];
  let untestable: string | undefined;
  let waiting: string | undefined;
  let planned = 0;
  let done = 0;
  let responses = 0;
  let end: { requests: number; peakInFlight: number } | undefined;

  const takeOne = (evidence: Evidence): void => {
    switch (evidence.type) {
      case "judged":
        for (const [id, count] of Object.entries(evidence.counts) as [RequirementId, number][]) {
          judged.set(id, (judged.get(id) ?? 0) + count);
        }
        return;
      case "finding": {
        const before = findings.findIndex(({ key }) => key === evidence.finding.key);
        if (before < 0) findings.push(evidence.finding);
        else findings[before] = evidence.finding;
        return;
      }
      case "held": {
        const { requirement, scenario, exchange } = evidence;
        const known = held.get(requirement) ?? { scenarios: [] };
        if (known.scenarios.length < bounds.scenarios && !known.scenarios.includes(scenario))
          known.scenarios.push(scenario);
        if (exchange !== undefined) known.sample ??= exchange;
        held.set(requirement, known);
        return;
      }
      case "occurrences":
        for (const [key, count] of Object.entries(evidence.counts)) occurrences.set(key, count);
        return;
      case "inconclusive": {
        const reasons = inconclusive.get(evidence.requirement) ?? [];
        if (reasons.length < bounds.reasons || evidence.cutShort) reasons.push(evidence);
        inconclusive.set(evidence.requirement, reasons);
        return;
      }
      case "observation": {
        const known = answers.get(evidence.question) ?? new Map<string, ObservedAnswer>();
        const { case: inCase, answer, count } = evidence;
        const key = JSON.stringify([inCase, answer]);
        known.set(key, { case: inCase, answer, count: (known.get(key)?.count ?? 0) + count });
        answers.set(evidence.question, known);
        return;
      }
      case "exchange": {
        const before = exchanges.get(evidence.exchange.id);
        const violates = [...new Set([...(before?.violates ?? []), ...evidence.exchange.violates])];
        exchanges.set(evidence.exchange.id, { ...evidence.exchange, violates });
        return;
      }
      case "sent":
        for (const [key, count] of Object.entries(evidence.counts)) sent.set(key, (sent.get(key) ?? 0) + count);
        return;
      case "timings":
        responses += evidence.entries.length;
        waiting = undefined;
        for (const [operation, took, status] of evidence.entries) {
          if (status !== 0) latencies.add(operation, took);
        }
        return;
      case "pool":
        pools.set(evidence.name, { used: evidence.used, of: evidence.of });
        return;
      case "created":
        createdCounts.set(evidence.kind, (createdCounts.get(evidence.kind) ?? 0) + 1);
        if (created.length < bounds.created) created.push({ kind: evidence.kind, id: evidence.id });
        return;
      case "recorded":
        return;
      case "succeeded":
        succeeded.add(evidence.operation);
        return;
      case "untestable":
        untestable ??= evidence.reason;
        return;
      case "waiting":
        waiting = evidence.text;
        return;
      case "warning":
        warnings.push(evidence.text);
        return;
      case "secret":
        onSecret(evidence.value);
        return;
      case "planned":
        planned += 1;
        for (const id of evidence.requirements) open.set(id, (open.get(id) ?? 0) + 1);
        for (const operation of evidence.operations) needed.add(operation);
        return;
      case "done":
        done += 1;
        for (const id of evidence.requirements) open.set(id, (open.get(id) ?? 0) - 1);
        for (const id of evidence.requirements) took.set(id, (took.get(id) ?? 0) + evidence.took);
        return;
      case "span":
        onSpan?.(evidence);
        return;
      case "repeated":
        repeated.set(evidence.key, evidence);
        return;
      case "suite error":
        faults.push(`${evidence.scenario}: ${evidence.text}`);
        return;
      case "end":
        end = evidence;
        return;
    }
  };

  const failing = (): ReadonlySet<RequirementId> => new Set(findings.map(({ requirement }) => requirement));

  return {
    take: (evidence) => {
      for (const one of evidence) takeOne(one);
    },
    collection: () => ({
      judged,
      findings: findings.map((finding) => withRepeats(finding, repeated.get(finding.key))),
      held,
      took,
      occurrences,
      inconclusive,
      exchanges: [...exchanges.values()].sort((a, b) => a.id - b.id),
      sent: operationNames.flatMap((operation) =>
        sentKinds.flatMap((kind) => {
          const count = sent.get(`${operation} ${kind}`);
          return count === undefined ? [] : [{ operation, kind, count }];
        }),
      ),
      latency: latencies.all(),
      ...notSentOf([...pools.values()]),
      created,
      createdCounts: Object.fromEntries(
        createdKinds.flatMap((kind) => {
          const count = createdCounts.get(kind);
          return count === undefined ? [] : [[kind, count] as const];
        }),
      ),
      observations: questionIds
        .filter((id) => answers.has(id))
        .map((id) => ({
          id,
          question: questions[id].question,
          answers: [...(answers.get(id)?.values() ?? [])].sort(byAnswer),
        })),
      neverSucceeded: operationNames.filter((operation) => needed.has(operation) && !succeeded.has(operation)),
      untestable,
      faults,
      warnings,
      planned,
      done,
      requests: end?.requests ?? responses,
      peakInFlight: end?.peakInFlight ?? 0,
      ended: end !== undefined,
    }),
    failing,
    isFinished: (id) =>
      planned > 0 && (done === planned || (open.get(id) === 0 && standingOperations(id).length === 0)),
    ended: () => end !== undefined,
    progress: () => ({
      requests: responses,
      scenariosDone: done,
      scenarios: planned,
      failing: failing().size,
      ...(waiting === undefined ? {} : { waiting }),
    }),
  };
};

const sentKinds = ["valid", "unusual", "invalid", "bad credentials"] as const satisfies readonly SentKind[];

/** How many of the values of all pools the run sent, as a sentence. */
function notSentOf(pools: readonly { readonly used: number; readonly of: number }[]): Pick<Run, "notSent"> {
  if (pools.length === 0) return {};
  const [used, of] = [total(pools.map((pool) => pool.used)), total(pools.map((pool) => pool.of))];
  const rest = used < of ? ": another --seed sends others, --runs 1000 sends all" : "";
  return { notSent: `Sent ${used} of the ${plural(of, "odd value")} that fxconform knows${rest}.` };
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** A crash that the same request alone did not cause is another cause than one that it did. */
const withRepeats = (
  finding: FoundViolation,
  repeats: Extract<Evidence, { readonly type: "repeated" }> | undefined,
): FoundViolation => {
  if (repeats === undefined) return finding;
  const { text, alone } = repeats;
  const { actual, cause } = finding;
  if (alone === undefined) return { ...finding, repeated: text };
  return {
    ...finding,
    repeated: text,
    actual: `${actual}; sent alone, the same request was answered with ${alone}`,
    ...(cause && { cause: { ...cause, actual: `${cause.actual}, not when sent alone` } }),
  };
};
