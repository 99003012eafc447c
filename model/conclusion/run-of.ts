import { defined } from "../defined.ts";
import { tokenLine } from "../evidence/curl.ts";
import { createRedaction } from "../evidence/redaction.ts";
import { judgedInSmoke, requirementOf } from "../../spec/catalogue.ts";
import { untestedBy } from "./outcome.ts";
import { secretsOf } from "../target.ts";
import { networkOf } from "../network.ts";
import type { Run } from "../run.ts";
import type { Collection } from "../evidence/collector.ts";
import type { RunOptions } from "../run-options.ts";
import { wholeRun } from "./whole-run.ts";

/** How a run began and ended. */
export interface RunEnd {
  readonly started: Date;
  readonly runId: string;
  /** Version of fxconform. */
  readonly version: string;
  /** Internal errors, redacted. */
  readonly errors: readonly string[];
  /** Why the run ended before it had checked everything, if it took too long. */
  readonly overdue?: string | undefined;
  readonly bailed: boolean;
  readonly interrupted: boolean;
}

export const runOf = (options: RunOptions, collection: Collection, end: RunEnd): Run => {
  const { settings, target } = options;
  const { exchanges, observations, sent, latency, created, createdCounts, createdWithoutId, requests } = collection;
  const untestable = untestableBy(collection, end);
  const concerned = new Set(settings.selection.flatMap((id) => requirementOf(id).operations));
  // What --bail left out may not even have been sent.
  const silent = end.bailed ? [] : collection.neverSucceeded.filter((operation) => concerned.has(operation));
  const [error, ...furtherErrors] = end.errors;
  return wholeRun(options, {
    ...{ runId: end.runId, version: end.version },
    target: {
      baseUrl: target.baseUrl,
      network: networkOf(target),
      ...defined({ headers: target.headers?.map(({ name }) => name) }),
    },
    ...defined({ certificate: collection.certificate }),
    profile: settings.profile,
    seed: settings.seed,
    runs: settings.runs,
    startedAt: end.started.toISOString(),
    durationMs: Date.now() - end.started.getTime(),
    ...{ requests, sent, observations, latency, exchanges, created, createdCounts },
    ...(createdWithoutId > 0 && { createdWithoutId }),
    badCredentials: sent.reduce((sum, { kind, count }) => sum + (kind === "bad credentials" ? count : 0), 0),
    peakInFlight: Math.max(collection.peakInFlight, requests > 0 ? 1 : 0),
    tokenCommand: tokenLine(target),
    ...defined({ notSent: settings.profile === "smoke" ? undefined : collection.notSent, error }),
    warnings: [
      ...collection.warnings,
      ...createRedaction(undefined, secretsOf(target)).warnings(),
      ...(target.insecure ? ["The server's certificate was not verified (--insecure)."] : []),
      ...furtherErrors.slice(0, 5).map((text) => `A further error of fxconform: ${firstLine(text)}`),
    ],
    found: collection.judged,
    took: collection.took,
    wanted: settings.selection,
    left: untestable ?? (end.interrupted ? "the run was interrupted" : undefined),
    skippedBy: (id, asked) => {
      if (settings.profile === "smoke" && !judgedInSmoke(id)) return "profile";
      return end.bailed && asked === 0 ? "bail" : undefined;
    },
    end: {
      interrupted: end.interrupted,
      bailed: end.bailed,
      ...defined({ error: error && firstLine(error), untested: untestedBy(untestable, silent) }),
    },
  });
};

const untestableBy = (collection: Collection, { overdue }: RunEnd): string | undefined => {
  const { unreachable } = collection;
  if (unreachable !== undefined) return `${unreachable.found.replace(/\.$/, "")}. ${unreachable.advice ?? ""}`.trim();
  return overdue ?? collection.untestable;
};

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 300);
