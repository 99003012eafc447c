import { acamFaults } from "./acam.ts";
import { batchFaults } from "./batches.ts";
import { byteFaults } from "./bytes.ts";
import { connectionFaults } from "./connection.ts";
import { counterpartyFaults } from "./counterparty.ts";
import { crashFaults } from "./crashes.ts";
import type { Fault } from "./fault.ts";
import { keyFaults } from "./keys.ts";
import { operationCheckFaults } from "./operation-checks.ts";
import { operationEchoFaults, operationMemberFaults } from "./operation-members.ts";
import { operationFaults } from "./operation.ts";
import { intermittentFaults } from "./intermittent.ts";
import { similarityFaults } from "./similarity.ts";
import { tokenFaults } from "./tokens.ts";

/** Every fault of the reference server, by area. */
export const faults: readonly Fault[] = [
  ...keyFaults,
  ...tokenFaults,
  ...counterpartyFaults,
  ...operationFaults,
  ...operationEchoFaults,
  ...operationMemberFaults,
  ...operationCheckFaults,
  ...acamFaults,
  ...batchFaults,
  ...byteFaults,
  ...crashFaults,
  ...connectionFaults,
  ...intermittentFaults,
  ...similarityFaults,
];

export type { Fault, FaultNeeds } from "./fault.ts";
