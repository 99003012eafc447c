import { operationTitle } from "../../spec/operations.ts";
import { groups } from "../groups.ts";
import type { RequestFacts } from "../request-facts.ts";

/** A request with its place in the run. */
export interface PlacedRequest extends RequestFacts {
  /**
   * Whether another request of the same operation was in flight at the same time. Undefined if the
   * two were in flight together so briefly that the server may not have noticed.
   */
  readonly overlaps: boolean | undefined;
  /** How many requests of the same operation were sent before this one. */
  readonly before: number;
}

/** What a group of fewer requests than this has in common can be chance. */
const fewest = 5;

/**
 * What all affected requests have in common and no other request has, such as `with 2 decimals or
 * more`, in words that follow "those". If there are several such traits, returns the plainest.
 * Returns undefined if there is none, or if one of the two groups has too few requests.
 */
export function commonOf(
  affected: readonly PlacedRequest[],
  others: readonly PlacedRequest[],
): string | undefined {
  if (affected.length < fewest || others.length < fewest) return undefined;
  for (const trait of traits) {
    const text = trait(affected, others);
    if (text !== undefined) return text;
  }
  return undefined;
}

type Trait = (
  affected: readonly PlacedRequest[],
  others: readonly PlacedRequest[],
) => string | undefined;

/** Makes the trait that all affected requests have one value which no other request has. */
function sameValue(
  valueOf: (request: PlacedRequest) => string | undefined,
  wordsFor: (value: string) => string,
): Trait {
  return (affected, others) => {
    const [value, ...further] = new Set(affected.map(valueOf));
    if (value === undefined || further.length > 0) return undefined;
    return others.some((one) => valueOf(one) === value) ? undefined : wordsFor(value);
  };
}

/** Makes the trait that all affected requests have a word which no other request has. */
function sameWord(
  wordsOf: (request: PlacedRequest) => readonly string[] | undefined,
  textOf: (word: string) => string,
): Trait {
  return (affected, others) => {
    const shared = affected.map((one) => wordsOf(one) ?? []);
    const taken = new Set(others.flatMap((one) => wordsOf(one) ?? []));
    const word = shared[0]?.find(
      (one) => shared.every((all) => all.includes(one)) && !taken.has(one),
    );
    return word === undefined ? undefined : textOf(word);
  };
}

const moreDecimals: Trait = (affected, others) => {
  const known = affected.flatMap(({ decimals }) => decimals ?? []);
  const least = known.length === 0 ? -1 : Math.min(...known);
  const most = Math.max(...others.flatMap(({ decimals }) => decimals ?? []));
  if (least <= 0 || most < 0 || least <= most) return undefined;
  const isOne = known.every((decimals) => decimals === least);
  return `with ${least === 1 ? "1 decimal" : `${least} decimals`}${isOne ? "" : " or more"}`;
};

const fewerDecimals: Trait = (affected, others) => {
  // An amount in which a double has hardly room for decimals shows nothing of them.
  const known = affected.flatMap(({ decimals }) => decimals ?? []);
  const ofOthers = others.flatMap(({ decimals }) => decimals ?? []);
  if (known.length < fewest || ofOthers.length < fewest) return undefined;
  const most = Math.max(...known);
  const least = Math.min(...ofOthers);
  if (most >= least) return undefined;
  return most === 0
    ? "without decimals"
    : `with ${most === 1 ? "1 decimal" : `${most} decimals`} or fewer`;
};

/** The kinds of request that all affected ones are of, and no other one is: a few, of which none is valid. */
const kindsApart: Trait = (affected, others) => {
  const kindOf = ({ input, change = "" }: PlacedRequest): string => input ?? change;
  const own = [...new Set(affected.map(kindOf))];
  const isApart = !own.includes("") && !others.some((one) => own.includes(kindOf(one)));
  return isApart && own.length <= mostKinds ? own.join(" or ") : undefined;
};

const mostKinds = 3;

const whileOthers: Trait = (affected, others) => {
  const isSure =
    affected.filter(({ overlaps }) => overlaps === true).length >= fewest &&
    others.filter(({ overlaps }) => overlaps === false).length >= fewest;
  const isCommon =
    affected.every(({ overlaps }) => overlaps !== false) &&
    others.every(({ overlaps }) => overlaps !== true);
  return isSure && isCommon ? "sent while another was in flight" : undefined;
};

/**
 * Whether all requests of `later` come after all requests of `earlier`. Requests at the border that
 * were in flight together may stand in either order.
 */
