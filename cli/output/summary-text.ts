import type { Run } from "../../model/run.ts";
import { tally } from "../../reports/verdict-symbols.ts";

/** What the summary adds to the run. */
interface Ending {
  readonly exitCode: number;
  readonly reportDir: string;
}

/** What `--json` prints: the run without its evidence, as one line of JSON. Members have the names of `report.json`. */
export const summaryText = (run: Run, { exitCode, reportDir }: Ending): string =>
  JSON.stringify({
    outcome: run.outcome,
    exitCode,
    summary: run.summary,
    gate: run.gate,
    verdicts: tally(run.requirements),
    judged: run.judged,
    complete: run.complete,
    target: run.target,
    certificate: run.certificate,
    profile: run.profile,
    seed: run.seed,
    startedAt: run.startedAt,
    durationMs: run.durationMs,
    requests: run.requests,
    badCredentials: run.badCredentials,
    latency: run.latency.map((latency) => ({ ...latency, histogram: undefined })),
    warnings: run.warnings,
    runId: run.runId,
    tool: run.tool,
    reportDir,
  });
