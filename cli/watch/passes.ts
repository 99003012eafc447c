import type { RunOptions } from "../../model/run-options.ts";
import type { RequirementResult } from "../../model/run.ts";
import { requirementOf, type RequirementId } from "../../spec/catalogue.ts";

/** Options of a short run that checks these requirements by the scenarios that found their failures. */
export function partOptions(options: RunOptions, rows: readonly RequirementResult[]): RunOptions {
  const selection = rows.map(({ id }) => id);
  const scenarios = [...new Set(rows.flatMap(({ findings }) => findings.flatMap(({ scenario }) => scenario ?? [])))];
  const { bail: _, ...rest } = options;
  return {
    ...rest,
    settings: { ...options.settings, selection, scenarios, fewest: true },
    selected: { only: selection },
  };
}

/** Options of a full run that starts with the requirements that share operations with these. */
export function wholeOptions(options: RunOptions, failed: readonly RequirementId[]): RunOptions {
  if (failed.length === 0) return options;
  const concerned = new Set(failed.flatMap((id) => requirementOf(id).operations));
  const first = options.settings.selection.filter((id) =>
    requirementOf(id).operations.some((operation) => concerned.has(operation)),
  );
  return { ...options, settings: { ...options.settings, first } };
}