function borderBetween(
  earlier: readonly PlacedRequest[],
  later: readonly PlacedRequest[],
): boolean {
  const first = Math.min(...later.map(({ before }) => before));
  const last = Math.max(...earlier.map(({ before }) => before));
  const isInOrder =
    Math.max(...earlier.map(({ at }) => at)) <= Math.min(...later.map(({ at, took }) => at + took));
  const isSure =
    earlier.filter(({ before }) => before < first).length >= fewest &&
    later.filter(({ before }) => before > last).length >= fewest;
  return first > last || (isInOrder && isSure);
}

/**
 * The number is that of all unaffected requests which the text of the mistake counts (7 for `3 of
 * 10 requests`), so that a reader can check it.
 */
const later: Trait = (affected, others) =>
  borderBetween(others, affected) ? `after the first ${others.length}` : undefined;

const earlier: Trait = (affected, others) =>
  borderBetween(affected, others) ? "that came first" : undefined;

/** In order of plainness: the plainest trait first. */
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
  sameWord(
    ({ having }) => having,
    (part) => `with ${part}`,
  ),
  sameValue(
    ({ odd }) => odd,
    (odd) => `with ${odd} in a text`,
  ),
  sameWord(
    ({ marks = {} }) => Object.keys(marks),
    (mark) => `with ${mark} in a text`,
  ),
  sameValue(
    ({ change }) => change,
    (change) => change,
  ),
  kindsApart,
  whileOthers,
  earlier,
  later,
];

/**
 * The requests in the order in which they were sent, each with the number of requests of the same
 * operation before it and with whether it overlaps another.
 */
export function placed(requests: Iterable<RequestFacts>): readonly PlacedRequest[] {
  const inOrder = [...requests].sort((one, other) => one.at - other.at || one.id - other.id);
  const counts = new Map<string, number>();
  const overlaps = overlapsIn(inOrder);
  return inOrder.map((request) => {
    const before = counts.get(request.operation) ?? 0;
    counts.set(request.operation, before + 1);
    return {
      ...request,
      before,
      overlaps: overlaps.has(request.id) ? overlaps.get(request.id) : false,
    };
  });
}

/**
 * How long requests waited that failed beside others, and beside which, in words: `after about 1.5 s,
 * most often POST /batches beside GET /batches`.
 */
export function waitText(
  waited: readonly RequestFacts[],
  requests: readonly RequestFacts[],
): string {
  const times = waited.map(({ took }) => took).toSorted((one, other) => one - other);
  const pairs = waited.flatMap(({ id, operation, at, took }) =>
    requests
      .filter((one) => one.id !== id && one.at < at + took && one.at + one.took > at)
      .map((one) => `${operationTitle(operation)} beside ${operationTitle(one.operation)}`),
  );
  const [most] = [...groups(pairs, (pair) => pair).values()].sort(
    (one, other) => other.length - one.length,
  );
  const seconds = ((times[Math.floor(times.length / 2)] ?? 0) / 1000).toFixed(1);
  return `after about ${seconds} s${most === undefined ? "" : `, most often ${most[0]}`}`;
}

/** The ids of the requests that were in flight together with another one, of any operation. */
export function overlapping(requests: readonly RequestFacts[]): ReadonlySet<number> {
  const inOrder = requests.toSorted((one, other) => one.at - other.at || one.id - other.id);
  return new Set(overlapsIn(inOrder, () => "").keys());
}

/**
 * The requests that were in flight together with another request of the same operation, by id. The
 * value is true, or undefined if the two were in flight together only briefly. All other requests
 * are absent.
 */
function overlapsIn(
  inOrder: readonly RequestFacts[],
  kindOf = ({ operation }: RequestFacts): string => operation,
): ReadonlyMap<number, boolean | undefined> {
  const found = new Map<number, boolean | undefined>();
  const note = (id: number, isLong: boolean): void => {
    if (found.get(id) !== true) found.set(id, isLong ? true : undefined);
  };
  const flying = new Map<string, readonly RequestFacts[]>();
  for (const one of inOrder) {
    const beside = (flying.get(kindOf(one)) ?? []).filter(({ at, took }) => at + took > one.at);
    for (const other of beside) {
      const shared = Math.min(one.at + one.took, other.at + other.took) - one.at;
      const isLong = shared >= Math.min(one.took, other.took) / 2;
      note(one.id, isLong);
      note(other.id, isLong);
    }
    flying.set(kindOf(one), [...beside, one]);
  }
  return found;
}
