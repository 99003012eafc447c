import { stackOf } from "../../harness/errors.ts";
import { redactionFor, withTexts } from "../../model/evidence/redaction.ts";
import type { Run } from "../../model/run.ts";
import { nothingFound } from "./run-of.ts";
import { newRunId, toolVersion, userAgentOf } from "../version.ts";
import type { RunOptions } from "../../model/run-options.ts";
import type { RunControl } from "./control.ts";
import { runOf } from "./run-of.ts";
import { supervised, type Supervised } from "./supervision.ts";
import type { PreparedWorker } from "./thread.ts";

/** The command that checks failures again, if the reports are in their usual folder. */
const usualReplay = "npx fxconform replay fxconform-report/report.json";

/**
 * Runs the suites in a worker, and makes the run of what they find. Never throws because of what
 * the target does. An internal error gives the outcome `error`.
 */
export async function carryOut(
  options: RunOptions,
  control: RunControl,
  worker: PreparedWorker,
): Promise<Run> {
  const started = new Date();
  const runId = newRunId();
  const version = toolVersion();
  // An internal error can contain what a server or an option said. So it is redacted here, as
  // everything else is in the worker.
  const { redaction = redactionFor(options.target) } = control;
  const kept = { evidence: nothingFound() };
  let end: Supervised = { errors: [] };
  try {
    const { target, settings, replayCommand = usualReplay } = options;
    const own = { runId, userAgent: userAgentOf(runId), traced: control.onSpan !== undefined };
    const input = { target, settings, replayCommand, ...own };
    end = await supervised(worker, input, options, { ...control, redaction }, kept);
  } catch (error) {
    end = { ...end, errors: [stackOf(error)] };
  }
  const { evidence } = kept;
  const errors = [...end.errors, ...evidence.errors].map((text) => redaction.redact(text));
  const interrupted = control.signal?.aborted === true;
  const whole = { started, runId, version, ...end, errors, interrupted };
  // All texts are redacted again: a server can send a secret before fxconform knows that it is one.
  for (const { id } of evidence.created) redaction.addId(id);
  return withTexts(runOf(options, evidence, whole), redaction.redact);
}
