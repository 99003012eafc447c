import { setTimeout as pause } from "node:timers/promises";
import { workerData, type MessagePort } from "node:worker_threads";
import { coverageOf } from "../../../generators/index.ts";
import { Inconclusive, stackOf } from "../../../harness/errors.ts";
import {
  compileResponseSchemas,
  type ResponseSchemas,
} from "../../../harness/judging/response-schemas.ts";
import { bundledContract } from "../../../spec/bundle.ts";
import { scenarios } from "../../../suites/index.ts";
import { createRunContext, type WorkerContext, type WorkerInput } from "./run-context.ts";
import { performAll } from "./scenarios.ts";
import { raiseLimit } from "../../../harness/sending/credentials.ts";
import { plural } from "../../../model/plural.ts";

/** What a worker gets when it starts, before its first run. */
export interface WorkerPreparation {
  /** The address of the contract as JSON. */
  readonly contract: string;
  /**
   * The channel to the main thread. Through it, the worker receives runs and the request to stop,
   * and sends the parcels of a run and how it ended.
   */
  readonly port: MessagePort;
}

/**
 * Carries out the runs that the main thread hands over through the port, one after the other. All
 * of them use the same contract, with its compiled response schemas. Each run ends with a message
 * that has the errors in our code that no scenario reported.
 */
async function serve({ contract, port }: WorkerPreparation): Promise<void> {
  const schemas = compileResponseSchemas(await bundledContract(new URL(contract)));
  let stop = new AbortController();
  let errors: string[] = [];
  // What a scenario leaves behind must not end the thread: the others go on, and the run reports it.
  // A wait that the end of the run cuts short is no error, even if nobody waits for it any more.
  process.on("uncaughtException", (error) => {
    if (!(error instanceof Inconclusive && stop.signal.aborted)) errors.push(stackOf(error));
  });
  port.on("close", () => stop.abort());
  port.on("message", (message: "stop" | WorkerInput) => {
    if (message === "stop") return stop.abort();
    stop = new AbortController();
    // An error that comes after the end of a run is dropped with the list of that run.
    const own: string[] = [];
    errors = own;
    void carryOut(message, schemas, port, stop.signal)
      .catch((error: unknown) => void own.push(stackOf(error)))
      .then(() => port.postMessage({ errors: own }));
  });
}

/** After this time, in milliseconds, the first request has gone out. */
const untilFirstRequest = 20;

/** Carries out a run. Rejects after its end if something in our code has failed. */
async function carryOut(
  input: WorkerInput,
  schemas: ResponseSchemas,
  port: MessagePort,
  stop: AbortSignal,
): Promise<void> {
  const run = createRunContext(input, schemas, (parcel) => port.postMessage(parcel), stop);
  try {
    const testable = run.isTestable();
    // While the first response is on its way, this thread has nothing else to do.
    void pause(untilFirstRequest).then(schemas.compile);
    if (!(await testable)) return;
    await performAll(run, scenarios);
  } catch (error) {
    if (!(error instanceof Inconclusive && stop.aborted)) throw error;
  } finally {
    reportEnd(run);
    // Nothing more is sent: what a failed scenario has left unfinished no longer matters.
    await run.client.close();
  }
}

/** Reports what only the end of a run shows. */
function reportEnd(run: WorkerContext): void {
  explainOpen(run);
  for (const { question, case: inCase, answer } of run.probes.answers())
    run.recorder.observe(question, inCase, answer);
  run.recorder.covers(coverageOf(run.knowledge.sentRows));
  run.recorder.progress.end(run.scheduler.peak());
  run.flush();
}

/**
 * Records at the end of a run why requirements have no verdict: what cut a check short, and the first
 * need that the target did not meet. A requirement on credentials that names several mistakes stays
 * without a verdict until each mistake was judged, even if it held for some of them.
 */
function explainOpen({ recorder, sender, settings, signal }: WorkerContext): void {
  const leftOut = sender.leftOut();
  const ids = [...new Set(leftOut.flatMap(({ refusal }) => refusal?.requirement ?? []))].sort();
  const requirements = ids.length === 0 ? "" : ` of ${ids.join(", ")}`;
  // Some were judged with fewer bad credentials than usual (INT-50).
  if (leftOut.length > 0)
    recorder.note(
      "warning",
      `Waits after refused credentials left little time: judged without ${plural(leftOut.length, "variation")}${requirements}. ` +
        `One of each form that INT-15 and INT-17 name was sent; a fault that only another one shows passes. ${raiseLimit}`,
    );
  if (signal.aborted) return;
  for (const { requirement, reason, gap } of sender.openForms())
    if (settings.selection.includes(requirement))
      recorder.inconclusive(requirement, reason, { cutShort: true, gap });
  for (const requirement of settings.selection) {
    const few = sender.hardlyJudged(requirement);
    if (few !== undefined) recorder.inconclusive(requirement, few, { cutShort: true });
    const lack = sender.firstUnmet(requirement);
    if (lack !== undefined) recorder.lacks(requirement, lack);
  }
}

await serve(workerData as WorkerPreparation);
