import { randomUUID } from "node:crypto";
import { createRedaction } from "../harness/recording/redaction.ts";
import { secretsOf } from "../model/target-secrets.ts";
import type { Certificate, Run, SentCount } from "../model/run.ts";
import { createCollector } from "./collector.ts";
import { bundledContract } from "./contract.ts";
import { newRunId, userAgentOf } from "./identity.ts";
import type { RunControl, RunOptions } from "./options.ts";
import { reachability } from "./preflight.ts";
import type { PreflightStep } from "./preflight/step.ts";
import { runOf } from "./run-of.ts";
import { supervised } from "./supervision.ts";

/**
 * Runs the suite against the target. Never throws for what a target does; an internal error is the outcome `error`.
 */
export const run = async (options: RunOptions, control: RunControl = {}): Promise<Run> => {
  const started = new Date();
  const runId = newRunId();
  // An internal error can carry what a server or an option said: it is redacted like everything in the worker.
  const redaction = createRedaction(control.onSecret, secretsOf(options.target));
  const collector = createCollector((secret) => redaction.add(secret, "token"));
  const isStopped = (): boolean => control.signal?.aborted === true;
  let preflightRequests = 0;
  let certificate: Certificate | undefined;
  let unreachable: PreflightStep | undefined;
  let [overdue, bailed] = [false, false];
  const errors: string[] = [];
  try {
    const { steps, tokens, requests } = await reachability(options, control, runId);
    preflightRequests = requests;
    certificate = steps.find((step) => step.certificate !== undefined)?.certificate;
    for (const token of tokens) redaction.add(token, "token");
    if (!isStopped()) unreachable = steps.find(({ stops }) => stops === true);
    if (unreachable === undefined && !isStopped()) {
      const input = {
        target: options.target,
        settings: options.settings,
        document: await bundledContract(),
        runId,
        userAgent: userAgentOf(runId),
        channel: `fxconform-${randomUUID()}`,
        tokens,
      };
      const ended = await supervised(input, options, control, collector);
      ({ overdue, bailed } = ended);
      errors.push(...ended.errors);
    }
  } catch (error) {
    errors.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const collection = collector.collection();
  return runOf(
    options,
    {
      ...collection,
      requests: preflightRequests + collection.requests,
      sent: withTokenRequests(collection.sent, preflightRequests),
    },
    {
      started,
      runId,
      ...(certificate === undefined ? {} : { certificate }),
      unreachable,
      errors: [...errors, ...collection.faults].map((text) => redaction.redact(text)),
      interrupted: isStopped(),
      overdue,
      bailed,
    },
  );
};

/** Before a run, tokens alone are requested. */
const withTokenRequests = (sent: readonly SentCount[], count: number): readonly SentCount[] => {
  const isValid = ({ operation, kind }: SentCount): boolean => operation === "createToken" && kind === "valid";
  const before = sent.find(isValid)?.count ?? 0;
  if (count === 0) return sent;
  return [{ operation: "createToken", kind: "valid", count: before + count }, ...sent.filter((one) => !isValid(one))];
};
