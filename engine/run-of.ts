import { defined } from "../model/defined.ts";
import { tokenLine } from "../harness/recording/curl.ts";
import { createRedaction } from "../harness/recording/redaction.ts";
import { requirementOf } from "../spec/catalogue.ts";
import { conclusionOf } from "../model/conclusion.ts";
import { untestedBy } from "../model/outcome.ts";
import { secretsOf } from "../model/target-secrets.ts";
import { networkOf } from "../model/network.ts";
import { formatVersion, type Certificate, type Run } from "../model/run.ts";
import { requirementResults } from "../model/verdicts.ts";
import { runBound } from "./bounds.ts";
import type { Collection } from "./collector.ts";
import { evidenceOf } from "./evidence-of.ts";
import type { RunOptions } from "../model/run-options.ts";
import type { PreflightStep } from "./preflight/step.ts";
import type { Supervised } from "./supervision.ts";
import { toolVersion } from "./version.ts";

/** How a run went, apart from its evidence. */
export interface RunEnd extends Supervised {
  readonly started: Date;
  readonly runId: string;
  readonly certificate?: Certificate;
  /** The step of the preflight that stopped it. */
  readonly unreachable: PreflightStep | undefined;
  readonly interrupted: boolean;
}

/** The run as `report.json` has it. */
export const runOf = (options: RunOptions, collection: Collection, end: RunEnd): Run => {
  const { settings, target } = options;
  const { started, runId, unreachable, errors } = end;
  const untestable =
    unreachable === undefined
      ? end.overdue
        ? `the run took longer than its bound of ${Math.round(runBound(settings) / 1000)} s`
        : collection.untestable
      : `${unreachable.found}. ${unreachable.advice ?? ""}`.trim();
  const found = evidenceOf(options, collection, {
    untestable: untestable ?? (end.interrupted ? "the run was interrupted" : undefined),
    bailed: end.bailed,
  });
  const requirements = requirementResults(found);
  const [error] = errors;
  const concerned = new Set(settings.selection.flatMap((id) => requirementOf(id).operations));
  // What --bail left out may not even have been sent.
  const neverSucceeded = end.bailed ? [] : collection.neverSucceeded.filter((operation) => concerned.has(operation));
  const scope = { profile: settings.profile, ...defined({ selection: options.selected }) };
  const startedAt = started.toISOString();
  const { latency } = collection;
  const certificate = defined({ certificate: end.certificate });
  const evidence = {
    requirements,
    ...scope,
    interrupted: end.interrupted,
    bailed: end.bailed,
    ...defined({ error: error && firstLine(error), untested: untestedBy(untestable, neverSucceeded) }),
    latency,
  };
  const { observations } = collection;
  const conclusion = conclusionOf(evidence, observations, { ...options, today: startedAt.slice(0, 10) });
  return {
    formatVersion,
    tool: { name: "fxconform", version: toolVersion() },
    specification: { version: "beta" },
    runId,
    target: {
      baseUrl: target.baseUrl,
      network: networkOf(target),
      ...defined({ headers: target.headers?.map(({ name }) => name) }),
    },
    ...certificate,
    ...scope,
    seed: settings.seed,
    runs: settings.runs,
    startedAt,
    durationMs: Date.now() - started.getTime(),
    requests: collection.requests,
    sent: collection.sent,
    badCredentials: collection.sent
      .filter(({ kind }) => kind === "bad credentials")
      .reduce((sum, { count }) => sum + count, 0),
    peakInFlight: Math.max(collection.peakInFlight, collection.requests > 0 ? 1 : 0),
    ...conclusion,
    ...(options.given === undefined ? {} : { settings: options.given }),
    tokenCommand: tokenLine(target),
    requirements,
    observations,
    latency,
    ...(collection.notSent === undefined ? {} : { notSent: collection.notSent }),
    exchanges: collection.exchanges,
    created: collection.created,
    createdCounts: collection.createdCounts,
    withheld: [],
    warnings: [
      ...collection.warnings,
      ...conclusion.warnings,
      ...createRedaction(undefined, secretsOf(target)).warnings(),
      ...(target.insecure ? ["The server's certificate was not verified (--insecure)."] : []),
      ...errors.slice(1, 6).map((text) => `A further error of fxconform: ${firstLine(text)}`),
    ],
    ...(error === undefined ? {} : { error }),
  };
};

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 300);
