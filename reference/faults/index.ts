import { acamFaults } from "./acam.ts";
import { batchedFaults } from "./batched.ts";
import { batchFaults } from "./batches.ts";
import { byteFaults } from "./bytes.ts";
import { connectionFaults } from "./connection.ts";
import { counterpartyFaults } from "./counterparty.ts";
import { crashFaults } from "./crashes.ts";
import type { Fault } from "./fault.ts";
import { keyFaults } from "./keys.ts";
import { listFaults } from "./list.ts";
import { operationCheckFaults } from "./operation-checks.ts";
import { operationCrashFaults } from "./operation-crashes.ts";
import { operationEchoFaults } from "./operation-echo.ts";
import { operationMemberFaults } from "./operation-members.ts";
import { operationFaults } from "./operation.ts";
import { registrationFaults } from "./registration.ts";
import { sometimesFaults } from "./sometimes.ts";
import { tokenFaults } from "./tokens.ts";

/** Every fault of the reference server, by area. */
export const faults: readonly Fault[] = [
  ...keyFaults,
  ...tokenFaults,
  ...registrationFaults,
  ...counterpartyFaults,
  ...operationFaults,
  ...operationEchoFaults,
  ...operationMemberFaults,
  ...operationCheckFaults,
  ...acamFaults,
  ...batchFaults,
  ...listFaults,
  ...batchedFaults,
  ...byteFaults,
  ...crashFaults,
  ...operationCrashFaults,
  ...connectionFaults,
  ...sometimesFaults,
];

export type { Fault, FaultNeeds } from "./fault.ts";
