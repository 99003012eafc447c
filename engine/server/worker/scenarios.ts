import { setMaxListeners } from "node:events";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, test } from "vitest";
import { bundledContract } from "../../../spec/bundle.ts";
import { Inconclusive } from "../../../harness/errors.ts";
import { compileResponseSchemas } from "../../../harness/judging/response-schemas.ts";
import type { WorkerInput, WorkerPreparation } from "./input.ts";
import type { RunSettings } from "../../../model/target.ts";
import {
  calibrationSteps,
  type CalibrationStepName,
  type Parcel,
} from "../../../model/evidence/messages.ts";
import { scenarios } from "../../../suites/index.ts";
import { calibrate, correctionText, stepsFor } from "../../../suites/calibration/calibration.ts";
import type { CalibrationStep } from "../../../suites/calibration/steps.ts";
import { createContext } from "../../../suites/run/context.ts";
import { explainGaps, repeatFindings } from "./repetition.ts";
import { mostUrgentFirst, reducedWarning, selectScenarios } from "../../../suites/run/selection.ts";
import type { Selected } from "../../../suites/run/selection.ts";
import type { Scenario } from "../../../suites/kit/scenario.ts";
import { createRunContext, type Contract, type WorkerContext } from "./run-context.ts";

let contract: Promise<Contract> | undefined;

/**
 * Loads the contract from an address, with its compiled response schemas. All runs of this worker
 * use the same one.
 */
async function contractAt(address: string): Promise<Contract> {
  const document = await bundledContract(new URL(address));
  return { document, schemas: compileResponseSchemas(document) };
}

/** Begins to load what all runs of this worker share. If that fails, the first run reports it. */
export function load(preparation: WorkerPreparation): void {
  contract = contractAt(preparation.contract);
  contract.catch(() => undefined);
}

/**
 * Reports that this worker is ready, waits for its next run, and registers the scenarios if the
 * target can be tested.
 */
export async function registerNextRun(preparation: WorkerPreparation): Promise<void> {
  const { port } = preparation;
  contract ??= contractAt(preparation.contract);
  const known = await contract;
  const stop = new AbortController();
  const input = await new Promise<WorkerInput>((resolve) => {
    port.removeAllListeners("message").on("message", (message: "stop" | WorkerInput) => {
      if (message === "stop") stop.abort();
      else resolve(message);
    });
    port.postMessage("ready");
  });
  const run = begin({ input, port }, known, stop.signal);
  if (!(await run.isTestable())) return;
  register(run, scenarios, { describe, test });
  // While the first request of the scenarios is on its way, this thread has nothing else to do.
  void pause(untilFirstRequest).then(known.schemas.compile);
}

/** After this time, in milliseconds, the first request of the scenarios has gone out. */
const untilFirstRequest = 20;

interface GivenRun extends Pick<WorkerPreparation, "port"> {
  readonly input: WorkerInput;
}

/**
 * Makes the context of a run, and registers the steps with which the run ends. The run has this
 * worker to itself until its tests have ended.
 */
function begin({ input, port }: GivenRun, known: Contract, stop: AbortSignal): WorkerContext {
  let isEnded = false;
  const send = (parcel: Parcel): void => {
    if (!isEnded) port.postMessage(parcel);
  };
  setMaxListeners(0, stop);
  const run = createRunContext(input, known, send, stop);
  afterAll(async () => {
    explainGaps(run);
    for (const { question, inCase, answer } of run.probes.answers())
      run.recorder.observe(question, inCase, answer);
    run.recorder.progress.end(run.scheduler.peak());
    run.flush();
    // Nothing more is sent: what a failed scenario has left unfinished no longer matters.
    isEnded = true;
    await run.client.close();
  });
  return run;
}

type RegisterTest = (name: string, run: () => Promise<void>) => void;

/** The functions of vitest that this module uses. */
export interface Registry {
  readonly describe: {
    readonly sequential: (name: string, registerTests: () => void) => void;
  };
  readonly test: RegisterTest & { readonly concurrent: RegisterTest };
}

/**
 * Registers the selected scenarios as tests. All begin at once, and so does the calibration; each
 * then waits for its turn.
 */
