import { setMaxListeners } from "node:events";
import { workerData, type BroadcastChannel as Channel } from "node:worker_threads";
import { afterAll, describe, test } from "vitest";
import { bundledContract } from "../harness/contract.ts";
import { Inconclusive, Violation } from "../harness/scenario-errors.ts";
import { compileResponseSchemas } from "../harness/judging/response-schemas.ts";
import type { WorkerInput, WorkerPreparation } from "../harness/worker-input.ts";
import type { Evidence } from "../model/evidence.ts";
import { scenarios } from "./index.ts";
import { createContext } from "./kit/context.ts";
import { explainGaps } from "./kit/gaps.ts";
import { repeatFindings } from "./kit/repetition.ts";
import { now } from "./kit/now.ts";
import { createRunContext, type Contract } from "./kit/run-context.ts";
import type { Phase, Scenario } from "./kit/scenario.ts";
import { mostUrgentFirst } from "./kit/planning/urgency.ts";
import { earlyScenarios, reducedWarning, selectScenarios } from "./kit/planning/selection.ts";

const phases: readonly Phase[] = ["before", "main", "last"];

/** What is the same in all runs of a worker. */
let contract: Promise<Contract> | undefined;

/** What this thread has from its start. */
const preparation = (): WorkerPreparation => workerData as WorkerPreparation;

const knownContract = (): Promise<Contract> =>
  (contract ??= bundledContract(new URL(preparation().contract)).then((document) => ({
    document,
    schemas: compileResponseSchemas(document),
  })));

/** Begins to load what is the same in all runs. If that fails, the first run reports it. */
export const load = (): void => void knownContract().catch(() => undefined);

/** How many runs this worker has begun. */
let runs = 0;

/**
 * Reports that this worker is ready, waits for its next run, and registers the scenarios in three phases. In each phase
 * the scenarios run concurrently. vitest runs each scenario as a test. The evidence goes to the channel; vitest's own
 * result says only whether our code failed.
 */
export const registerNextRun = async (): Promise<void> => {
  const known = await knownContract();
  const names = preparation().runs[runs];
  runs += 1;
  if (names === undefined) return;
  const channel = new BroadcastChannel(names.channel);
  const stop = new AbortController();
  channel.onmessage = ({ data }: { data: unknown }) => {
    if (data === "stop") stop.abort();
  };
  const input = await nextInput(names.start);
  if (input === undefined) channel.close();
  else register(input, known, channel, stop.signal);
};

const nextInput = (name: string): Promise<WorkerInput | undefined> =>
  new Promise((resolve) => {
    const start = new BroadcastChannel(name);
    start.onmessage = ({ data }: { data: unknown }) => {
      start.close();
      // A channel brings null if nothing was sent.
      resolve((data as WorkerInput | null) ?? undefined);
    };
    start.postMessage("ready");
  });

function register(input: WorkerInput, contract: Contract, channel: Channel, stop: AbortSignal): void {
  let isEnded = false;
  const emit = (evidence: readonly Evidence[]): void => {
    if (!isEnded) channel.postMessage(evidence);
  };
  setMaxListeners(0, stop);
  const run = createRunContext(input, contract, emit, stop);
  const { recorder } = run;
  const selected = selectScenarios(scenarios, input.settings);
  const warning = reducedWarning(selected, input.settings);
  if (warning !== undefined) recorder.emit({ type: "note", kind: "warning", text: warning });
  for (const { title, phase, operations, requirements } of selected.scenarios) {
    // Scenarios of the last phase send bad credentials, which need no success.
    recorder.emit({ type: "planned", scenario: title, operations: phase === "last" ? [] : operations, requirements });
  }
  recorder.flush();

  /** Resolves when a scenario has ended. */
  const ends = new Map(
    selected.scenarios.map((scenario) => {
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      return [scenario, { ended, end: () => end() }];
    }),
  );

  const early = earlyScenarios(selected.scenarios, input.settings.first);
  /** Resolves when all that come first in the phase of a scenario have ended. */
  const earlierThan = async ({ phase = "main" }: Scenario): Promise<void> => {
    for (const one of early) if ((one.phase ?? "main") === phase) await ends.get(one)?.ended;
  };

  /** Starts scenarios one after another: while one draws its values, requests of the earlier ones are sent. */
  let starts = Promise.resolve();
  const turnToStart = (): Promise<void> => {
    starts = starts.then(() => new Promise((resolve) => void setImmediate(resolve)));
    return starts;
  };

  const perform = async (scenario: Scenario, urgency: number): Promise<void> => {
    const context = createContext(run, { ...scenario, urgency });
    for (const earlier of scenario.after ?? []) await ends.get(earlier)?.ended;
    if (!early.has(scenario)) await earlierThan(scenario);
    await turnToStart();
    const started = now();
    try {
      await scenario.run(context);
    } catch (error) {
      if (error instanceof Inconclusive) {
        const concerned = error.requirements.length > 0 ? error.requirements : scenario.requirements;
        for (const requirement of concerned) recorder.inconclusive(requirement, error.message);
      } else if (!(error instanceof Violation)) {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        recorder.emit({ type: "note", kind: "error", text: `${scenario.id}: ${run.redaction.redact(text)}` });
        throw error;
      }
    } finally {
      ends.get(scenario)?.end();
      const to = now();
      if (run.traced) recorder.emit({ type: "span", scenario: scenario.id, from: started, to, took: 0 });
      recorder.emit({ type: "done", requirements: scenario.requirements, took: to - started });
    }
  };

  for (const phase of phases) {
    const own = mostUrgentFirst(selected.scenarios.filter((scenario) => (scenario.phase ?? "main") === phase));
    if (own.length === 0) continue;
    const [first, then] = [own.filter((one) => early.has(one.scenario)), own.filter((one) => !early.has(one.scenario))];
    describe.sequential(phase, () => {
      for (const { scenario, urgency } of [...first, ...then])
        test.concurrent(scenario.id, () => perform(scenario, urgency));
    });
  }
  describe.sequential("repeat", () => {
    test("findings are repeated", () => repeatFindings(run));
  });

  afterAll(async () => {
    explainGaps(run);
    for (const { question, inCase, answer } of run.probes.answers()) recorder.observe(question, inCase, answer);
    recorder.flush();
    emit([{ type: "end", peakInFlight: run.scheduler.peak() }]);
    // Requests that a failed scenario left behind no longer matter.
    isEnded = true;
    await run.client.close();
    channel.close();
  });
}
