import type { ResourceKind } from "../../model/evidence.ts";
import { memberOf, type Json } from "../../model/exchange.ts";

/**
 * Remembers which id the server gave to which data (specification, Resources: unique identifiers), the newest ids only.
 */
export interface Identities {
  /** The data that the server gave the id to before, if that was different data. */
  readonly clash: (kind: ResourceKind, id: string, data: string) => string | undefined;
  /** Marks what an invalid request created: no response that shows it is judged for it (INT-12). */
  readonly taint: (kind: ResourceKind, id: string) => void;
  readonly isTainted: (kind: ResourceKind, id: string) => boolean;
  /** A pair, as JSON, of an invalid request for a batch: a list may show the batch before its response arrives. */
  readonly sentInvalidPair: (pair: string) => void;
  readonly isInvalidPair: (pair: string) => boolean;
  /** A counterparty of an invalid request for an operation: a list may show that operation early, too. */
  readonly sentInvalidOperation: (counterparty: string) => void;
  readonly mayHaveInvalidOperations: (counterparty: string) => boolean;
  readonly known: (kind: ResourceKind, id: string) => boolean;
  /** The list was read: from then on, an unconditional 304 means that it has not changed (INT-34). */
  readonly sawList: () => void;
  readonly hasSeenList: () => boolean;
  /** Whether something of the kind was created with other data. */
  readonly hasOther: (kind: ResourceKind, data: string) => boolean;
  readonly remember: (kind: ResourceKind, id: string, data: string) => void;
}

export const createIdentities = (): Identities => {
  const known = new Map<string, string>();
  const tainted = new Map<string, true>();
  const invalidPairs = new Map<string, true>();
  const ofInvalidOperations = new Map<string, true>();
  /** The data of the first and of another creation of each kind. */
  const examples = new Map<ResourceKind, readonly string[]>();
  let seenList = false;
  const key = (kind: ResourceKind, id: string): string => `${kind} ${id}`;
  return {
    clash: (kind, id, data) => {
      const before = known.get(key(kind, id));
      return before === undefined || before === data ? undefined : before;
    },
    taint: (kind, id) => remember(tainted, key(kind, id), true),
    isTainted: (kind, id) => tainted.has(key(kind, id)),
    sentInvalidPair: (pair) => remember(invalidPairs, pair, true),
    isInvalidPair: (pair) => invalidPairs.has(pair),
    sentInvalidOperation: (counterparty) => remember(ofInvalidOperations, counterparty, true),
    mayHaveInvalidOperations: (counterparty) => ofInvalidOperations.has(counterparty),
    known: (kind, id) => known.has(key(kind, id)),
    sawList: () => {
      seenList = true;
    },
    hasSeenList: () => seenList,
    hasOther: (kind, data) => examples.get(kind)?.some((other) => other !== data) === true,
    remember: (kind, id, data) => {
      const [first = data] = examples.get(kind) ?? [];
      examples.set(kind, first === data ? (examples.get(kind) ?? [data]) : [first, data]);
      if (!known.has(key(kind, id))) remember(known, key(kind, id), data);
    },
  };
};

/** How many values of each kind are remembered, so that endless traffic takes bounded memory. */
export const mostRemembered = 50_000;

/** Sets a value, and removes the oldest one if there are too many. */
export const remember = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void => {
  map.delete(key);
  map.set(key, value);
  if (map.size <= mostRemembered) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
};

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
