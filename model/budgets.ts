import type { OperationName } from "../spec/operations.ts";
import { plural } from "./plural.ts";
import type { GateReason, Latency } from "./run.ts";

/** The statistics of an operation's latency that a budget can bound. */
export const statistics = ["p50", "p95", "p99", "max"] as const satisfies readonly (keyof Latency)[];

/** The longest latency that the user allows for an operation. */
export interface LatencyBudget {
  readonly operation: OperationName;
  readonly statistic: (typeof statistics)[number];
  /** The largest value that passes. */
  readonly milliseconds: number;
}

/** The number of responses below which a latency budget is not checked: percentiles of fewer mean little. */
export const leastResponses = 5;

/** A budget that a run did not meet. `exceeded`: the gate fails. Otherwise the budget could not be checked. */
export interface BudgetResult {
  readonly exceeded: boolean;
  readonly reason: GateReason;
}

/** The budgets that are exceeded or could not be checked; a budget that is met has no result. */
export const budgetResults = (
  latency: readonly Latency[],
  budgets: readonly LatencyBudget[],
): readonly BudgetResult[] => budgets.flatMap((budget) => latencyResult(latency, budget));

const latencyResult = (latency: readonly Latency[], budget: LatencyBudget): readonly BudgetResult[] => {
  const { operation, statistic, milliseconds } = budget;
  const row = latency.find((one) => one.operation === operation);
  const result = (exceeded: boolean, text: string): readonly BudgetResult[] => [
    { exceeded, reason: { kind: "latency", text: `${operation}: ${text}` } },
  ];
  const count = row?.count ?? 0;
  if (row === undefined || count < leastResponses) {
    return result(false, `${plural(count, "response")}, and --max-latency needs at least ${leastResponses}`);
  }
  if (row[statistic] <= milliseconds) return [];
  return result(
    true,
    `${statistic} is ${row[statistic]} ms over ${count} responses; --max-latency allows ${milliseconds} ms`,
  );
};
