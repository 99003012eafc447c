import { doubtfulItems } from "./acam/add/doubtful.scenario.ts";
import { validItems } from "./acam/add/valid.scenario.ts";
import { invalidItemBodies } from "./acam/invalid/bodies.scenario.ts";
import { invalidItemMembers } from "./acam/invalid/members.scenario.ts";
import { invalidItemTexts } from "./acam/invalid/texts.scenario.ts";
import { purpose } from "./acam/purpose.scenario.ts";
import { batchForOperation, unknownOperation } from "./acam/unknown-operation.scenario.ts";
import { bearer } from "./auth/bearer.scenario.ts";
import { keys } from "./auth/keys.scenario.ts";
import { queriedToken, spelledTokens } from "./auth/spellings.scenario.ts";
import { token } from "./auth/token.scenario.ts";
import { concurrentBatches } from "./batches/create/concurrent.scenario.ts";
import { invalidBatches } from "./batches/create/invalid.scenario.ts";
import { listedBatch } from "./batches/create/listed.scenario.ts";
import { listBefore } from "./batches/list/before.scenario.ts";
import { invalidCounterpartyBodies } from "./counterparty/invalid/bodies.scenario.ts";
import { wrongCodes } from "./counterparty/invalid/codes.scenario.ts";
import { oddExternalIds } from "./counterparty/invalid/external-ids.scenario.ts";
import { invalidCounterpartyMembers } from "./counterparty/invalid/members.scenario.ts";
import { oddCounterpartyTexts } from "./counterparty/invalid/texts.scenario.ts";
import { concurrentCounterparties } from "./counterparty/register/concurrent.scenario.ts";
import { omittedMembers } from "./counterparty/register/omissions.scenario.ts";
import { registeredTwice } from "./counterparty/register/twice.scenario.ts";
import { unknownCustomer } from "./counterparty/register/unknown-customer.scenario.ts";
import { unknownMembers } from "./counterparty/register/unknown-members.scenario.ts";
import { validCounterparties } from "./counterparty/register/valid.scenario.ts";
import { similarCounterparties } from "./counterparty/similar/counterparties.scenario.ts";
import { similarOperations } from "./counterparty/similar/operations.scenario.ts";
import type { Scenario } from "./kit/scenario.ts";
import { concurrentOperations } from "./operation/create/concurrent.scenario.ts";
import { differingOperations } from "./operation/create/differing.scenario.ts";
import { operationsEverywhere } from "./operation/create/everywhere.scenario.ts";
import { firstOperation } from "./operation/create/first.scenario.ts";
import { validOperations } from "./operation/create/valid.scenario.ts";
import { invalidBodies } from "./operation/invalid/bodies.scenario.ts";
import { repeatedMembers } from "./operation/invalid/repeated-members.scenario.ts";
import { repeatedBodies } from "./operation/invalid/repeated.scenario.ts";
import { invalidMembers } from "./operation/invalid/members.scenario.ts";
import { invalidValues } from "./operation/invalid/values.scenario.ts";
import { beyondDoubles } from "./operation/odd/beyond-doubles.scenario.ts";
import { spelledOperations } from "./operation/odd/spellings.scenario.ts";
import { oddValues } from "./operation/odd/values.scenario.ts";
import { listHeaders } from "./transport/headers.scenario.ts";
import { idleConnection } from "./transport/idle.scenario.ts";
import { otherMethods } from "./transport/methods.scenario.ts";
import { listParameters } from "./transport/parameters.scenario.ts";
import { plainHttp } from "./transport/plain-http.scenario.ts";

/** Every scenario. This order decides between scenarios that are equally urgent. */
export const scenarios: readonly Scenario[] = [
  token,
  listBefore,
  listedBatch,
  concurrentBatches,
  invalidBatches,
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
  repeatedBodies,
  ...repeatedMembers,
  invalidValues,
  invalidItemMembers,
  invalidItemBodies,
  invalidItemTexts,
  invalidCounterpartyMembers,
  invalidCounterpartyBodies,
  oddCounterpartyTexts,
  wrongCodes,
  oddExternalIds,
  similarCounterparties,
  similarOperations,
  spelledOperations,
  oddValues,
  operationsEverywhere,
  plainHttp,
  otherMethods,
  idleConnection,
  listParameters,
  listHeaders,
  keys,
  ...bearer,
  spelledTokens,
  queriedToken,
  beyondDoubles,
];
