import type { Scenario, ScenarioPlan } from "../../harness/scenario.ts";
import type { Context } from "./context.ts";

/** A scenario: its name, what it judges and touches, and what it does. */
export const scenario = (
  name: string,
  plan: ScenarioPlan,
  ask: (context: Context) => Promise<void>,
): Scenario<Context> => ({
  name,
  ...plan,
  ask,
});
