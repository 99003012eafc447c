import { requirementIds, isRequirementId, requirementOf } from "../../spec/catalogue.ts";
import { operationNames } from "../../spec/operations.ts";
import { questionIds, isQuestionId, questions } from "../../spec/questions.ts";
import type { Latency, Run } from "../../model/run.ts";
import { plural } from "../../model/plural.ts";
import { plain } from "../../reports/sanitize.ts";

/** A value of two runs that is not the same in both; undefined where a run lacks it. */
interface Difference<T> {
  readonly id: string;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** The answers to an open question in a case that both runs observed. */
interface AnswerDifference extends Difference<readonly string[]> {
  readonly case: string;
}

export interface Comparison {
  /** Target, profile and versions: differences here may explain others, but do not count as differences. */
  readonly circumstances: readonly Difference<string>[];
  readonly verdicts: readonly Difference<string>[];
  /** Requirements that one of the runs skipped. */
  readonly unsharedRequirements: number;
  readonly answers: readonly AnswerDifference[];
  /** Cases that only one of the runs observed. */
  readonly unsharedCases: number;
  /** Operations that became much slower. */
  readonly latencies: readonly Difference<Latency>[];
}

/** Compares two runs, in the order of the catalogue. */
export function comparisonOf(before: Run, after: Run): Comparison {
  const [then, now] = [answersOf(before), answersOf(after)];
  const verdicts = differing(requirementIds, verdictsOf(before), verdictsOf(after));
  const shared = [...then].filter(([key]) => now.has(key));
  return {
    circumstances: differing([], circumstancesOf(before), circumstancesOf(after)),
    verdicts: verdicts.filter(({ before: first, after: second }) => first !== "skip" && second !== "skip"),
    unsharedRequirements: verdicts.filter((one) => one.before === "skip" || one.after === "skip").length,
    answers: shared
      .map(([key, { answers, ...one }]) => ({ ...one, before: answers, after: now.get(key)?.answers ?? [] }))
      .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after)),
    unsharedCases: then.size + now.size - 2 * shared.length,
    latencies: differing(operationNames, latenciesOf(before), latenciesOf(after)).filter(isSlower),
  };
}

function differing<T>(
  known: readonly string[],
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): readonly Difference<T>[] {
  // A report of another version may have ids that this one does not know.
  return [...new Set([...known, ...before.keys(), ...after.keys()])]
    .map((id) => ({ id, before: before.get(id), after: after.get(id) }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}

const circumstancesOf = ({ target, profile, tool, specification }: Run): ReadonlyMap<string, string> =>
  new Map([
    ["target", target.baseUrl],
    ["profile", profile],
    ["fxconform", tool.version],
    ["specification", specification.version],
  ]);

const verdictsOf = (run: Run): ReadonlyMap<string, string> =>
  new Map(run.requirements.map(({ id, verdict }) => [id, verdict]));

interface CaseAnswers {
  readonly id: string;
  readonly case: string;
  /** Each once, sorted: how often an answer was seen depends on the run. */
  readonly answers: readonly string[];
}

function answersOf(run: Run): ReadonlyMap<string, CaseAnswers> {
  const cases = new Map<string, CaseAnswers>();
  for (const { id, answers } of run.observations.toSorted((a, b) => rankOf(a.id) - rankOf(b.id))) {
    for (const { case: inCase, answer } of answers) {
      const key = JSON.stringify([id, inCase]);
      const known = cases.get(key)?.answers ?? [];
      cases.set(key, { id, case: inCase, answers: [...new Set([...known, answer])].toSorted() });
    }
  }
  return cases;
}

const rankOf = (id: string): number => questionIds.findIndex((one) => one === id);

const latenciesOf = (run: Run): ReadonlyMap<string, Latency> =>
  new Map(run.latency.map((latency) => [latency.operation, latency]));

/** Responses of an operation that a comparison needs, and milliseconds by which p95 must grow besides doubling. */
const notable = { responses: 20, growth: 50 } as const;

const isSlower = ({ before, after }: Difference<Latency>): boolean =>
  before !== undefined &&
  after !== undefined &&
  Math.min(before.count, after.count) >= notable.responses &&
  after.p95 >= 2 * before.p95 &&
  after.p95 - before.p95 >= notable.growth;

/** The comparison for people: a line for each difference, the counts last. */
export function comparisonText(comparison: Comparison): string {
  const { circumstances, verdicts, answers, unsharedRequirements, unsharedCases, latencies } = comparison;
  const differs = verdicts.length + answers.length;
  if (differs + latencies.length === 0) return "No difference.\n";
  const counts = countsText([verdicts.length, "verdict"], [answers.length, "answer"]);
  const alone = countsText([unsharedRequirements, "requirement"], [unsharedCases, "case"]);
  const total = counts === "" ? "No verdict or answer differs." : `${counts} ${differs === 1 ? "differs" : "differ"}.`;
  const statementOf = (id: string): string => (isRequirementId(id) ? requirementOf(id).statement : "");
  const questionOf = (id: string): string => (isQuestionId(id) ? questions[id].question : "");
  return [
    block("Different circumstances", circumstances, changeText),
    block("Verdicts", verdicts, (one) => `${changeText(one)}  ${statementOf(one.id)}`),
    block("Answers", answers, (one) => `${plain(one.case, 80)}: ${changeText(one)}  ${questionOf(one.id)}`),
    block("Slower, p95 in ms", latencies, ({ before, after }) =>
      changeText({ before: roundedP95(before), after: roundedP95(after) }),
    ),
    `${total}${alone === "" ? "" : ` ${alone} in only one of the runs.`}`,
  ]
    .filter((text) => text !== "")
    .join("\n\n")
    .concat("\n");
}

/** `2 verdicts and 1 answer`; empty if there are none. */
const countsText = (...counts: readonly (readonly [number, string])[]): string =>
  counts.flatMap(([count, name]) => (count > 0 ? [plural(count, name)] : [])).join(" and ");

function block<D extends Difference<unknown>>(
  title: string,
  differences: readonly D[],
  textOf: (difference: D) => string,
): string {
  if (differences.length === 0) return "";
  return [title, ...differences.map((one) => `  ${plain(one.id).padEnd(18)} ${textOf(one)}`.trimEnd())].join("\n");
}

const roundedP95 = (latency: Latency | undefined): string | undefined => latency && String(Math.round(latency.p95));

type Shown = string | readonly string[] | undefined;

const changeText = ({ before, after }: { readonly before: Shown; readonly after: Shown }): string =>
  [before, after].map((value) => (value === undefined ? "none" : plain([value].flat().join(", "), 200))).join(" → ");
