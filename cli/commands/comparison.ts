import { requirementIds } from "../../spec/catalogue.ts";
import { operationNames } from "../../spec/operations.ts";
import { questionIds } from "../../spec/questions.ts";
import type { Latency, Run } from "../../model/run.ts";

/** A value of two runs that is not the same in both; undefined where a run lacks it. */
export interface Difference<T> {
  readonly id: string;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** What differs between two runs. */
export interface Comparison {
  /** What was asked, and by which version: differences here explain others. */
  readonly circumstances: readonly Difference<string>[];
  readonly verdicts: readonly Difference<string>[];
  readonly observations: readonly Difference<readonly string[]>[];
  readonly latencies: readonly Difference<Latency>[];
}

/** Compares target, profile and versions, verdicts, the sets of observed answers, and latencies, in the order of the catalogue. */
export const comparisonOf = (before: Run, after: Run): Comparison => ({
  circumstances: differing([], circumstancesOf(before), circumstancesOf(after)),
  verdicts: differing(requirementIds, verdictsOf(before), verdictsOf(after)),
  observations: differing(questionIds, answersOf(before), answersOf(after)),
  latencies: differing(operationNames, latenciesOf(before), latenciesOf(after)),
});

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

/** How often an answer was seen says more of the run than of the server. */
const answersOf = (run: Run): ReadonlyMap<string, readonly string[]> =>
  new Map(
    run.observations
      .filter(({ answers }) => answers.length > 0)
      .map(({ id, answers }) => [id, answers.map((one) => `${one.case}: ${one.answer}`).sort()]),
  );

const latenciesOf = (run: Run): ReadonlyMap<string, Latency> =>
  new Map(run.latency.map((latency) => [latency.operation, latency]));
