import { operationTitle } from "../../spec/operations.ts";
import { groups } from "../groups.ts";
import { plural } from "../plural.ts";
import type { RequestFacts } from "../request-facts.ts";

/** A request with its place in the run. */
export interface PlacedRequest extends RequestFacts {
  /**
   * Whether another request of the same kind was in flight at the same time. Undefined if the two
   * were in flight together so briefly that the server may not have noticed.
   */
  readonly overlaps: boolean | undefined;
  /** How many requests of the same kind were sent before this one. */
  readonly before: number;
}

/** What a group of fewer requests than this has in common can be chance. */
const fewest = 5;

/**
 * What all affected requests have in common and no other request has, such as `with 2 decimals or
 * more`, in words that follow "those". If there are several such traits, returns the plainest.
 * Returns undefined if there is none, or if one of the two groups has too few requests.
 */
export const commonOf: Trait = (affected, others) => {
  if (affected.length < fewest || others.length < fewest) return undefined;
  for (const trait of traits) {
    const text = trait(affected, others);
    if (text !== undefined) return text;
  }
  return undefined;
};

type Trait = (
  affected: readonly PlacedRequest[],
  others: readonly PlacedRequest[],
) => string | undefined;

/** What was chosen when a request was made, in words that follow "those", the plainest first. */
function choicesOf(request: PlacedRequest): readonly string[] {
  const { pair, purpose, having = [], odd, marks = {}, change } = request;
  return [
    ...(pair === undefined ? [] : [`for ${pair}`]),
    ...(purpose === undefined ? [] : [`with the purpose ${purpose}`]),
    ...having.map((part) => `with ${part}`),
    ...[odd ?? [], Object.keys(marks)].flat().map((text) => `with ${text} in a text`),
    ...(change === undefined ? [] : [change]),
  ];
}

const sameChoice: Trait = (affected, others) => {
  const [first, ...more] = affected.map(choicesOf);
  const taken = new Set(others.flatMap(choicesOf));
  return first?.find((one) => !taken.has(one) && more.every((own) => own.includes(one)));
};

const decimalsApart: Trait = (affected, others) => {
  // An amount in which a double has hardly room for decimals shows nothing of them.
  const [own, theirs] = [affected, others].map((all) =>
    all.flatMap(({ decimals }) => decimals ?? []),
  );
  if (own === undefined || theirs === undefined || Math.min(own.length, theirs.length) < fewest)
    return undefined;
  const [least, most] = [Math.min(...own), Math.max(...own)];
  const words = (count: number): string => `with ${plural(count, "decimal")}`;
  if (least > Math.max(...theirs)) return `${words(least)}${least === most ? "" : " or more"}`;
  if (most >= Math.min(...theirs)) return undefined;
  return most === 0 ? "without decimals" : `${words(most)} or fewer`;
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
 * The number of the later ones is that of all unaffected requests which the text of the mistake
 * counts (7 for `3 of 10 requests`), so that a reader can check it.
 */
const inOrder: Trait = (affected, others) => {
  if (borderBetween(affected, others)) return "that came first";
  return borderBetween(others, affected) ? `after the first ${others.length}` : undefined;
};

/** In order of plainness: the plainest trait first. */
const traits: readonly Trait[] = [sameChoice, decimalsApart, kindsApart, whileOthers, inOrder];

/** Requests in the order in which they were sent. */
export function inOrderOfTime(requests: Iterable<RequestFacts>): readonly RequestFacts[] {
  return [...requests].sort((one, other) => one.at - other.at || one.id - other.id);
}

/**
 * The requests in the order in which they were sent, each with the number of requests of its kind
 * before it and with whether it overlaps another one. `kindOf`: @defaultValue the operation
 */
export function placed(
  requests: Iterable<RequestFacts>,
  kindOf = ({ operation }: RequestFacts): string => operation,
): readonly PlacedRequest[] {
  const all = inOrderOfTime(requests);
  const kinds = [...groups(all, kindOf).values()];
  const before = new Map(kinds.flatMap((own) => own.map(({ id }, nth) => [id, nth] as const)));
  const overlaps = new Map(kinds.flatMap((own) => [...overlapsIn(own)]));
  return all.map((one) => ({
    ...one,
    before: before.get(one.id) ?? 0,
    overlaps: overlaps.has(one.id) ? overlaps.get(one.id) : false,
  }));
}

/**
 * The requests that were in flight together with another one, by id. The value is true, or undefined
 * if the two were in flight together only briefly. All other requests are absent.
 */
function overlapsIn(inOrder: readonly RequestFacts[]): ReadonlyMap<number, boolean | undefined> {
  const found = new Map<number, boolean | undefined>();
  let flying: readonly RequestFacts[] = [];
  for (const one of inOrder) {
    flying = flying.filter(({ at, took }) => at + took > one.at);
    for (const other of flying) {
      const shared = Math.min(one.at + one.took, other.at + other.took) - one.at;
      const isLong = shared >= Math.min(one.took, other.took) / 2;
      for (const { id } of [one, other])
        if (found.get(id) !== true) found.set(id, isLong ? true : undefined);
    }
    flying = [...flying, one];
  }
  return found;
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
