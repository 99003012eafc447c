import type { Scenario } from "../harness/scenario.ts";
import { token } from "./auth/token.scenario.ts";
import { list } from "./batches/list.scenario.ts";
import { create } from "./operation/create.scenario.ts";
import type { Stage } from "./stage.ts";

/** Every scenario, in the order in which they start. */
export const scenarios: readonly Scenario<Stage>[] = [...token, ...list, ...create];
