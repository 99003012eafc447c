import * as items from "./acam/items.scenario.ts";
import * as purposes from "./acam/purpose.scenario.ts";
import * as credentials from "./auth/credentials.scenario.ts";
import * as tokens from "./auth/token.scenario.ts";
import * as batches from "./batches/batches.scenario.ts";
import * as invalidCounterparties from "./counterparty/invalid.scenario.ts";
import * as counterparties from "./counterparty/register.scenario.ts";
import * as similar from "./counterparty/similar.scenario.ts";
import type { Scenario } from "./kit/scenario.ts";
import * as operations from "./operation/create.scenario.ts";
import * as invalidOperations from "./operation/invalid.scenario.ts";
import * as oddOperations from "./operation/odd.scenario.ts";
import * as transport from "./transport/transport.scenario.ts";

/**
 * Every scenario that one of these modules exports. This order decides between scenarios that are
 * equally urgent.
 */
export const scenarios: readonly Scenario[] = [
  tokens,
  batches,
  counterparties,
  operations,
  purposes,
  items,
  invalidOperations,
  invalidCounterparties,
  similar,
  oddOperations,
  transport,
  credentials,
].flatMap((module) => Object.values<unknown>(module).flat().filter(isScenario));

function isScenario(value: unknown): value is Scenario {
  return typeof value === "object" && value !== null && "run" in value;
}
