import type { OperationName } from "../spec/operations.ts";
import { plural } from "./plural.ts";
import type { Certificate, GateReason, Latency } from "./run.ts";

/** The statistics of an operation's latency that a budget can bound. */
export const statistics = ["p50", "p95", "p99", "max"] as const satisfies readonly (keyof Latency)[];

/** The longest latency that the user allows for an operation. */
export interface LatencyBudget {
  readonly operation: OperationName;
  readonly statistic: (typeof statistics)[number];
  /** The largest value that passes. */
  readonly milliseconds: number;
}

/** Limits that the user sets besides the requirements. */
export interface Budgets {
  readonly latency: readonly LatencyBudget[];
  /** Whole days for which the certificate must still be valid when the run starts. */
  readonly certificateDays?: number;
}

/** What budgets are compared with. */
export interface Measured {
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly latency: readonly Latency[];
  readonly certificate?: Certificate;
}

/** The number of responses below which a latency budget is not checked: percentiles of fewer mean little. */
export const leastResponses = 5;

/** A budget that a run did not meet. `exceeded`: the gate fails. Otherwise the budget could not be checked. */
export interface BudgetResult {
  readonly exceeded: boolean;
  readonly reason: GateReason;
}

/** The budgets that are exceeded or could not be checked; a budget that is met has no result. */
export const budgetResults = (run: Measured, { latency, certificateDays }: Budgets): readonly BudgetResult[] => [
  ...latency.flatMap((budget) => latencyResult(run.latency, budget)),
  ...(certificateDays === undefined ? [] : certificateResult(run, certificateDays)),
];

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

const certificateResult = ({ startedAt, certificate }: Measured, least: number): readonly BudgetResult[] => {
  const result = (exceeded: boolean, text: string): readonly BudgetResult[] => [
    { exceeded, reason: { kind: "certificate", text } },
  ];
  if (certificate === undefined) return result(false, "the certificate could not be read for --min-certificate-days");
  const days = Math.floor((Date.parse(certificate.expires) - Date.parse(startedAt)) / 86_400_000);
  if (days >= least) return [];
  const date = certificate.expires.slice(0, 10);
  return result(
    true,
    `the certificate expires in ${plural(days, "day")}, on ${date}; --min-certificate-days requires ${least}`,
  );
};