export function register(run: WorkerContext, all: readonly Scenario[], registry: Registry): void {
  const { order, settings } = run;
  const selected = selectScenarios(all, settings);
  announce(run, selected);
  const wanted = wantedSteps(selected, settings);
  order.begin(selected.scenarios, wanted);
  const gap = createGaps();
  registry.describe.sequential("scenarios", () => {
    if (wanted.length > 0)
      registry.test.concurrent("what the target accepts", () => calibrateFor(run, wanted));
    for (const { scenario, urgency } of mostUrgentFirst(selected.scenarios))
      registry.test.concurrent(scenario.id, async () => {
        await order.turnOf(scenario, stepsBefore(scenario, wanted));
        await gap();
        await perform(run, scenario, urgency);
      });
  });
  registry.describe.sequential("repeat", () => {
    registry.test("findings are repeated", () => repeatFindings(run));
  });
}

/**
 * The steps of the calibration that the scenarios need: all if the run does nothing else, and none
 * with the profile `smoke`, which creates nothing.
 */
function wantedSteps(
  { scenarios: selected }: Selected,
  { createsLeast, profile, selection }: RunSettings,
): readonly CalibrationStepName[] {
  if (profile === "smoke") return [];
  if (createsLeast === true) return calibrationSteps;
  return stepsFor(
    selected.filter(({ phase }) => phase !== "before"),
    selection,
  );
}

/**
 * The steps for which a scenario waits. A scenario that creates operations waits for all, because
 * it could use up a limit of operations that a step needs. So does one that creates batches,
 * because the calibration may correct the pairs.
 */
function stepsBefore(
  { operations }: Scenario,
  wanted: readonly CalibrationStepName[],
): readonly CalibrationStepName[] {
  if (operations.includes("createOperation") || operations.includes("createBatch")) return wanted;
  return operations.includes("createCounterparty") ? ["counterparty"] : [];
}

/** Finds out what the target accepts, beside scenarios that need not know all of it. */
async function calibrateFor(
  run: WorkerContext,
  wanted: readonly CalibrationStepName[],
): Promise<void> {
  const { order, settings } = run;
  await order.beforeEnded();
  try {
    const { steps } = await calibrate(run, wanted, order.stepEnded);
    for (const step of steps) tell(run, step, settings.createsLeast === true);
  } finally {
    // Steps that could not be taken count as ended, too, so that no scenario waits for them
    // forever.
    wanted.forEach(order.stepEnded);
  }
}

/**
 * Reports the steps of the calibration: every step if the run does nothing else, or else a warning
 * for each that it corrected.
 */
function tell(
  { recorder, redaction }: WorkerContext,
  step: CalibrationStep,
  isAlone: boolean,
): void {
  const { found, advice } = step;
  const warning = correctionText(step);
  if (isAlone) {
    recorder.progress.step({
      ...step,
      found: redaction.redact(found),
      ...(advice !== undefined && { advice: redaction.redact(advice) }),
    });
  } else if (warning !== undefined) recorder.note("warning", redaction.redact(warning));
}

function announce({ recorder, flush }: WorkerContext, selected: Selected): void {
  const warning = reducedWarning(selected);
  if (warning !== undefined) recorder.note("warning", warning);
  // Scenarios of the last phase send bad credentials, so their operations need not succeed.
  const operations = selected.scenarios.flatMap((one) =>
    one.phase === "last" ? [] : one.operations,
  );
  recorder.progress.plan(selected.scenarios.length, [...new Set(operations)]);
  flush();
}

/**
 * Lets scenarios start one at a time, so that requests go out before the next one draws its values.
 */
function createGaps() {
  let turns = Promise.resolve();
  return (): Promise<void> => {
    turns = turns.then(() => nextTurn());
    return turns;
  };
}

async function perform(run: WorkerContext, scenario: Scenario, urgency: number): Promise<void> {
  const { recorder } = run;
  const started = performance.now();
  const share = scenario.phase === "last" ? "credentials" : "ordinary";
  const context = createContext(run, { ...scenario, urgency, share });
  try {
    await scenario.run(context);
  } catch (error) {
    if (error instanceof Inconclusive) {
      const { message, gap, blockedAt } = error;
      for (const requirement of scenario.checks)
        recorder.inconclusive(requirement, message, { gap, blockedAt });
    } else {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      recorder.note("error", `${scenario.id}: ${run.redaction.redact(text)}`);
      throw error;
    }
  } finally {
    run.order.scenarioEnded(scenario.id);
    recorder.progress.ends(scenario.checks, performance.now() - started);
  }
}
