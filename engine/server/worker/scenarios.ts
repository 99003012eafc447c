import { EventEmitter, once, setMaxListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, describe, test } from "vitest";
import { bundledContract } from "../../../spec/bundle.ts";
import { Inconclusive, Violated } from "../../../harness/errors.ts";
import { compileResponseSchemas } from "../../../harness/judging/response-schemas.ts";
import type { WorkerInput, WorkerPreparation } from "./input.ts";
import { calibrationSteps, type Parcel } from "../../../model/evidence/messages.ts";
import { scenarios } from "../../../suites/index.ts";
import { calibrate, correctionText, stepsFor } from "../../../suites/calibration/calibration.ts";
import type { CalibrationStep } from "../../../suites/calibration/steps.ts";
import { createContext } from "../../../suites/run/context.ts";
import { explainGaps, repeatFindings } from "./repetition.ts";
import { mostUrgentFirst, reducedWarning, selectScenarios } from "../../../suites/run/selection.ts";
import type { Selected } from "../../../suites/run/selection.ts";
import type { Phase, Scenario } from "../../../suites/kit/scenario.ts";
import { createRunContext, type Contract, type WorkerContext } from "./run-context.ts";

/**
 * The phases of a run. Each row begins when the row before has ended; the phases in a row overlap.
 */
const phases: readonly (readonly Phase[])[] = [["before"], ["main"], ["last", "beside"]];

let contract: Promise<Contract> | undefined;

/** The contract at an address. All runs of this worker use the same one. */
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
  if (await run.isTestable()) register(run, scenarios, { describe, test });
}

interface GivenRun extends Pick<WorkerPreparation, "port"> {
  readonly input: WorkerInput;
}

/** Begins a run, which has this worker until its tests have ended. */
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
    // What a failed scenario has left unfinished no longer matters.
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

/** Registers the selected scenarios as tests, phase by phase. */
export function register(run: WorkerContext, all: readonly Scenario[], registry: Registry): void {
  const selected = selectScenarios(all, run.settings);
  announce(run, selected);
  const starts = createStarts(selected.scenarios);

  const idsIn = (wanted: Phase): readonly string[] =>
    selected.scenarios.flatMap(({ id, phase = "main" }) => (phase === wanted ? [id] : []));
  run.main.begin(idsIn("main"));
  run.beside.begin(idsIn("beside"));
  for (const overlapping of phases) {
    if (overlapping.includes("main")) registerCalibration(run, selected, registry);
    const own = mostUrgentFirst(
      selected.scenarios.filter(({ phase = "main" }) => overlapping.includes(phase)),
    );
    if (own.length === 0) continue;
    registry.describe.sequential(overlapping.join(" and "), () => {
      for (const { scenario, urgency } of own)
        registry.test.concurrent(scenario.id, async () => {
          await starts.turnOf(scenario);
          await perform(run, scenario, urgency, starts.end);
        });
    });
  }
  registry.describe.sequential("repeat", () => {
    registry.test("findings are repeated", () => repeatFindings(run));
  });
}

/**
 * Registers the calibration, which finds out what the target accepts before scenarios send valid
 * requests that create something.
 */
function registerCalibration(
  run: WorkerContext,
  { scenarios: selected }: Selected,
  registry: Registry,
): void {
  const { settings } = run;
  if (settings.profile === "smoke") return;
  const isAlone = settings.createsLeast === true;
  const later = selected.filter(({ phase }) => phase !== "before");
  const wanted = isAlone ? calibrationSteps : stepsFor(later, settings.selection);
  if (wanted.length === 0) return;
  registry.describe.sequential("calibration", () => {
    registry.test("what the target accepts", async () => {
      const { steps } = await calibrate(run, wanted);
      for (const step of steps) tell(run, step, isAlone);
    });
  });
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
  // Scenarios of the last phase send bad credentials, and so need no success.
  const operations = selected.scenarios.flatMap((one) =>
    one.phase === "last" ? [] : one.operations,
  );
  recorder.progress.plan(selected.scenarios.length, [...new Set(operations)]);
  flush();
}

/** Decides when each scenario may start. */
function createStarts(selected: readonly Scenario[]) {
  const open = new Set(selected);
  const ends = new EventEmitter().setMaxListeners(0);
  let turns = Promise.resolve();
  return {
    turnOf: async (scenario: Scenario): Promise<void> => {
      for (const earlier of scenario.after ?? [])
        if (open.has(earlier)) await once(ends, earlier.id);
      // Scenarios start one after another: while one draws its values, the requests of earlier ones
      // are sent.
      turns = turns.then(() => nextTurn());
      await turns;
    },
    end: (scenario: Scenario): void => {
      open.delete(scenario);
      ends.emit(scenario.id);
    },
  };
}

async function perform(
  run: WorkerContext,
  scenario: Scenario,
  urgency: number,
  end: (scenario: Scenario) => void,
) {
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
    } else if (!(error instanceof Violated)) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      recorder.note("error", `${scenario.id}: ${run.redaction.redact(text)}`);
      throw error;
    }
  } finally {
    end(scenario);
    run.main.end(scenario.id);
    run.beside.end(scenario.id);
    recorder.progress.ends(scenario.checks, performance.now() - started);
  }
}
