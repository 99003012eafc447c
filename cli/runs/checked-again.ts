import { changeOf, countsText } from "../../model/conclusion/comparison.ts";
import { isInSummary } from "../../model/conclusion/outcome.ts";
import type { RequirementResult, Run, VerdictChange } from "../../model/run.ts";
import { mistakesText, type ConsoleStyle } from "../../reports/console.ts";
import { plain } from "../../reports/sanitize.ts";

/**
 * What a run that checked requirements again shows of them, and the same in words: a line for each
 * requirement, the mistakes that are still there as every run shows them, and the counts. `before`:
 * the earlier results of these requirements.
 */
export function checkedAgain(
  before: readonly RequirementResult[],
  run: Run,
  style: ConsoleStyle,
): { readonly text: string; readonly changes: readonly VerdictChange[] } {
  const rows = before.map((row) => {
    const after = run.requirements.find(({ id }) => id === row.id);
    const change = (after && changeOf(row, after)) ?? "no verdict";
    const reason = change === "no verdict" ? (after?.reason ?? run.summary) : "";
    return { row, change, reason, isUntested: reason !== "" && isInSummary(run, reason) };
  });
  const changes = rows.map(({ change }) => change);
  const lines = rows.flatMap(({ row: { id, statement }, change, reason, isUntested }) => [
    `${id.padEnd(9)} ${change.padEnd(13)} ${plain(statement)}`,
    ...(reason === "" || isUntested ? [] : [`  reason    ${plain(reason, 2000)}`]),
  ]);
  const mistakes = mistakesText(run, style);
  const parts = [
    ...lines,
    "",
    ...(mistakes === "" ? [] : [mistakes, ""]),
    ...(rows.some(({ isUntested }) => isUntested) ? [plain(run.summary, 1000)] : []),
    countsText(changes),
  ];
  return { text: `${parts.join("\n")}\n`, changes };
}
