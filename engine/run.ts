import { randomUUID } from "node:crypto";
import type { Evidence } from "../model/evidence.ts";
import type { WorkerInput } from "../harness/worker-input.ts";
import { operationsOf } from "../harness/scenario.ts";
import { conclusionOf } from "../model/conclusion.ts";
import { expiryWarnings } from "../model/gate.ts";
import { formatVersion, type Run } from "../model/run.ts";
import { requirementResults } from "../model/verdicts.ts";
import { createRedaction } from "../harness/recording/redaction.ts";
import { createCollector, type Collection } from "./collector.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import { inSmoke } from "./smoke.ts";
import { bundledContract } from "./contract.ts";
import { evidenceOf } from "./evidence-of.ts";
import { latencyOf } from "./latency.ts";
import type { RunControl, RunOptions } from "./options.ts";
import { reachability } from "./preflight.ts";
import type { PreflightStep } from "./preflight-step.ts";
import { newRunId } from "./run-id.ts";
import { runBound } from "./run-bound.ts";
import { userAgentOf } from "./user-agent.ts";
import { toolVersion } from "./version.ts";
import { runWorker, type WorkerEnd } from "./worker.ts";

/**
 * Asks the target and returns all that came of it. Never throws for what a target does; an error of ours is the
 * outcome `error`.
 */
