import type { OperationName } from "../spec/operations.ts";
import { plural } from "./plural.ts";
import type { Certificate, GateReason, Latency } from "./run.ts";

/** The statistics of an operation's latency that a budget can bound. */
export const statistics = ["p50", "p95", "p99", "max"] as const satisfies readonly (keyof Latency)[];

/** How slow an operation may be. */
export interface LatencyBudget {
  readonly operation: OperationName;
  readonly statistic: (typeof statistics)[number];
  /** The statistic may be this much, and no more. */
  readonly milliseconds: number;
}

/** What the user demands of the target besides the requirements. */
export interface Budgets {
  readonly latency: readonly LatencyBudget[];
  /** Days that the certificate must still be valid. */
  readonly certificateDays?: number;
}

/** What a run measured. */
export interface Measured {
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly latency: readonly Latency[];
  readonly certificate?: Certificate;
}

/** Fewer responses than this say nothing of a percentile. */
export const leastResponses = 5;

/** What a run says of a budget. `exceeded`: the gate fails; otherwise the budget could not be checked. */
export interface BudgetResult {
  readonly exceeded: boolean;
  readonly reason: GateReason;
}

/** Every budget that is exceeded or could not be checked. */
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
  return result(true, `${statistic} is ${row[statistic]} ms over ${count} responses, and may be ${milliseconds} ms`);
};

const certificateResult = ({ startedAt, certificate }: Measured, least: number): readonly BudgetResult[] => {
  const result = (exceeded: boolean, text: string): readonly BudgetResult[] => [
    { exceeded, reason: { kind: "certificate", text } },
  ];
  if (certificate === undefined) return result(false, "the certificate could not be read for --min-certificate-days");
  const days = Math.floor((Date.parse(certificate.expires) - Date.parse(startedAt)) / 86_400_000);
  if (days >= least) return [];
  const date = certificate.expires.slice(0, 10);
  return result(true, `the certificate expires in ${plural(days, "day")}, on ${date}; ${least} are needed`);
};
