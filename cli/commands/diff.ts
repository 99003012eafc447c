import { isRequirementId, requirementOf } from "../../spec/catalogue.ts";
import { isQuestionId, questions } from "../../spec/questions.ts";
import { plain } from "../../reports/sanitize.ts";
import type { Latency } from "../../model/run.ts";
import type { Command } from "./command.ts";
import { comparisonOf, type Comparison, type Difference } from "./comparison.ts";
import { exitCodes } from "../output/exit-code.ts";
import { readReports } from "./report-input.ts";

/** What differs between two reports; exit code 1 where a verdict does. */
export const diff: Command = async ({ words, flags, problems }, io, parts) => {
  const [before, after] = await readReports(words, problems, io, parts);
  if (before === undefined || after === undefined) throw new TypeError("a report without a problem is missing");
  const comparison = comparisonOf(before.run, after.run);
  io.stdout(flags["json"] === true ? `${JSON.stringify(comparison, undefined, 2)}\n` : comparisonText(comparison));
  return comparison.verdicts.length > 0 ? exitCodes.fail : exitCodes.pass;
};

/** The comparison for people; the number of changed verdicts comes last. */
export function comparisonText({ circumstances, verdicts, observations, latencies }: Comparison): string {
  const blocks = [
    block(
      "Asked under other circumstances",
      circumstances,
      (one) => `${plain(one.before ?? "nothing")} → ${plain(one.after ?? "nothing")}`,
      () => "",
    ),
    block("Verdicts", verdicts, (one) => `${one.before ?? "absent"} → ${one.after ?? "absent"}`, statementOf),
    block("Observations", observations, (one) => `${answers(one.before)} → ${answers(one.after)}`, questionOf),
    block(
      "Latency, p50 / p95 in ms",
      latencies,
      (one) => `${times(one.before)} → ${times(one.after)}`,
      () => "",
    ),
  ].filter((text) => text !== "");
  const count = verdicts.length;
  const last = count === 0 ? "No verdict differs." : `${count} ${count === 1 ? "verdict differs" : "verdicts differ"}.`;
  return `${[...blocks, last].join("\n\n")}\n`;
}

function block<T>(
  title: string,
  differences: readonly Difference<T>[],
  change: (difference: Difference<T>) => string,
  about: (id: string) => string,
): string {
  if (differences.length === 0) return "";
  const rows = differences.map((one) => `  ${plain(one.id).padEnd(18)} ${change(one)}  ${about(one.id)}`.trimEnd());
  return [title, ...rows].join("\n");
}

const statementOf = (id: string): string => (isRequirementId(id) ? requirementOf(id).statement : "");

const questionOf = (id: string): string => (isQuestionId(id) ? questions[id].question : "");

const answers = (values: readonly string[] | undefined): string =>
  values === undefined ? "nothing" : values.map((value) => plain(value, 80)).join(", ");

const times = (latency: Latency | undefined): string =>
  latency === undefined ? "nothing" : `${Math.round(latency.p50)} / ${Math.round(latency.p95)}`;
