import { doubtfulItems } from "./acam/add/doubtful.scenario.ts";
import { validItems } from "./acam/add/valid.scenario.ts";
import { invalidItemBodies } from "./acam/invalid/bodies.scenario.ts";
import { invalidItemMembers } from "./acam/invalid/members.scenario.ts";
import { invalidItemTexts } from "./acam/invalid/texts.scenario.ts";
import { purpose } from "./acam/purpose.scenario.ts";
import { bearer } from "./auth/bearer.scenario.ts";
import { keys } from "./auth/keys.scenario.ts";
import { token } from "./auth/token.scenario.ts";
import { createBatches, listBefore } from "./batches/create.scenario.ts";
import { invalidCounterparties } from "./counterparty/invalid.scenario.ts";
import { register, similarData } from "./counterparty/register.scenario.ts";
import type { Scenario } from "./kit/scenario.ts";
import { create } from "./operation/create.scenario.ts";
import { invalidBodies } from "./operation/invalid/bodies.scenario.ts";
import { invalidMembers } from "./operation/invalid/members.scenario.ts";
import { invalidValues } from "./operation/invalid/values.scenario.ts";
import { oddOperations } from "./operation/odd.scenario.ts";
import { walks } from "./properties/walk.scenario.ts";
import { transport } from "./transport/transport.scenario.ts";

/** Every scenario, in the order in which they start within their phase. */
export const scenarios: readonly Scenario[] = [
  ...token,
  listBefore,
  ...createBatches,
  ...register,
  ...create,
  ...purpose,
  validItems,
  doubtfulItems,
  invalidMembers,
  invalidBodies,
  invalidValues,
  invalidItemMembers,
  invalidItemBodies,
  invalidItemTexts,
  ...invalidCounterparties,
  ...similarData,
  ...oddOperations,
  ...walks,
  ...transport,
  ...keys,
  ...bearer,
];
