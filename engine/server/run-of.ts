import { tokenLine } from "../../model/evidence/curl.ts";
import { createRedaction } from "../../model/evidence/redaction.ts";
import type { Gap } from "../../spec/gaps.ts";
import { judgedInSmoke, requirementOf } from "../../spec/catalogue.ts";
import { endpoints } from "../../spec/endpoints.ts";
import { untestedBy } from "../../model/conclusion/outcome.ts";
import { quotedText, secretsOf } from "../../model/target.ts";
import { networkOf } from "../../model/network.ts";
import type { Run } from "../../model/run.ts";
import type { Evidence } from "../../model/evidence/evidence.ts";
import type { beginningOf } from "../version.ts";
import type { RunOptions } from "../../model/run-options.ts";
import { conclude, type Circumstances } from "../../model/conclusion/conclude.ts";

/** How a run began and ended. */
export interface RunEnd {
  readonly began: ReturnType<typeof beginningOf>;
  /** Internal errors, already redacted. */
  readonly errors: readonly string[];
  /** Why the run ended before it had checked everything, if it took too long. */
  readonly overdue?: string | undefined;
  readonly interrupted: boolean;
}

export function runOf(options: RunOptions, draft: Evidence, end: RunEnd): Run {
  const { settings, target } = options;
  const { sent = [], created, createdCounts, createdWithoutId, requests, progress } = draft;
  const unreachable = progress.steps.find(({ stops }) => stops === true);
  const untestable =
    unreachable === undefined
      ? (end.overdue ?? draft.untestable)
      : `${unreachable.found.replace(/\.$/, "")}. ${unreachable.advice ?? ""}`.trim();
  // Other settings would close these gaps, whatever the server does.
  const leftOut: Gap[] = [];
  if (target.currencyPairs.length < 2) leftOut.push("second pair");
  if (settings.concurrency < 2) leftOut.push("concurrency");
  const concerned = new Set(settings.selection.flatMap((id) => requirementOf(id).operations));
  // After an interruption, an operation may lack a success only because none of its requests was sent
  // or answered yet.
  const silent = end.interrupted
    ? []
    : draft.neverSucceeded.filter((operation) => concerned.has(operation));
  const [error, ...furtherErrors] = end.errors;
  const circumstances: Circumstances = {
    ...end.began,
    target: {
      baseUrl: target.baseUrl,
      network: networkOf(target),
      headers: target.headers?.map(({ name }) => name),
    },
    certificate: progress.steps.find((step) => step.certificate !== undefined)?.certificate,
    profile: settings.profile,
    seed: settings.seed,
    runs: settings.runs,
    durationMs: Date.now() - Date.parse(end.began.startedAt),
    requests,
    sent,
    created,
    createdCounts,
    ...(createdWithoutId > 0 && { createdWithoutId }),
    badCredentials: sent.reduce(
      (sum, { kind, count }) => sum + (kind === "bad credentials" ? count : 0),
      0,
    ),
    peakInFlight: Math.max(progress.peakInFlight, requests > 0 ? 1 : 0),
    tokenCommand: tokenLine(target),
    ...(draft.coverage.length > 0 && { coverage: draft.coverage }),
    error,
    warnings: [
      ...draft.warnings,
      ...createRedaction(undefined, secretsOf(target)).warnings(),
      ...(target.insecure ? ["The server's certificate was not verified (--insecure)."] : []),
      ...furtherErrors
        .slice(0, 5)
        .map((text) => `A further error of fxconform: ${firstLine(text)}`),
    ],
    took: new Map(progress.took),
    wanted: settings.selection,
    left: untestable ?? (end.interrupted ? "the run was interrupted" : undefined),
    skippedBy: (id) => (settings.profile === "smoke" && !judgedInSmoke(id) ? "profile" : undefined),
    end: {
      interrupted: end.interrupted,
      error: error && firstLine(error),
      untested: untestedBy(
        untestable,
        silent,
        (operation) => draft.judged.get(endpoints[operation].success)?.inconclusive[0]?.reason,
        quotedText(target),
      ),
      leftOut,
    },
  };
  return conclude(draft, circumstances, options);
}

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 300);
