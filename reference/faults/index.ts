import { acamFaults } from "./acam.ts";
import { batchFaults } from "./batches.ts";
import { byteFaults } from "./bytes.ts";
import { counterpartyFaults } from "./counterparty.ts";
import { crashFaults } from "./crashes.ts";
import { errorShapeFaults } from "./error-shapes.ts";
import type { Fault } from "./fault.ts";
import { intermittentFaults } from "./intermittent.ts";
import { keyFaults } from "./keys.ts";
import { operationCheckFaults } from "./operation-checks.ts";
import { operationFaults, operationMemberFaults } from "./operation.ts";
import { tokenFaults } from "./tokens.ts";

export const faults: readonly Fault[] = [
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

export type { Fault, FaultNeeds } from "./fault.ts";
