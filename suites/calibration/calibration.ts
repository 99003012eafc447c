import { Inconclusive } from "../../harness/errors.ts";
import { calibrationSteps, type CalibrationStepName } from "../../model/evidence/evidence.ts";
import { requirementOf, type RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { createContext, type ScenarioCore, type RunContext } from "../run/context.ts";
import type { Scenario } from "../kit/scenario.ts";
import { together } from "../run/concurrency.ts";
import {
  anotherPurpose,
  firstBatch,
  firstItem,
  firstOperation,
  firstPayee,
  operationLike,
  otherPairs,
  type CalibrationStep,
  type FoundAtStep,
} from "./steps.ts";

/**
 * The steps that these scenarios need, if these requirements are selected. A batch is not a step of
 * a run, because a server may refuse a second batch for its pair.
 */
export function stepsFor(
  scenarios: readonly Pick<Scenario, "operations" | "checks">[],
  selection: readonly RequirementId[],
): readonly CalibrationStepName[] {
  const operations = new Set(scenarios.flatMap((scenario) => scenario.operations));
  const checks = new Set(scenarios.flatMap((scenario) => scenario.checks));
  const isAbout = (operation: OperationName): boolean =>
    operations.has(operation) &&
    selection.some((id) => requirementOf(id).operations.includes(operation));
  const isNeeded: Readonly<Record<CalibrationStepName, boolean>> = {
    counterparty: operations.has("createCounterparty"),
    operation: operations.has("createOperation"),
    item: isAbout("addAcamItem"),
    pairs: isAbout("createOperation"),
    purpose: operations.has("createOperation") && (checks.has("ACAM-03") || checks.has("ACAM-05")),
    batch: false,
  };
  return calibrationSteps.filter((step) => isNeeded[step]);
}

/**
 * Takes the steps, each after those that it builds on. Each step first sends what is configured. If
 * the target refuses that, the step tries variations, and the run uses what is accepted. `onEnd` is
 * called when a step has ended. Never throws Inconclusive. Resolves to the wanted steps, in their order,
 * without those that build on a step that found nothing.
 */
export async function calibrate(
  run: RunContext,
  wanted: readonly CalibrationStepName[],
  onEnd: (step: CalibrationStepName) => void = () => undefined,
): Promise<readonly CalibrationStep[]> {
  const steps: CalibrationStep[] = [];
  const take = async <T>(
    step: CalibrationStepName,
    find: (context: ScenarioCore) => Promise<FoundAtStep<T>>,
  ): Promise<T | undefined> => {
    if (!wanted.includes(step)) return undefined;
    try {
      const { value, ...found } = await find(createContext(run, origin));
      steps.push({ step, ...found });
      return value;
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      steps.push({ step, ok: false, found: error.message });
      return undefined;
    } finally {
      onEnd(step);
    }
  };
  const payee = await take("counterparty", firstPayee);
  if (payee !== undefined) {
    const operation = await take("operation", (context) => firstOperation(context, payee.id));
    if (operation !== undefined) {
      const pairsAndPurpose = async (): Promise<void> => {
        const second = await take("pairs", (context) => otherPairs(context, payee.id));
        // Scenarios add an item to the EFX operation that was created before the one with another
        // purpose. So this must not be an operation to which the calibration adds an item.
        const isUsed = wanted.includes("item") && run.settings.createsLeast !== true;
        await take("purpose", async (context) =>
          anotherPurpose(
            context,
            second ?? (isUsed ? await operationLike(context, payee.id) : operation),
          ),
        );
      };
      await together([take("item", (context) => firstItem(context, operation)), pairsAndPurpose()]);
    }
  }
  await take("batch", firstBatch);
  return calibrationSteps.flatMap((name) => steps.filter(({ step }) => step === name));
}

/** The origin of the requests of the calibration. They go first, because scenarios wait for them. */
const origin = {
  id: "calibration",
  title: "what the target accepts",
  checks: [],
  urgency: Infinity,
};

/**
 * Returns the warning that, after this step, the run does not send what is configured, or undefined
 * if it still sends that.
 */
export function correctionText({
  found,
  advice,
  isCorrected,
}: CalibrationStep): string | undefined {
  if (isCorrected !== true) return undefined;
  return `${found}. The run goes on with that. ${advice ?? ""}`.trimEnd();
}
