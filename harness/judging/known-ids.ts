import type { ResourceKind } from "../../spec/endpoints.ts";
import { memberOf, type Json } from "../../spec/json.ts";

/**
 * What an invalid request of ours may have made: a resource with a certain id, or, as a list can
 * show it before its id is known, any batch of a pair or any operation of a counterparty.
 */
type Tainted = ResourceKind | "batch of pair" | "operation of counterparty";

export type KnownIds = ReturnType<typeof createKnownIds>;

/**
 * Remembers which id the server gave to which data (specification, Resources). Only the newest ids
 * are kept.
 */
export function createKnownIds() {
  const known = new Map<string, string>();
  const tainted = new Map<string, true>();
  /** For each kind, the data of the first creation, and of one with other data if there was any. */
  const examples = new Map<ResourceKind, readonly string[]>();
  let seenList: Json | undefined;
  let shown = new Set<Json>();
  const key = (kind: Tainted, id: string): string => `${kind} ${id}`;
  return {
    /**
     * The different data to which the server gave the same id before. Undefined if there was none.
     */
    clash: (kind: ResourceKind, id: string, data: string): string | undefined => {
      const before = known.get(key(kind, id));
      return before === undefined || before === data ? undefined : before;
    },
    /**
     * Marks what an invalid request may have created. Its values are not judged in any response
     * that shows it (INT-12).
     */
    taint: (kind: Tainted, id: string): void => remember(tainted, key(kind, id), true),
    hasTaints: (): boolean => tainted.size > 0,
    isTainted: (kind: Tainted, id: string): boolean => tainted.has(key(kind, id)),
    known: (kind: ResourceKind, id: string): boolean => known.has(key(kind, id)),
    /**
     * Notes that the list was read. After that, a 304 for a request without conditions means that
     * the list has not changed (INT-34).
     */
    sawList: (list: Json = null): void => {
      seenList = list;
      shown = new Set();
    },
    hasSeenList: (): boolean => seenList !== undefined,
    /**
     * Whether something has this id, of whatever kind: the server gave it out, or its last list
     * shows it. Such an id is never sent as one that nothing has (INT-39).
     */
    isGiven: (id: string): boolean => {
      if (shown.size === 0) addIds(seenList, shown);
      return (
        shown.has(id) ||
        kinds.some((kind) => known.has(key(kind, id)) || tainted.has(key(kind, id)))
      );
    },
    hasTwo: (kind: ResourceKind): boolean => examples.get(kind)?.length === 2,
    hasOther: (kind: ResourceKind, data: string): boolean =>
      examples.get(kind)?.some((other) => other !== data) === true,
    remember: (kind: ResourceKind, id: string, data: string): void => {
      const [first = data] = examples.get(kind) ?? [];
      examples.set(kind, first === data ? (examples.get(kind) ?? [data]) : [first, data]);
      if (!known.has(key(kind, id))) remember(known, key(kind, id), data);
    },
  };
}

const kinds: readonly ResourceKind[] = ["counterparty", "operation", "batch"];

/** Adds all ids in a list: the values of `id` and of members such as `batch_id`, at any depth. */
function addIds(json: Json | undefined, ids: Set<Json>): void {
  if (typeof json !== "object" || json === null) return;
  for (const [name, value] of Object.entries(json)) {
    const isId = typeof value === "string" || typeof value === "number";
    if (isId && /(^|_)id$/.test(name)) ids.add(String(value));
    else addIds(value, ids);
  }
}

/** How many values of each kind are remembered, so that endless traffic takes bounded memory. */
export const mostRemembered = 50_000;

/** Sets a value and, if there are too many, removes the oldest. */
export function remember<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  most = mostRemembered,
): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

/**
 * Whether an invalid request of ours may have created a listed batch, so that the values of this
 * batch are not judged (INT-12).
 */
export function isOfInvalidRequest(batch: Json | undefined, ids: KnownIds): boolean {
  if (!ids.hasTaints()) return false;
  const id = memberOf(batch, "id");
  if (typeof id === "string" && ids.known("batch", id)) return false;
  if (typeof id === "string" && ids.isTainted("batch", id)) return true;
  return ids.isTainted("batch of pair", pairKey(batch));
}

/**
 * Whether an invalid request of ours may have created an operation in a batch, or the counterparty
 * of the operation (INT-40).
 */
export function isOfInvalidOperation(operation: Json | undefined, ids: KnownIds): boolean {
  if (!ids.hasTaints()) return false;
  const id = memberOf(operation, "operation_id");
  const counterparty = memberOf(operation, "counterparty_id");
  if (typeof counterparty === "string" && ids.isTainted("counterparty", counterparty)) return true;
  if (typeof id !== "string" || ids.known("operation", id)) return false;
  if (ids.isTainted("operation", id)) return true;
  return (
    typeof counterparty === "string" && ids.isTainted("operation of counterparty", counterparty)
  );
}

/**
 * The counterparty that the body of a request for an operation names, even if that body is not
 * JSON. Undefined if it names none.
 */
export function counterpartyNamedIn(
  body: Json | string | Uint8Array | undefined,
): string | undefined {
  const decoded = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  const text = typeof decoded === "string" ? decoded : undefined;
  const named =
    text === undefined ? memberOf(body as Json, "counterparty_id") : namedIn.exec(text)?.[1];
  return typeof named === "string" ? named : undefined;
}

const namedIn = /["']?counterparty_id["']?\s*:\s*["']([^"']*)["']/;

/**
 * The currency pair in the body of a batch, or of a request for a batch, as JSON text; `null` if
 * there is none.
 */
export function pairKey(json: Json | undefined): string {
  const pair = memberOf(json, "currency_pair");
  return pair === undefined ? "null" : JSON.stringify(pair);
}
