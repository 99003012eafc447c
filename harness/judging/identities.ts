import type { ResourceKind } from "../../model/evidence.ts";
import { remember } from "./bounded.ts";

/** Remembers which id was given to which data (specification, Resources: unique identifiers); the newest of them. */
export interface Identities {
  /** The data that the id was given to before, where that is other data. */
  readonly clash: (kind: ResourceKind, id: string, data: string) => string | undefined;
  /** What a request that broke a rule made is our fault, wherever it is shown (INT-12). */
  readonly taint: (kind: ResourceKind, id: string) => void;
  readonly isTainted: (kind: ResourceKind, id: string) => boolean;
  /** A pair, as JSON, that an invalid request for a batch named: the batch may be listed before its response is here. */
  readonly sentInvalidPair: (pair: string) => void;
  readonly isInvalidPair: (pair: string) => boolean;
  /** A counterparty that an invalid request for an operation named: the operation too may be listed before that. */
  readonly sentInvalidOperation: (counterparty: string) => void;
  readonly mayHaveInvalidOperations: (counterparty: string) => boolean;
  readonly known: (kind: ResourceKind, id: string) => boolean;
  /** The list was answered with success: an unconditional 304 says from then on that it is the same (INT-34). */
  readonly sawList: () => void;
  readonly hasSeenList: () => boolean;
  readonly remember: (kind: ResourceKind, id: string, data: string) => void;
}

export const createIdentities = (): Identities => {
  const known = new Map<string, string>();
  const tainted = new Map<string, true>();
  const invalidPairs = new Map<string, true>();
  const ofInvalidOperations = new Map<string, true>();
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
    remember: (kind, id, data) => {
      if (!known.has(key(kind, id))) remember(known, key(kind, id), data);
    },
  };
};