export const run = async (options: RunOptions, control: RunControl = {}): Promise<Run> => {
  const started = new Date();
  const runId = newRunId();
  // Errors of ours can carry what a server or an option said, so they are redacted here like all else in the worker.
  const redaction = createRedaction(control.onSecret);
  redaction.add(options.target.apiKey, "API key");
  const collector = createCollector((secret) => redaction.add(secret, "token"));
  const end = { errors: [] as readonly string[], interrupted: false, overdue: false, requests: 0 };
  let unreachable: PreflightStep | undefined;
  try {
    const { steps, tokens, requests } = await reachability(options, control, runId);
    end.requests = requests;
    for (const token of tokens) redaction.add(token, "token");
    const stopped = control.signal?.aborted === true;
    unreachable = stopped ? undefined : steps.find(isBar);
    if (unreachable === undefined && !stopped) {
      const provided: WorkerInput = {
        target: options.target,
        settings: options.settings,
        document: await bundledContract(),
        runId,
        userAgent: userAgentOf(runId),
        channel: `fxconform-${randomUUID()}`,
        tokens,
      };
      end.errors = await supervised(provided, options, control, collector, () => (end.overdue = true));
    }
  } catch (error) {
    end.errors = [...end.errors, error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
  end.interrupted = control.signal?.aborted === true;
  const collection = collector.collection();
  const redact = (text: string): string => redaction.redact(text);
  end.errors = end.errors.map(redact);
  const faults = collection.faults.map(redact);
  const requests = end.requests + collection.requests;
  return runOf(options, started, runId, { ...collection, faults, requests }, unreachable, end);
};

/** Preflight steps without which nothing can be asked. A server in trouble at the token endpoint is judged by the run. */
const isBar = ({ step, ok, advice = "" }: PreflightStep): boolean =>
  !ok && (["name", "connection", "tls"].includes(step) || (step === "key" && !advice.includes("in trouble or busy")));

/** Whether there has to be a scenario for a requirement. */
const canBeAsked = (id: RequirementId, { settings }: RunOptions): boolean => settings.profile === "full" || inSmoke(id);

/** Milliseconds within which the worker has ended after it was told to: somebody waits for an interrupted run. */
const patience = { interrupted: 1200, overdue: 3000 };

/**
 * Tells of the last steps of the preflight. A request for each before the run would hide from it how a server answers
 * the first, and create something before the run has asked for the list as it was: so they are the run's own.
 */
const createFirsts = ({ onStep }: RunControl): ((evidence: readonly Evidence[]) => void) => {
  const open = new Map<OperationName, PreflightStep>([
    ["listBatches", { step: "list", ok: true, found: "GET /batches answered with success" }],
    ["createOperation", { step: "operation", ok: true, found: "created one" }],
  ]);
  return (evidence) => {
    for (const one of evidence) {
      const step = one.type === "succeeded" ? open.get(one.operation) : undefined;
      if (step === undefined || one.type !== "succeeded") continue;
      open.delete(one.operation);
      onStep?.(step);
    }
  };
};

/** The worker with its channel, its bound, and a way to stop it. */
const supervised = async (
  provided: WorkerInput,
  options: RunOptions,
  control: RunControl,
  collector: ReturnType<typeof createCollector>,
  onOverdue: () => void,
): Promise<readonly string[]> => {
  const channel = new BroadcastChannel(provided.channel);
  const firsts = createFirsts(control);
  const ended = new Promise<void>((resolve) => {
    channel.onmessage = (event) => {
      const { data } = event as { data: readonly Evidence[] };
      collector.take(data);
      firsts(data);
      control.onProgress?.(collector.progress());
      if (collector.collection().ended) resolve();
    };
  });
  let cancel = (): void => undefined;
  const timers: NodeJS.Timeout[] = [];
  let giveUp = (): void => undefined;
  const givenUp = new Promise<WorkerEnd>((resolve) => {
    giveUp = () => resolve({ errors: ["the worker did not end when it was told to"] });
  });
  /** Asks the worker to end, then makes it, then goes on without it. */
  const stop = (within: number): void => {
    channel.postMessage("stop");
    const after = (share: number, act: () => void): void => void timers.push(setTimeout(act, within * share));
    after(0.35, () => cancel());
    after(0.8, () => cancel());
    after(1, giveUp);
  };
  const interrupt = (): void => stop(patience.interrupted);
  control.signal?.addEventListener("abort", interrupt, { once: true });
  timers.push(
    setTimeout(() => {
      onOverdue();
      stop(patience.overdue);
    }, runBound(options.settings)),
  );
  try {
    const worker = runWorker(provided, (end) => {
      cancel = end;
      if (control.signal?.aborted === true) interrupt();
    });
    const { errors } = await Promise.race([worker, givenUp]);
    await Promise.race([ended, givenUp, new Promise((resolve) => setTimeout(resolve, 2000).unref())]);
    // What an interruption left undone is no error.
    if (control.signal?.aborted === true) return [];
    const { done, planned, ended: whole } = collector.collection();
    if (whole && planned === 0 && options.settings.selection.some((id) => canBeAsked(id, options))) {
      return [...errors, "no scenario was found that asks about what is selected"];
    }
    return !whole || done < planned
      ? [...errors, `${planned - done} of ${planned} scenarios that should have run did not`]
      : errors;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    control.signal?.removeEventListener("abort", interrupt);
    channel.close();
  }
};

const runOf = (
  options: RunOptions,
  started: Date,
  runId: string,
  collection: Collection,
  unreachable: PreflightStep | undefined,
  end: { readonly errors: readonly string[]; readonly interrupted: boolean; readonly overdue: boolean },
): Run => {
  const { settings, target } = options;
  const untestable =
    unreachable === undefined
      ? end.overdue
        ? `the run took longer than its bound of ${Math.round(runBound(settings) / 1000)} s`
        : collection.untestable
      : `${unreachable.found}. ${unreachable.advice ?? ""}`.trim();
  const requirements = requirementResults(evidenceOf(options, collection, untestable));
  const error = end.errors[0] ?? collection.faults[0];
  const spokenOf = new Set(settings.selection.flatMap(operationsOf));
  const scope = {
    profile: settings.profile,
    ...(options.selected === undefined ? {} : { selection: options.selected }),
    ...(options.shard === undefined ? {} : { shard: { index: options.shard.index, count: options.shard.count } }),
  };
  const evidence = {
    requirements,
    ...scope,
    interrupted: end.interrupted,
    neverSucceeded: collection.neverSucceeded.filter((operation) => spokenOf.has(operation)),
    ...(error === undefined ? {} : { error: firstLine(error) }),
    ...(untestable === undefined ? {} : { untestable }),
  };
  const startedAt = started.toISOString();
  const today = startedAt.slice(0, 10);
  const { observations } = collection;
  const { strict, statement, baseline } = options;
  const conclusion = conclusionOf(evidence, observations, { strict, statement, baseline, today });
  return {
    formatVersion,
    tool: { name: "fxconform", version: toolVersion() },
    specification: { version: "beta" },
    runId,
    target: { baseUrl: target.baseUrl },
    ...scope,
    seed: settings.seed,
    runs: settings.runs,
    startedAt,
    durationMs: Date.now() - started.getTime(),
    requests: collection.requests,
    peakInFlight: collection.peakInFlight,
    ...conclusion,
    ...(options.given === undefined ? {} : { settings: options.given }),
    ...(options.tokenCommand === undefined ? {} : { tokenCommand: options.tokenCommand }),
    requirements,
    observations,
    latency: latencyOf(collection.timeline),
    timeline: collection.timeline.map(([operation, at, took, status]) => ({ operation, at, took, status })),
    exchanges: collection.exchanges.map((exchange) => ({
      ...exchange,
      startedAt: new Date(started.getTime() + exchange.at).toISOString(),
    })),
    created: collection.created,
    withheld: [],
    warnings: [
      ...collection.warnings,
      ...expiryWarnings(conclusion.gate, today),
      ...(target.apiKey.length < 8
        ? ["The API key is shorter than 8 characters: it is taken out of the reports only where it is a whole value."]
        : []),
      ...(target.insecure ? ["The server's certificate was not verified (--insecure)."] : []),
      ...[...end.errors, ...collection.faults]
        .slice(1, 6)
        .map((text) => `A further error of the suite: ${firstLine(text)}`),
    ],
    ...(error === undefined ? {} : { error }),
  };
};

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 300);
