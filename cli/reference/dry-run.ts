import { mostCreations } from "../../engine/bounds.ts";
import type { RunOptions } from "../../engine/options.ts";
import { plural } from "../../model/plural.ts";
import type { Run, SentKind } from "../../model/run.ts";
import { groups } from "../../reports/groups.ts";
import { operationTitle, type OperationName } from "../../spec/operations.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { reportMishap } from "../output/error-file.ts";
import { exitCodes } from "../output/exit-code.ts";
import { stopSignal } from "../output/interruption.ts";
import type { Io } from "../output/io.ts";
import { withReferenceTarget } from "./reference-target.ts";
import type { Modules } from "../modules.ts";

/** What a run with these options sends to a server that obeys; `--json` prints it. */
interface Plan {
  readonly target: string;
  readonly profile: Run["profile"];
  readonly seed: number;
  readonly scenarios: readonly string[];
  readonly requests: number;
  readonly sent: NonNullable<Run["sent"]>;
  /** The bound on creations of a run, and what the rehearsal created. */
  readonly created: { readonly atMost: number; readonly counts: Readonly<Record<string, number>> };
  readonly badCredentials: number;
}

/**
 * Prints what a run would send. The counts are those of a rehearsal: the same scenarios with the same seed, sent to the
 * reference server in this process. Nothing is sent to the target, and no report is written.
 */
export async function dryRun({ options, values }: Configuration, io: Io, modules: Modules): Promise<number> {
  const { target, settings } = options;
  const { apiKey, customerId, currencyPairs, otherPurposes, amount } = target;
  const { rate: _, ...pace } = settings;
  const scenarios: string[] = [];
  const stop = stopSignal(io);
  try {
    const own = { apiKey, customerId: customerId === "" ? "customer-1" : customerId };
    const run = await withReferenceTarget(own, modules, async ({ baseUrl, ca, caFile }) => {
      const network = { baseUrl, ca, caFile, insecure: false, allowHttp: false };
      const rehearsal: RunOptions = {
        target: { ...own, currencyPairs, otherPurposes, amount, ...network },
        settings: pace,
        ...{ strict: false, statement: [], baseline: [] },
      };
      const start = await modules.run();
      return start(rehearsal, { signal: stop.signal, onScenario: (title) => void scenarios.push(title) });
    });
    if (run.outcome === "interrupted") return exitCodes.interrupted;
    if (run.outcome === "error") {
      return reportMishap({ error: run.error ?? run.summary, command: "run --dry-run", secrets: [apiKey] }, io);
    }
    const plan = planOf(options, run, scenarios);
    const lines = planLines(plan);
    if (values.json?.value === true) io.stdout(`${JSON.stringify(plan)}\n`);
    else io.stdout(`${(values.quiet?.value === true ? lines.slice(-1) : lines).join("\n")}\n`);
    return exitCodes.pass;
  } finally {
    stop.release();
  }
}

const planOf = ({ target, settings }: RunOptions, run: Run, scenarios: readonly string[]): Plan => ({
  target: target.baseUrl,
  profile: settings.profile,
  seed: settings.seed,
  scenarios,
  requests: run.requests,
  sent: run.sent ?? [],
  created: {
    atMost: mostCreations(settings),
    counts: run.createdCounts,
  },
  badCredentials: run.badCredentials ?? 0,
});

const planLines = (plan: Plan): readonly string[] => {
  const { scenarios, sent, created, badCredentials } = plan;
  const bad = sent.filter(({ kind }) => kind === "bad credentials");
  return [
    `A run with these options sends to ${plan.target} (profile ${plan.profile}, seed ${plan.seed}):`,
    "",
    plural(scenarios.length, "scenario"),
    ...scenarios.map((title) => `  ${title}`),
    "",
    `About ${plural(plan.requests, "request")}, if the server obeys and needs no retries`,
    ...[...groups(sent, ({ operation }) => operation)].map(([operation, rows]) => requestLine(operation, rows)),
    "",
    plan.profile === "smoke" ? "Creates nothing" : `Creates resources with at most ${created.atMost} requests`,
    ...Object.entries(created.counts).map(([kind, count]) => `  about ${plural(count, kind, pluralOf(kind))}`),
    "",
    `${plural(badCredentials, "bad credential")}${bad.length === 0 ? "" : ":"}`,
    ...bad.map(({ operation, count }) => `  ${operationTitle(operation).padEnd(titleWidth)} ${count}`),
    "",
    `Nothing was sent to ${plan.target}: the counts are those of a rehearsal with the built-in reference server.`,
  ];
};

const titleWidth = 36;

const requestLine = (
  operation: OperationName,
  rows: readonly { readonly kind: SentKind; readonly count: number }[],
): string =>
  `  ${operationTitle(operation).padEnd(titleWidth)} ${rows.map(({ kind, count }) => `${count} ${kind}`).join(", ")}`;

const pluralOf = (kind: string): string => ({ counterparty: "counterparties", batch: "batches" })[kind] ?? `${kind}s`;
