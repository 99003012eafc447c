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
  const { exchanges, observations, sent, latency, created, createdCounts, requests } = collection;
  const { requirements, scope, conclusion } = concluded(options, collection, end);
  const [error, ...furtherErrors] = end.errors;
  return {
    formatVersion,
    tool: { name: "fxconform", version: toolVersion() },
    specification: { version: "beta" },
    runId: end.runId,
    target: {
      baseUrl: target.baseUrl,
      network: networkOf(target),
      ...defined({ headers: target.headers?.map(({ name }) => name) }),
    },
    ...defined({ certificate: end.certificate }),
    ...scope,
    seed: settings.seed,
    runs: settings.runs,
    startedAt: end.started.toISOString(),
    durationMs: Date.now() - end.started.getTime(),
    requests,
    sent,
    badCredentials: sent.reduce((sum, { kind, count }) => sum + (kind === "bad credentials" ? count : 0), 0),
    peakInFlight: Math.max(collection.peakInFlight, requests > 0 ? 1 : 0),
    ...conclusion,
    ...defined({ settings: options.given }),
    tokenCommand: tokenLine(target),
    requirements,
    observations,
    latency,
    ...defined({ notSent: collection.notSent }),
    exchanges,
    created,
    createdCounts,
    withheld: [],
    warnings: [
      ...collection.warnings,
      ...conclusion.warnings,
      ...createRedaction(undefined, secretsOf(target)).warnings(),
      ...(target.insecure ? ["The server's certificate was not verified (--insecure)."] : []),
      ...furtherErrors.slice(0, 5).map((text) => `A further error of fxconform: ${firstLine(text)}`),
    ],
    ...defined({ error }),
  };
};

/** What follows from the evidence: a verdict for each requirement, the outcome and the gate. */
const concluded = (options: RunOptions, collection: Collection, end: RunEnd) => {
  const { settings } = options;
  const untestable = untestableBy(settings, collection, end);
  const found = evidenceOf(options, collection, {
    untestable: untestable ?? (end.interrupted ? "the run was interrupted" : undefined),
    bailed: end.bailed,
  });
  const requirements = requirementResults(found);
  const [error] = end.errors;
  const concerned = new Set(settings.selection.flatMap((id) => requirementOf(id).operations));
  // What --bail left out may not even have been sent.
  const neverSucceeded = end.bailed ? [] : collection.neverSucceeded.filter((operation) => concerned.has(operation));
  const scope = { profile: settings.profile, ...defined({ selection: options.selected }) };
  const evidence = {
    requirements,
    ...scope,
    interrupted: end.interrupted,
    bailed: end.bailed,
    ...defined({ error: error && firstLine(error), untested: untestedBy(untestable, neverSucceeded) }),
    latency: collection.latency,
  };
  const rules = { ...options, today: end.started.toISOString().slice(0, 10) };
  return { requirements, scope, conclusion: conclusionOf(evidence, collection.observations, rules) };
};

/** Why the target as a whole could not be tested. */
const untestableBy = (
  settings: RunOptions["settings"],
  collection: Collection,
  { unreachable, overdue }: RunEnd,
): string | undefined => {
  if (unreachable !== undefined) return `${unreachable.found}. ${unreachable.advice ?? ""}`.trim();
  return overdue
    ? `the run took longer than its bound of ${Math.round(runBound(settings) / 1000)} s`
    : collection.untestable;
};

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 300);
