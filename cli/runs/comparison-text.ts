import { isRequirementId, requirementOf } from "../../spec/catalogue.ts";
import { isQuestionId, questions } from "../../spec/questions.ts";
import { plural } from "../../model/plural.ts";
import { plain } from "../../reports/sanitize.ts";
import type { Latency } from "../../model/run.ts";
import type { Comparison, Difference } from "./comparison.ts";

/** The comparison for people: a line for each difference, the counts last. */
export function comparisonText(comparison: Comparison): string {
  const { circumstances, verdicts, answers, unsharedRequirements, unsharedCases, latencies } = comparison;
  const differs = verdicts.length + answers.length;
  if (differs + latencies.length === 0) return "No difference.\n";
  const counts = [
    ...(verdicts.length > 0 ? [plural(verdicts.length, "verdict")] : []),
    ...(answers.length > 0 ? [plural(answers.length, "answer")] : []),
  ].join(" and ");
  const verb = differs === 1 ? "differs" : "differ";
  const alone = [
    ...(unsharedRequirements > 0 ? [plural(unsharedRequirements, "requirement")] : []),
    ...(unsharedCases > 0 ? [plural(unsharedCases, "case")] : []),
  ].join(" and ");
  const unshared = alone === "" ? "" : ` ${alone} in only one of the runs.`;
  return [
    block("Different circumstances", circumstances, (one) => change(one, (value) => value)),
    block(
      "Verdicts",
      verdicts,
      (one) => change(one, (value) => value),
      (id) => (isRequirementId(id) ? requirementOf(id).statement : ""),
    ),
    block(
      "Answers",
      answers,
      (one) => `${plain(one.case, 80)}: ${change(one, (values) => values.join(", "))}`,
      (id) => (isQuestionId(id) ? questions[id].question : ""),
    ),
    block("Slower, p95 in ms", latencies, (one) => change(one, ({ p95 }: Latency) => String(Math.round(p95)))),
    `${differs === 0 ? "No verdict or answer differs." : `${counts} ${verb}.`}${unshared}`,
  ]
    .filter((text) => text !== "")
    .join("\n\n")
    .concat("\n");
}

function block<D extends Difference<unknown>>(
  title: string,
  differences: readonly D[],
  textOf: (difference: D) => string,
  about: (id: string) => string = () => "",
): string {
  if (differences.length === 0) return "";
  const rows = differences.map((one) => `  ${plain(one.id).padEnd(18)} ${textOf(one)}  ${about(one.id)}`.trimEnd());
  return [title, ...rows].join("\n");
}

function change<T>({ before, after }: Difference<T>, textOf: (value: T) => string): string {
  const [from, to] = [before, after].map((value) => (value === undefined ? "none" : plain(textOf(value), 200)));
  return `${from} → ${to}`;
}
