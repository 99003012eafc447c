import { isRequirementId, requirementOf } from "../../spec/catalogue.ts";
import { prose } from "../../spec/prose.ts";
import { isQuestionId } from "../../spec/questions.ts";
import type { Run } from "../../model/run.ts";
import { changesBetween, countsText } from "../../model/conclusion/comparison.ts";
import { plural } from "../../model/plural.ts";
import { plain } from "../../reports/sanitize.ts";

type RunComparison = ReturnType<typeof comparisonOf>;

/** What differs between two runs. Its ids stand in the order of the reports. */
export function comparisonOf(before: Run, after: Run) {
  const verdictsBefore = new Map(before.requirements.map(({ id, verdict }) => [id, verdict]));
  const verdicts = after.requirements
    .map(({ id, verdict }) => ({ id, before: verdictsBefore.get(id) ?? "skip", after: verdict }))
    .filter((one) => one.before !== one.after);
  const shared = verdicts.filter((one) => one.before !== "skip" && one.after !== "skip");
  return {
    verdicts: shared,
    /** What became of the requirements that failed in either run. */
    changes: changesBetween(before, after),
    /** How many requirements differ because only one of the runs skipped them. */
    unsharedRequirements: verdicts.length - shared.length,
    answers: after.observations.flatMap(({ id }) =>
      casesOf(id, [before, after]).flatMap(({ name, answers: [then = [], now = []] }) =>
        then.length === 0 || now.length === 0 || then.join("\n") === now.join("\n")
          ? []
          : [{ id, case: name, before: then, after: now }],
      ),
    ),
  };
}

export function comparisonText(comparison: RunComparison): string {
  const { verdicts, changes, answers, unsharedRequirements } = comparison;
  const causes = changes.filter(({ change }) => change === "another cause");
  if (verdicts.length + answers.length + causes.length === 0) return "No difference.\n";
  const statementOf = (id: string): string =>
    isRequirementId(id) ? requirementOf(id).statement : "";
  const questionOf = (id: string): string => (isQuestionId(id) ? prose.questions[id].question : "");
  const changed = (one: RunComparison["verdicts" | "answers"][number]): string =>
    [one.before, one.after].map((value) => plain([value].flat().join(", "), 200)).join(" → ");
  const line = (id: string, ...texts: readonly string[]): string =>
    `  ${plain(id).padEnd(18)} ${texts.join("  ")}`.trimEnd();
  const counts = `Different: ${plural(verdicts.length, "verdict")}, ${plural(answers.length, "answer")}.`;
  const alone = ` In only one of the runs: ${plural(unsharedRequirements, "requirement")}.`;
  const blocks = [
    ["Verdicts", ...verdicts.map((one) => line(one.id, changed(one), statementOf(one.id)))],
    [
      "Failing for another cause",
      ...causes.map(({ requirement }) => line(requirement, statementOf(requirement))),
    ],
    [
      "Answers",
      ...answers.map((one) =>
        line(one.id, `${plain(one.case, 80)}: ${changed(one)}`, questionOf(one.id)),
      ),
    ],
  ];
  return [
    ...blocks.filter(({ length }) => length > 1).map((lines) => lines.join("\n")),
    ...(changes.length === 0 ? [] : [`${countsText(changes.map(({ change }) => change))}.`]),
    `${counts}${unsharedRequirements === 0 ? "" : alone}`,
  ]
    .join("\n\n")
    .concat("\n");
}

export type QuestionCase = ReturnType<typeof casesOf>[number];

/**
 * Returns what runs observed of a question, case by case. The answers of a run are sorted, and the
 * same answer is there only once: how often a run got it depends on what it sent. The list of a
 * run that did not observe the case is empty.
 */
export function casesOf(id: string, runs: readonly Run[]) {
  const all = runs.map((run) => run.observations.find((one) => one.id === id)?.answers ?? []);
  return [...new Set(all.flat().map((one) => one.case))].map((name) => ({
    name,
    answers: all.map((list) =>
      [...new Set(list.filter((one) => one.case === name).map(({ answer }) => answer))].toSorted(),
    ),
  }));
}
