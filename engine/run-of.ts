import { defined } from "../model/defined.ts";
import { tokenLine } from "../harness/recording/curl.ts";
import { createRedaction } from "../harness/recording/redaction.ts";
import { judgedInSmoke, requirementIds, requirementOf, type RequirementId } from "../spec/catalogue.ts";
import { conclusionOf } from "../model/conclusion.ts";
import { untestedBy, requirementResults, type RequirementEvidence } from "../model/outcome.ts";
import { secretsOf } from "../model/target.ts";
import { networkOf } from "../model/network.ts";
import { formatVersion, type Certificate, type Run } from "../model/run.ts";
import { runBound } from "./bounds.ts";
import type { Collection } from "./collector.ts";
import { notJudged } from "./judgements.ts";
import type { RunOptions } from "../model/run-options.ts";
import type { PreflightStep } from "./preflight/explanation.ts";
import type { Supervised } from "./supervision.ts";
import { toolVersion } from "./version.ts";

export interface RunEnd extends Supervised {
  readonly started: Date;
  readonly runId: string;
  readonly certificate?: Certificate;
  readonly unreachable: PreflightStep | undefined;
  readonly interrupted: boolean;
}

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
    ...defined({ notSent: settings.profile === "smoke" ? undefined : collection.notSent }),
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
  const left = untestable ?? (end.interrupted ? "the run was interrupted" : undefined);
  const requirements = requirementResults(evidenceOf(options, collection, left, end.bailed));
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

/** What the run found about each requirement. `untestable`: why it ended before it had checked everything. */
const evidenceOf = (options: RunOptions, collection: Collection, untestable: string | undefined, bailed: boolean) => {
  const { settings } = options;
  const selected = new Set(settings.selection);
  const rows = requirementIds.map((id): [RequirementId, RequirementEvidence] => {
    const { asked, inconclusive, ...judged } = collection.judged.get(id) ?? notJudged;
    const unchecked = bailed && asked === 0;
    return [
      id,
      {
        asked,
        tookMs: Math.round(collection.took.get(id) ?? 0),
        ...judged,
        inconclusive: [...inconclusive, ...(untestable === undefined ? [] : [{ reason: untestable, cutShort: false }])],
        ...defined({ skippedBy: skippedBy(id, settings, selected) ?? (unchecked ? "bail" : undefined) }),
      },
    ];
  });
  return new Map(rows);
};

const skippedBy = (id: RequirementId, { profile }: RunOptions["settings"], selected: ReadonlySet<RequirementId>) => {
  if (!selected.has(id)) return "selection";
  return profile === "smoke" && !judgedInSmoke(id) ? "profile" : undefined;
};

const untestableBy = (settings: RunOptions["settings"], collection: Collection, { unreachable, overdue }: RunEnd) => {
  if (unreachable !== undefined) return `${unreachable.found}. ${unreachable.advice ?? ""}`.trim();
  return overdue
    ? `the run took longer than its bound of ${Math.round(runBound(settings) / 1000)} s`
    : collection.untestable;
};

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 300);
