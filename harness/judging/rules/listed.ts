import { memberOf, type Json } from "../../../model/exchange.ts";
import type { Identities } from "../identities.ts";

/**
 * Whether one of our own invalid requests may have created a listed batch: then its values are ours and are not judged
 * (INT-12). A batch that a valid request created is always judged.
 */
export const isOfInvalidRequest = (batch: Json, identities: Identities): boolean => {
  const id = memberOf(batch, "id");
  if (typeof id === "string" && identities.known("batch", id)) return false;
  if (typeof id === "string" && identities.isTainted("batch", id)) return true;
  return identities.isInvalidPair(pairKey(batch));
};

/**
 * Whether one of our own invalid requests may have created an operation in a batch, or its counterparty: then what
 * became of our values is not judged (INT-40).
 */
export const isOfInvalidOperation = (operation: Json | undefined, identities: Identities): boolean => {
  const [id, counterparty] = [memberOf(operation, "operation_id"), memberOf(operation, "counterparty_id")];
  if (typeof counterparty === "string" && identities.isTainted("counterparty", counterparty)) return true;
  if (typeof id !== "string" || identities.known("operation", id)) return false;
  if (identities.isTainted("operation", id)) return true;
  return typeof counterparty === "string" && identities.mayHaveInvalidOperations(counterparty);
};

/** The counterparty that the body of a request for an operation names, whether that body is JSON or not. */
export const counterpartyNamedIn = (body: Json | string | Uint8Array | undefined): string | undefined => {
  const text =
    body instanceof Uint8Array ? new TextDecoder().decode(body) : typeof body === "string" ? body : undefined;
  const named = text === undefined ? memberOf(body as Json, "counterparty_id") : namedIn.exec(text)?.[1];
  return typeof named === "string" ? named : undefined;
};

const namedIn = /["']?counterparty_id["']?\s*:\s*["']([^"']*)["']/;

/** The pair of a batch or of a request for one, as JSON; null if there is none. */
export const pairKey = (json: Json | undefined): string => JSON.stringify(memberOf(json, "currency_pair") ?? null);
