import { randomUUID } from "node:crypto";
import { createRedaction } from "../harness/recording/redaction.ts";
import { secretsOf } from "../model/target-secrets.ts";
import type { Run } from "../model/run.ts";
import { createCollector } from "./collector.ts";
import { bundledContract } from "./contract.ts";
import { newRunId, userAgentOf } from "./identity.ts";
import type { RunControl, RunOptions } from "./options.ts";
import { reachability } from "./preflight.ts";
import type { PreflightStep } from "./preflight/step.ts";
import { runOf } from "./run-of.ts";
import { supervise, type Supervision } from "./supervision.ts";

/**
 * Runs the suite against the target. Never throws for what a target does; an internal error is the outcome `error`.
 */
export const run = async (options: RunOptions, control: RunControl = {}): Promise<Run> => {
  const started = new Date();
  const runId = newRunId();
  // An internal error can carry what a server or an option said: it is redacted like everything in the worker.
  const redaction = createRedaction(control.onSecret, secretsOf(options.target));
  const collector = createCollector((secret) => redaction.add(secret, "token"), control.onSpan);
  const isStopped = (): boolean => control.signal?.aborted === true;
  let preflightRequests = 0;
  let unreachable: PreflightStep | undefined;
  let [overdue, bailed] = [false, false];
  const errors: string[] = [];
  try {
    let worker: Supervision | undefined;
    const load = async (): Promise<void> => {
      const input = {
        target: options.target,
        settings: options.settings,
        document: await bundledContract(),
        runId,
        userAgent: userAgentOf(runId),
        channel: `fxconform-${randomUUID()}`,
        traced: control.onSpan !== undefined,
      };
      worker = supervise(input, options, control, collector);
      await worker.loaded;
    };
    // The first request is sent when all the others can follow it.
    const { steps, tokens, requests } = await reachability(options, control, runId, load);
    preflightRequests = requests;
    for (const token of tokens) redaction.add(token, "token");
    if (!isStopped()) unreachable = steps.find(({ stops }) => stops === true);
    if (unreachable === undefined && !isStopped()) {
      const ended = await worker?.start(tokens);
      overdue = ended?.overdue === true;
      bailed = ended?.bailed === true;
      errors.push(...(ended?.errors ?? ["the target was not looked at to the end"]));
    } else await worker?.leave();
  } catch (error) {
    errors.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const collection = collector.collection();
  return runOf(
    options,
    { ...collection, requests: preflightRequests + collection.requests },
    {
      started,
      runId,
      unreachable,
      errors: [...errors, ...collection.faults].map((text) => redaction.redact(text)),
      interrupted: isStopped(),
      overdue,
      bailed,
    },
  );
};
