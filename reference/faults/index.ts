import { acamFaults } from "./acam.ts";
import { batchFaults } from "./batches.ts";
import { byteFaults, errorShapeFaults } from "./bytes.ts";
import { counterpartyFaults } from "./counterparty.ts";
import { crashFaults, intermittentFaults } from "./crashes.ts";
import type { Fault } from "./fault.ts";
import { keyFaults, tokenFaults } from "./credentials.ts";
import { operationCheckFaults } from "./operation-checks.ts";
import { doubleFaults } from "./doubles.ts";
import { storageFaults } from "./storage.ts";
import { textFaults } from "./texts.ts";
import { operationFaults, operationMemberFaults } from "./operation.ts";

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
  ...textFaults,
  ...doubleFaults,
  ...storageFaults,
];

export type { Fault } from "./fault.ts";
