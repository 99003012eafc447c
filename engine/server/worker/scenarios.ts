import { setImmediate as nextTurn } from "node:timers/promises";
import { Inconclusive, stackOf } from "../../../harness/errors.ts";
import { plural } from "../../../model/plural.ts";
import { type RunSettings, timeBoundOf } from "../../../model/target.ts";
import { calibrationSteps, type CalibrationStepName } from "../../../model/evidence/evidence.ts";
import { calibrate, correctionText, stepsFor } from "../../../suites/calibration/calibration.ts";
import { together } from "../../../suites/run/concurrency.ts";
import { createContext } from "../../../suites/run/context.ts";
import { expectedOf } from "../announcement.ts";
import { repeatFindings } from "./repetition.ts";
import {
  mostUrgentFirst,
  reducedWarning,
  selectScenarios,
  type Selected,
} from "../../../suites/run/selection.ts";
import type { Scenario } from "../../../suites/kit/scenario.ts";
import type { WorkerContext } from "./run-context.ts";

/**
 * Performs the selected scenarios. All begin at once, and so does the calibration; each then waits
 * for its turn. Last, findings are repeated.
 */
export async function performAll(run: WorkerContext, all: readonly Scenario[]): Promise<void> {
  const { order, settings, signal } = run;
  const selected = selectScenarios(all, settings);
  const reduced = reducedWarning(selected);
  if (reduced !== undefined) run.recorder.note("warning", reduced);
  // Scenarios of the last phase send bad credentials, so their operations need not succeed.
  const succeeding = selected.scenarios.flatMap((one) =>
    one.phase === "last" ? [] : one.operations,
  );
  run.recorder.progress.plan(selected.scenarios.length, [...new Set(succeeding)]);
  run.flush();
  const wanted = wantedSteps(selected, settings);
  order.begin(selected.scenarios, wanted);
  let gap = Promise.resolve();
  const leftOut: Scenario[] = [];
  await together([
    wanted.length > 0 && calibrateFor(run, wanted),
    ...mostUrgentFirst(selected.scenarios).map(({ scenario, urgency }) =>
      perform(run, scenario, urgency, async () => {
        await order.turnOf(scenario, stepsBefore(scenario, wanted));
        if (scenario.phase === "last" && isShortOfTime(run, true)) run.sender.spareBadCredentials();
        const isLeftOut = scenario.phase === "beside" && isShortOfTime(run);
        if (isLeftOut) leftOut.push(scenario);
        // Scenarios start one at a time, so that requests go out before the next one draws its values.
        gap = gap.then(() => nextTurn());
        await gap;
        if (isLeftOut) throw new Inconclusive(noTime);
      }),
    ),
  ]);
  if (leftOut.length > 0)
    run.recorder.note(
      "warning",
      `The server lets so few requests through that there was no time for ${plural(leftOut.length, "scenario")}, which would have shown with further values what the others show.`,
    );
  if (!signal.aborted) await repeatFindings(run);
}

/**
 * Whether the target lets so few requests through that there is no time for those that are left.
 * Then what shows again what the run has judged already is left out, so that bad credentials are
 * judged, too; and if there is too little time even for them (`forCredentials`), most of their
 * variations (INT-50).
 * What the target let through so far counts where it throttles for a moment only.
 */
function isShortOfTime(
  { settings, recorder, scheduler, elapsed }: WorkerContext,
  forCredentials = false,
): boolean {
  const all = expectedOf(settings).requests;
  const sent = recorder.progress.now().sent.reduce((sum, { count }) => sum + count, 0);
  const isDone = forCredentials ? expectedOf({ ...settings, maxBadCredentials: 0 }).requests : sent;
  const perSecond = Math.max(scheduler.rate(), (sent * 1000) / elapsed());
  const lastRequest = timeBoundOf(settings)?.lastRequest ?? Infinity;
  return elapsed() + ((all - isDone) * 1000 * reserve) / perSecond > lastRequest;
}

/** Bad credentials go one after the other, and a limit is hit now and then. */
const reserve = 1.4;

const noTime = "there was no time for it, as the server lets few requests through";

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

/**
 * Finds out what the target accepts, beside scenarios that need not know all of it. Reports every
 * step if the run does nothing else, or else a warning for each that it corrected.
 */
async function calibrateFor(
  run: WorkerContext,
  wanted: readonly CalibrationStepName[],
): Promise<void> {
  const { order, settings, recorder, redaction } = run;
  try {
    await order.beforeEnded();
    const steps = await calibrate(run, wanted, order.stepEnded);
    for (const step of steps) {
      const { found, advice } = step;
      const warning = correctionText(step);
      if (settings.createsLeast === true)
        recorder.progress.step({
          ...step,
          found: redaction.redact(found),
          ...(advice !== undefined && { advice: redaction.redact(advice) }),
        });
      else if (warning !== undefined) recorder.note("warning", redaction.redact(warning));
    }
  } catch (error) {
    // The run was ended: what waits for these steps says so.
    if (!(error instanceof Inconclusive)) throw error;
  } finally {
    // Steps that could not be taken count as ended, too, so that no scenario waits for them
    // forever.
    wanted.forEach(order.stepEnded);
  }
}

/** Performs a scenario once its turn has come. */
async function perform(
  run: WorkerContext,
  scenario: Scenario,
  urgency: number,
  turn: () => Promise<void>,
): Promise<void> {
  const { recorder } = run;
  let started = performance.now();
  const share = scenario.phase === "last" ? "credentials" : "ordinary";
  try {
    await turn();
    started = performance.now();
    // Made only now, as it holds what the calibration has found to be accepted.
    const context = createContext(run, { ...scenario, urgency, share });
    await scenario.run(context);
  } catch (error) {
    if (error instanceof Inconclusive) {
      const { message, gap, blockedAt } = error;
      for (const requirement of scenario.checks)
        recorder.inconclusive(requirement, message, { gap, blockedAt });
    } else {
      recorder.note("error", `${scenario.id}: ${run.redaction.redact(stackOf(error))}`);
    }
  } finally {
    run.order.scenarioEnded(scenario.id);
    recorder.progress.ends(scenario.checks, performance.now() - started);
  }
}
