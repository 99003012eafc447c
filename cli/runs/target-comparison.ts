import type { Certificate, Latency, Run } from "../../model/run.ts";
import { operationNames, operationTitle, type OperationName } from "../../spec/operations.ts";
import { plain } from "../../reports/sanitize.ts";
import type { Difference } from "./comparison.ts";

/** How two targets differ besides verdicts and answers: facts that fail nothing. */
export interface TargetComparison {
  /** Members of the servers' certificates that are not the same. */
  readonly certificate: readonly Difference<string>[];
  /** Every operation that one of the runs called. */
  readonly latency: readonly (Difference<BriefLatency> & { readonly id: OperationName })[];
}

/** In milliseconds. */
type BriefLatency = Pick<Latency, "count" | "p50" | "p95" | "max">;

/** Compares the certificates and the latency of two targets. */
export const targetComparisonOf = (before: Run, after: Run): TargetComparison => ({
  certificate: (["subject", "issuer", "expires", "protocol"] as const satisfies readonly (keyof Certificate)[])
    .map((id) => ({ id, before: before.certificate?.[id], after: after.certificate?.[id] }))
    .filter((one) => one.before !== one.after),
  latency: operationNames
    .map((id) => ({ id, before: latencyOf(before, id), after: latencyOf(after, id) }))
    .filter((one) => one.before !== undefined || one.after !== undefined),
});

function latencyOf({ latency }: Run, id: OperationName): BriefLatency | undefined {
  const found = latency.find(({ operation }) => operation === id);
  if (found === undefined) return undefined;
  const { count, p50, p95, max } = found;
  return { count, p50, p95, max };
}

/** The blocks that a comparison of targets adds for people. */
export const targetLines = ({ certificate, latency }: TargetComparison): readonly string[] => [
  ...block(
    "Certificate",
    certificate.map(({ id, ...values }) => row(id, values, (text) => plain(text, 200))),
  ),
  ...block(
    "Latency, p50 and p95 in ms",
    latency.map(({ id, ...values }) => row(operationTitle(id), values, latencyText)),
  ),
];

const block = (title: string, rows: readonly string[]): readonly string[] =>
  rows.length === 0 ? [] : [[title, ...rows].join("\n")];

const row = <T>(name: string, { before, after }: Omit<Difference<T>, "id">, textOf: (value: T) => string): string =>
  `  ${name.padEnd(18)} ${[before, after].map((one) => (one === undefined ? "none" : textOf(one))).join(" → ")}`;

const latencyText = ({ p50, p95 }: BriefLatency): string => `${p50.toFixed(1)}, ${p95.toFixed(1)}`;
