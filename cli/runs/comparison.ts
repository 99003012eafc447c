import { isRequirementId, requirementOf } from "../../spec/catalogue.ts";
import { prose } from "../../spec/prose.ts";
import { isQuestionId } from "../../spec/questions.ts";
import type { Run } from "../../model/run.ts";
import { changesBetween, countsText } from "../../model/conclusion/comparison.ts";
import { plural } from "../../model/plural.ts";
import { plain } from "../../reports/sanitize.ts";

/** A value that differs between two runs. `before` or `after` is undefined if that run lacks it. */
interface RunDifference<T> {
  readonly id: string;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

type RunComparison = ReturnType<typeof comparisonOf>;

export function comparisonOf(before: Run, after: Run) {
  const verdicts = differing(verdictsOf(before), verdictsOf(after));
  const isUnshared = (one: RunDifference<string>): boolean =>
    one.before === "skip" || one.after === "skip";
  const questionsOfBoth = new Set(
    [before, after].flatMap((run) => run.observations.map(({ id }) => id)),
  );
  const cases = [...questionsOfBoth].flatMap((id) =>
    casesOf(id, [before, after]).map(({ name, answers: [then = [], now = []] }) => ({
      id,
      case: name,
      before: then,
      after: now,
    })),
  );
  const shared = cases.filter((one) => one.before.length > 0 && one.after.length > 0);
  return {
    verdicts: verdicts.filter((one) => !isUnshared(one)),
    /** What became of the requirements that failed in either run. */
    changes: changesBetween(before, after),
    /** How many requirements differ because only one of the runs skipped them. */
    unsharedRequirements: verdicts.filter(isUnshared).length,
    answers: shared.filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after)),
    /** How many cases only one of the runs observed. */
    unsharedCases: cases.length - shared.length,
  };
}

/**
 * Returns the ids whose values differ. They stand in the order of the reports, because a report of
 * another version may have ids that this version does not know.
 */
function differing<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): readonly RunDifference<T>[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => ({ id, before: before.get(id), after: after.get(id) }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}

function verdictsOf(run: Run): ReadonlyMap<string, string> {
  return new Map(run.requirements.map(({ id, verdict }) => [id, verdict]));
}

export function comparisonText(comparison: RunComparison): string {
  const { verdicts, changes, answers, unsharedRequirements, unsharedCases } = comparison;
  const differs = verdicts.length + answers.length;
  const causes = changes.flatMap(({ requirement, change }) =>
    change === "another cause" ? [{ id: requirement, before: "", after: "" }] : [],
  );
  if (differs + causes.length === 0) return "No difference.\n";
  const counts = differingText([verdicts.length, "verdict"], [answers.length, "answer"]);
  const alone = differingText([unsharedRequirements, "requirement"], [unsharedCases, "case"]);
  const total =
    counts === ""
      ? "No verdict or answer differs."
      : `${counts} ${differs === 1 ? "differs" : "differ"}.`;
  const statementOf = (id: string): string =>
    isRequirementId(id) ? requirementOf(id).statement : "";
  const questionOf = (id: string): string => (isQuestionId(id) ? prose.questions[id].question : "");
  return [
    block("Verdicts", verdicts, (one) => `${changeText(one)}  ${statementOf(one.id)}`),
    block("Failing for another cause", causes, ({ id }) => statementOf(id)),
    block(
      "Answers",
      answers,
      (one) => `${plain(one.case, 80)}: ${changeText(one)}  ${questionOf(one.id)}`,
    ),
    ...(changes.length === 0 ? [] : [`${countsText(changes.map(({ change }) => change))}.`]),
    `${total}${alone === "" ? "" : ` ${alone} in only one of the runs.`}`,
  ]
    .filter((text) => text !== "")
    .join("\n\n")
    .concat("\n");
}

/** What differs, as a text: `2 verdicts and 1 answer`. Empty if nothing differs. */
function differingText(...counts: readonly (readonly [number, string])[]): string {
  return counts.flatMap(([count, name]) => (count > 0 ? [plural(count, name)] : [])).join(" and ");
}

function block<D extends RunDifference<unknown>>(
  title: string,
  differences: readonly D[],
  describe: (difference: D) => string,
): string {
  if (differences.length === 0) return "";
  return [
    title,
    ...differences.map((one) => `  ${plain(one.id).padEnd(18)} ${describe(one)}`.trimEnd()),
  ].join("\n");
}

type ShownSetting = string | readonly string[] | undefined;

function changeText({
  before,
  after,
}: {
  readonly before: ShownSetting;
  readonly after: ShownSetting;
}): string {
  return [before, after]
    .map((value) => (value === undefined ? "none" : plain([value].flat().join(", "), 200)))
    .join(" → ");
}

/**
 * A case of a question with the answers of each run. The list of a run that did not observe the
 * case is empty.
 */
export interface QuestionCase {
  readonly name: string;
  readonly answers: readonly (readonly string[])[];
}

/**
 * Returns what runs observed of a question, case by case. The answers of a run are sorted, and the
 * same answer is there only once: how often a run got it depends on what it sent.
 */
export function casesOf(id: string, runs: readonly Run[]): readonly QuestionCase[] {
  const all = runs.map((run) => run.observations.find((one) => one.id === id)?.answers ?? []);
  return [...new Set(all.flat().map((one) => one.case))].map((name) => ({
    name,
    answers: all.map((list) =>
      [...new Set(list.filter((one) => one.case === name).map(({ answer }) => answer))].toSorted(),
    ),
  }));
}
