import { createClient } from "../../../harness/sending/client.ts";
import { isTestable } from "../../../harness/sending/preflight.ts";
import { createSerials } from "../../../harness/sending/attempt.ts";
import { createSender } from "../../../harness/sending/sender.ts";
import type { Parcel } from "../../../model/evidence/evidence.ts";
import { createKnownIds } from "../../../harness/judging/known-ids.ts";
import { createHarRecording } from "../../../model/har.ts";
import { createRecorder } from "../../../model/evidence/recorder.ts";
import { createScheduler } from "../../../harness/sending/turns.ts";
import { defaultRuns, type RunSettings, type Target } from "../../../model/target.ts";
import { redactionFor } from "../../../model/evidence/redaction.ts";
import type { ResponseSchemas } from "../../../harness/judging/response-schemas.ts";
import { createOutbox } from "./outbox.ts";
import { createOrder } from "../../../suites/run/order.ts";
import { createProbes } from "../../../suites/run/observing.ts";
import { createTargetKnowledge } from "../../../suites/run/target-knowledge.ts";

/** A run, in the form in which the main thread hands it to a worker. */
export interface WorkerInput {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly runId: string;
  /** The command that checks failures again. ` --only <id>` is appended to it. */
  readonly replayCommand: string;
  readonly userAgent: string;
}

/** What all scenarios share, and what only the thread of the run needs. */
export type WorkerContext = ReturnType<typeof createRunContext>;

/**
 * Makes the context of a run. `send` takes what the run finds to the main thread; `signal` ends the
 * run.
 */
export function createRunContext(
  input: WorkerInput,
  schemas: ResponseSchemas,
  send: (parcel: Parcel) => void,
  signal: AbortSignal,
) {
  const { target, settings, userAgent, replayCommand } = input;
  const started = performance.now();
  const outbox = createOutbox(send);
  const { progress } = outbox;
  const redaction = redactionFor(target, outbox.secret);
  const recording =
    settings.record === true ? createHarRecording(outbox.har, redaction) : undefined;
  const known = createTargetKnowledge(signal);
  const recorder = createRecorder({ progress, redaction, replayCommand, trust: target });
  outbox.follow(recorder);
  const scheduler = createScheduler(settings.concurrency, settings.rate ?? Infinity, signal);
  const client = createClient(target, {
    connections: settings.concurrency,
    timeout: settings.timeout,
    maxBody: settings.maxBody,
    signal,
  });
  const order = createOrder({ isPatient: settings.runs > defaultRuns, signal });
  const probes = createProbes();
  const judged = { schemas, ids: createKnownIds(), grace: settings.grace };
  const nextSerial = createSerials();
  const parts = {
    target,
    settings,
    client,
    scheduler,
    recorder,
    redaction,
    userAgent,
    signal,
    recording,
    nextSerial,
  };
  const sender = createSender({
    ...parts,
    ruleContext: judged,
    learn: probes.learn,
    quiet: order.allButLastEnded,
  });
  outbox.pace(sender.isSlow);
  return {
    ...input,
    /** Milliseconds since the run started. */
    elapsed: () => performance.now() - started,
    /** Sends at once what was found so far. */
    flush: outbox.flush,
    sender,
    recorder,
    scheduler,
    redaction,
    client,
    signal,
    knowledge: known,
    probes,
    order,
    untilOld: order.untilOld,
    isTestable: () => isTestable({ ...parts, onToken: sender.session.start }),
  };
}
