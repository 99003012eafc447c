import { redactionFor, withTexts } from "../../model/evidence/redaction.ts";
import type { Run } from "../../model/run.ts";
import { beginningOf, userAgentOf } from "../version.ts";
import type { RunOptions } from "../../model/run-options.ts";
import { runOf } from "./run-of.ts";
import { supervised, type RunControl } from "./supervision.ts";
import { prepareWorker, type PreparedWorker } from "./thread.ts";

/**
 * Runs the suites against a target. Never throws because of what the target does. An internal error
 * gives the outcome `error`.
 */
export async function run(options: RunOptions, control?: RunControl): Promise<Run> {
  const engine = createWarmEngine();
  try {
    return await engine.run(options, control);
  } finally {
    await engine.close();
  }
}

/**
 * An engine for runs that follow one another, in one thread. If a run has ended the thread, the next
 * one gets a new one.
 */
export function createWarmEngine() {
  let worker = prepareWorker();
  return {
    run: (options: RunOptions, control: RunControl = {}): Promise<Run> => {
      if (!worker.isAlive()) worker = prepareWorker();
      return carryOut(options, control, worker);
    },
    close: (): Promise<void> => worker.end(),
  };
}

/** The command that checks failures again, if the reports are in their usual folder. */
const usualReplay = "npx fxconform replay fxconform-report/report.json";

/**
 * Runs the suites in a worker, and makes the run of what they find. Never throws because of what
 * the target does. An internal error gives the outcome `error`.
 */
async function carryOut(
  options: RunOptions,
  control: RunControl,
  worker: PreparedWorker,
): Promise<Run> {
  const began = beginningOf(Date.now());
  const { runId } = began;
  // An internal error can contain what a server or an option said. So it is redacted here, as
  // everything else is in the worker.
  const { redaction = redactionFor(options.target) } = control;
  const { target, settings, replayCommand = usualReplay } = options;
  const input = { target, settings, replayCommand, runId, userAgent: userAgentOf(runId) };
  const end = await supervised(worker, input, options, { ...control, redaction });
  const { evidence } = end;
  const errors = [...end.errors, ...evidence.errors].map((text) => redaction.redact(text));
  const interrupted = control.signal?.aborted === true;
  const whole = { began, ...end, errors, interrupted };
  // All texts are redacted again: a server can send a secret before fxconform knows that it is one.
  for (const { id } of evidence.created) redaction.addId(id);
  return withTexts(runOf(options, evidence, whole), redaction.redact);
}
