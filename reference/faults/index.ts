import { acamFaults } from "./acam.ts";
import { batchFaults } from "./batches.ts";
import { byteFaults, errorShapeFaults } from "./bytes.ts";
import { counterpartyFaults } from "./counterparty.ts";
import { crashFaults, intermittentFaults } from "./crashes.ts";
import type { Fault } from "./fault.ts";
import { keyFaults, tokenFaults } from "./credentials.ts";
import { operationCheckFaults } from "./operation-checks.ts";
import { doubleFaults } from "./doubles.ts";
import { namedFaults } from "./named.ts";
import { storageFaults } from "./storage.ts";
import { textFaults } from "./texts.ts";
import { operationFaults, operationMemberFaults } from "./operation.ts";

/**
 * The faults of requirements: for each requirement, the ways in which servers are likely to break
 * it.
 */
export const faultsByRequirement: readonly Fault[] = [
  ...keyFaults,
  ...tokenFaults,
  ...counterpartyFaults,
  ...operationMemberFaults,
  ...operationFaults,
  ...operationCheckFaults,
  ...acamFaults,
  ...batchFaults,
  ...errorShapeFaults,
  ...byteFaults,
  ...crashFaults,
  ...intermittentFaults,
];

/**
 * The faults of habits, whichever requirements they break: what programs often do to texts, to
 * values that stand in two places, to what happens twice, and to what they store.
 */
export const faultsByHabit: readonly Fault[] = [
  ...textFaults,
  ...doubleFaults,
  ...storageFaults,
  ...namedFaults,
];

export const faults: readonly Fault[] = [...faultsByRequirement, ...faultsByHabit];

export type { Fault } from "./fault.ts";
