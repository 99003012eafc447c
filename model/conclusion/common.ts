import type { RequestFacts } from "../request-facts.ts";

/** A request with what only the whole run shows. */
export interface PlacedRequest extends RequestFacts {
  /** Another request of the same operation was in flight. */
  readonly overlaps: boolean;
  /** How many requests of the same operation came before. */
  readonly before: number;
}

/** Below this, what requests have in common can be chance. */
const fewest = 5;

/**
 * What all affected requests have in common and no other one has, of what was chosen when they were made: `with 2 decimals
 * or more`, after "those". The plainest, if there are several. Undefined: nothing separates them, or there are too few.
 */
export function commonOf(affected: readonly PlacedRequest[], others: readonly PlacedRequest[]): string | undefined {
  if (affected.length < fewest || others.length < fewest) return undefined;
  for (const trait of traits) {
    const text = trait(affected, others);
    if (text !== undefined) return text;
  }
  return undefined;
}

type Trait = (affected: readonly PlacedRequest[], others: readonly PlacedRequest[]) => string | undefined;

/** A value that all affected requests have and no other one. */
const sameValue =
  (valueOf: (request: PlacedRequest) => string | undefined, textOf: (value: string) => string): Trait =>
  (affected, others) => {
    const [value, ...further] = new Set(affected.map(valueOf));
    if (value === undefined || further.length > 0) return undefined;
    return others.some((one) => valueOf(one) === value) ? undefined : textOf(value);
  };

const moreDecimals: Trait = (affected, others) => {
  const least = Math.min(...affected.map(({ decimals = -1 }) => decimals));
  const most = Math.max(...others.map(({ decimals = -1 }) => decimals));
  if (least <= 0 || most < 0 || least <= most) return undefined;
  const isOne = affected.every(({ decimals }) => decimals === least);
  return `with ${least === 1 ? "1 decimal" : `${least} decimals`}${isOne ? "" : " or more"}`;
};

const fewerDecimals: Trait = (affected, others) => {
  const most = Math.max(...affected.map(({ decimals = Infinity }) => decimals));
  const least = Math.min(...others.map(({ decimals = -1 }) => decimals));
  if (most >= least) return undefined;
  return most === 0 ? "without decimals" : `with ${most === 1 ? "1 decimal" : `${most} decimals`} or fewer`;
};

const whileOthers: Trait = (affected, others) =>
  affected.every(({ overlaps }) => overlaps) && !others.some(({ overlaps }) => overlaps)
    ? "sent while another was in flight"
    : undefined;

const later: Trait = (affected, others) => {
  const first = Math.min(...affected.map(({ before }) => before));
  const last = Math.max(...others.map(({ before }) => before));
  return first > last ? `from request ${first + 1} on` : undefined;
};

const earlier: Trait = (affected, others) => {
  const last = Math.max(...affected.map(({ before }) => before));
  const first = Math.min(...others.map(({ before }) => before));
  return last < first ? `up to request ${last + 1}` : undefined;
};

/** The plainest first. */
const traits: readonly Trait[] = [
  sameValue(
    ({ pair }) => pair,
    (pair) => `for ${pair}`,
  ),
  sameValue(
    ({ purpose }) => purpose,
    (purpose) => `with the purpose ${purpose}`,
  ),
  moreDecimals,
  fewerDecimals,
  sameValue(
    ({ odd }) => odd,
    (odd) => `with ${odd} in a text`,
  ),
  sameValue(
    ({ change }) => change,
    (change) => change,
  ),
  whileOthers,
  earlier,
  later,
];

/** The requests with what came before them and beside them, in the order in which they were sent. */
export function placed(requests: Iterable<RequestFacts>): readonly PlacedRequest[] {
  const inOrder = [...requests].sort((one, other) => one.at - other.at || one.id - other.id);
  const counts = new Map<string, number>();
  const ends = new Map<string, number>();
  const overlapping = new Set<number>();
  const latest = new Map<string, number>();
  for (const { id, operation, at, took } of inOrder) {
    const end = ends.get(operation) ?? 0;
    if (at < end) {
      overlapping.add(id);
      overlapping.add(latest.get(operation) ?? id);
    }
    if (at + took >= end) latest.set(operation, id);
    ends.set(operation, Math.max(end, at + took));
  }
  return inOrder.map((request) => {
    const before = counts.get(request.operation) ?? 0;
    counts.set(request.operation, before + 1);
    return { ...request, before, overlaps: overlapping.has(request.id) };
  });
}
