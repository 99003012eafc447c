import {
  doubtfulItems,
  validItems,
  invalidItemBodies,
  invalidItemMembers,
  invalidItemTexts,
  batchForOperation,
  unknownOperation,
} from "./acam/items.scenario.ts";
import { purpose } from "./acam/purpose.scenario.ts";
import { bearer, keys, queriedToken, spelledTokens } from "./auth/credentials.scenario.ts";
import { token } from "./auth/token.scenario.ts";
import {
  concurrentBatches,
  invalidBatches,
  listedBatch,
  listBefore,
  oldBatches,
} from "./batches/batches.scenario.ts";
import {
  invalidCounterpartyBodies,
  invalidCounterpartyMembers,
  oddCounterpartyTexts,
} from "./counterparty/invalid.scenario.ts";
import {
  concurrentCounterparties,
  omittedMembers,
  registeredTwice,
  unknownCustomer,
  unknownMembers,
  validCounterparties,
} from "./counterparty/register.scenario.ts";
import { similarCounterparties, similarOperations } from "./counterparty/similar.scenario.ts";
import { type Scenario } from "./kit/scenario.ts";
import {
  concurrentOperations,
  differingOperations,
  operationsEverywhere,
  firstOperation,
  validOperations,
} from "./operation/create.scenario.ts";
import {
  invalidBodies,
  repeated,
  invalidMembers,
  invalidValues,
} from "./operation/invalid.scenario.ts";
import {
  beyondDoubles,
  madeUpOperation,
  spelledOperations,
  oddValues,
} from "./operation/odd.scenario.ts";
import {
  usualHeadersEverywhere,
  idleConnection,
  otherMethods,
  listParameters,
  plainHttp,
} from "./transport/transport.scenario.ts";

/** Every scenario. This order decides between scenarios that are equally urgent. */
export const scenarios: readonly Scenario[] = [
  token,
  listBefore,
  listedBatch,
  concurrentBatches,
  invalidBatches,
  oldBatches,
  registeredTwice,
  validCounterparties,
  omittedMembers,
  unknownMembers,
  unknownCustomer,
  concurrentCounterparties,
  firstOperation,
  validOperations,
  differingOperations,
  concurrentOperations,
  unknownOperation,
  batchForOperation,
  ...purpose,
  validItems,
  doubtfulItems,
  invalidMembers,
  invalidBodies,
  repeated,
  invalidValues,
  invalidItemMembers,
  invalidItemBodies,
  invalidItemTexts,
  invalidCounterpartyMembers,
  invalidCounterpartyBodies,
  oddCounterpartyTexts,
  similarCounterparties,
  similarOperations,
  spelledOperations,
  madeUpOperation,
  oddValues,
  operationsEverywhere,
  plainHttp,
  otherMethods,
  idleConnection,
  listParameters,
  usualHeadersEverywhere,
  keys,
  ...bearer,
  spelledTokens,
  queriedToken,
  beyondDoubles,
];
