import { defined } from "../model/defined.ts";
import { tokenLine } from "../harness/recording/curl.ts";
import { createRedaction } from "../harness/recording/redaction.ts";
import { judgedInSmoke, requirementOf } from "../spec/catalogue.ts";
import { untestedBy } from "../model/outcome.ts";
import { secretsOf } from "../model/target.ts";
import { networkOf } from "../model/network.ts";
import type { Run } from "../model/run.ts";
import { runBound } from "./bounds.ts";
import type { Collection } from "./collector.ts";
import type { RunOptions } from "../model/run-options.ts";
import type { Supervised } from "./supervision.ts";
import { wholeRun } from "./whole-run.ts";

export interface RunEnd extends Supervised {
  readonly started: Date;
  readonly runId: string;
  readonly interrupted: boolean;
}

export const runOf = (options: RunOptions, collection: Collection, end: RunEnd): Run => {
  const { settings, target } = options;
  const { exchanges, observations, sent, latency, created, createdCounts, createdWithoutId, requests } = collection;
  const untestable = untestableBy(settings, collection, end);
  const concerned = new Set(settings.selection.flatMap((id) => requirementOf(id).operations));
  // What --bail left out may not even have been sent.
  const silent = end.bailed ? [] : collection.neverSucceeded.filter((operation) => concerned.has(operation));
  const [error, ...furtherErrors] = end.errors;
  return wholeRun(options, {
    runId: end.runId,
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

const untestableBy = (settings: RunOptions["settings"], collection: Collection, { overdue }: RunEnd) => {
  const { unreachable } = collection;
  if (unreachable !== undefined) return `${unreachable.found.replace(/\.$/, "")}. ${unreachable.advice ?? ""}`.trim();
  return overdue
    ? `the run took longer than its bound of ${Math.round(runBound(settings) / 1000)} s`
    : collection.untestable;
};

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 300);
