import { memberOf, type Json } from "../../../model/exchange.ts";
import type { Identities } from "../identities.ts";

/**
 * Whether a listed batch may have been made by one of our own requests that broke a rule: its values are ours, and are
 * not judged (INT-12). A batch that a valid request made always is.
 */
export const isOfInvalidRequest = (batch: Json, identities: Identities): boolean => {
  const id = memberOf(batch, "id");
  if (typeof id === "string" && identities.known("batch", id)) return false;
  if (typeof id === "string" && identities.isTainted("batch", id)) return true;
  return identities.isInvalidPair(pairKey(batch));
};

/** The pair of a batch or of a request for one, as JSON; null where there is none. */
export const pairKey = (json: Json | undefined): string => JSON.stringify(memberOf(json, "currency_pair") ?? null);
