import { createRedaction, withTexts } from "../harness/recording/redaction.ts";
import { secretsOf } from "../model/target.ts";
import type { Certificate, Run, SentCount } from "../model/run.ts";
import { createCollector } from "./collector.ts";
import { newRunId, userAgentOf } from "./version.ts";
import type { RunOptions } from "../model/run-options.ts";
import type { RunControl } from "./options.ts";
import { reachability } from "./preflight.ts";
import type { PreflightStep } from "./preflight/explanation.ts";
import { runOf, type RunEnd } from "./run-of.ts";
import { supervised } from "./supervision.ts";
import { prepareWorker, type PreparedWorker, prepareWorkers } from "./worker.ts";

/** Never throws for what a target does; an internal error is the outcome `error`. */
export const run = async (options: RunOptions, control: RunControl = {}, workerOf = prepareWorker): Promise<Run> => {
  const started = new Date();
  const runId = newRunId();
  // An internal error can carry what a server or an option said: it is redacted like everything in the worker.
  const redaction = createRedaction(control.onSecret, secretsOf(options.target));
  const collector = createCollector(options, {
    onSecret: (secret) => redaction.add(secret, "token"),
    onSpan: control.onSpan,
    onRecorded: control.onRecorded,
  });
  const isStopped = (): boolean => control.signal?.aborted === true;
  let preflightRequests = 0;
  let certificate: Certificate | undefined;
  let unreachable: PreflightStep | undefined;
  let [overdue, bailed] = [false, false];
  const errors: string[] = [];
  const runAt = (end: Omit<RunEnd, "started" | "runId">): Run => {
    const collection = collector.collection();
    const requests = preflightRequests + collection.requests;
    const sent = withTokenRequests(collection.sent, preflightRequests);
    const known = certificate === undefined ? {} : { certificate };
    const whole = runOf(options, { ...collection, requests, sent }, { started, runId, ...known, ...end });
    // A server can repeat a secret before fxconform knows that it is one.
    return withTexts(whole, redaction.redact);
  };
  const underWay = { unreachable: undefined, errors: [], interrupted: false, overdue: false, bailed: false };
  const soFar = { run: () => runAt(underWay), failing: collector.failing };
  try {
    let worker: PreparedWorker | undefined;
    // Send the first request when the scenarios can follow it without delay.
    const load = (): PreparedWorker => (worker = workerOf());
    const { steps, tokens, requests } = await reachability(options, control, runId, load);
    preflightRequests = requests;
    certificate = steps.find((step) => step.certificate !== undefined)?.certificate;
    for (const token of tokens) redaction.add(token, "token");
    if (!isStopped()) unreachable = steps.find(({ stops }) => stops === true);
    if (unreachable === undefined && !isStopped()) {
      const input = {
        target: options.target,
        settings: options.settings,
        runId,
        userAgent: userAgentOf(runId),
        tokens,
        traced: control.onSpan !== undefined,
      };
      const ended = await supervised(worker ?? workerOf(), input, options, control, collector, soFar);
      ({ overdue, bailed } = ended);
      errors.push(...ended.errors);
    } else
      await Promise.race([worker?.discard(), new Promise((resolve) => setTimeout(resolve, longestDiscard).unref())]);
  } catch (error) {
    errors.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return runAt({
    unreachable,
    errors: [...errors, ...collector.collection().errors].map((text) => redaction.redact(text)),
    interrupted: isStopped(),
    overdue,
    bailed,
  });
};

/** Adds the requests of the preflight, which are token requests. */
const withTokenRequests = (sent: readonly SentCount[], count: number): SentCount[] => {
  const isValid = ({ operation, kind }: SentCount): boolean => operation === "createToken" && kind === "valid";
  const before = sent.find(isValid)?.count ?? 0;
  if (count === 0) return [...sent];
  return [{ operation: "createToken", kind: "valid", count: before + count }, ...sent.filter((one) => !isValid(one))];
};
/** Milliseconds to wait for the end of a worker in which nothing runs. */
const longestDiscard = 1000;

export type WarmEngine = ReturnType<typeof createWarmEngine>;

const mostRuns = 25;

/** Runs follow one another. The worker of the first is prepared at once, the worker of the next after each run. */
export const createWarmEngine = () => {
  let series = prepareWorkers(mostRuns);
  const prepare = (): PreparedWorker => {
    let worker = series.next();
    while (worker === undefined) {
      series = prepareWorkers(mostRuns);
      worker = series.next();
    }
    return worker;
  };
  let next: PreparedWorker | undefined = prepare();
  let isClosed = false;
  const take = (): PreparedWorker => {
    const worker = next ?? prepare();
    next = undefined;
    return worker;
  };
  return {
    run: async (options: RunOptions, control?: RunControl): Promise<Run> => {
      try {
        return await run(options, control, take);
      } finally {
        if (isClosed) await series.close();
        else next ??= prepare();
      }
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await series.close();
    },
  };
};
