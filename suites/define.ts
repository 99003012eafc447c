import type { Scenario, ScenarioPlan } from "../harness/scenario.ts";
import type { Stage } from "./stage.ts";

/** A scenario: its name, what it judges and touches, and what it does. */
export const scenario = (name: string, plan: ScenarioPlan, ask: (stage: Stage) => Promise<void>): Scenario<Stage> => ({
  name,
  ...plan,
  ask,
});
