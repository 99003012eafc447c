import { groups } from "../groups.ts";
import { noObjectInput, type RequestFacts, type Trial } from "../request-facts.ts";
import { together } from "../mistake.ts";
import { isExplained, limitOf, longWait } from "../trials.ts";
import { overlapping } from "./common.ts";
import type { OperationName } from "../../spec/operations.ts";
import { inputKinds } from "../../spec/refusals.ts";
import type { Root, RootRule, SeenMistake } from "./root-rule.ts";

/**
 * Joins crashes with one cause. A server that crashes on a quote crashes on many kinds of text:
 * that is one mistake, not one for each kind. Crashes with the same status are joined if their
 * requests share a trait and at least half of all requests with that trait crash. The root names
 * the shared trait.
 */
export const joinedCrashes: RootRule = (seen, sent) => {
  const kinds = seen.flatMap(({ key, mistake, requests: crashed }) =>
    mistake.kind === "crash" && crashed.length > 0 ? [{ key, mistake, crashed }] : [],
  );
  const alone = (shared: CrashKind): CrashKind | undefined =>
    kinds.find(({ crashed: [first] }) =>
      shared.crashed.every(({ parts = [] }) => parts.includes(first?.change ?? "")),
    );
  const own = kinds.filter((kind) => alone(kind) === undefined);
  const roots = new Map<string, Root>();
  const joined = ({ trait, members }: Join): void => {
    for (const { key, mistake } of members)
      roots.set(key, {
        mistake: { ...mistake, of: trait.of },
        couldShow: trait.couldHave ?? trait.has,
      });
  };
  for (const same of groups(own, ({ mistake }) => mistake.actual).values()) {
    const shown = shownJoins(same, sent);
    shown.forEach(joined);
    const left = same.filter(({ key }) => !roots.has(key));
    // An odd text is one kind, wherever it stands.
    const odd = [...groups(left, oddOf).values()].map((all) => ({ all, kind: asOne(all) }));
    for (const { all, kind } of odd) {
      const trait = atPlace(oneKind(kind), all);
      if (all.length > 1 || trait.of !== oddOf(kind)) joined({ trait, members: all });
    }
    for (const { trait, members } of joinsOf(
      odd.map(({ kind }) => kind),
      sent,
    ))
      for (const { all, kind } of odd)
        if (members.includes(kind)) joined({ trait: atPlace(trait, members), members: all });
  }
  // What crashes a request of its own is why one crashes that it shares with other changes.
  for (const kind of kinds) {
    const part = alone(kind);
    if (part !== undefined) roots.set(kind.key, roots.get(part.key) ?? { mistake: part.mistake });
  }
  return roots;
};

/** What experiments have shown, and what shows without one: the surest first. */
function shownJoins(kinds: readonly CrashKind[], sent: readonly RequestFacts[]): readonly Join[] {
  const joins: Join[] = [];
  const left = (): readonly CrashKind[] =>
    kinds.filter((kind) => !joins.some(({ members }) => members.includes(kind)));
  const take = (trait: SharedTrait, isOf: (kind: CrashKind) => boolean): void => {
    const members = left().filter(isOf);
    if (members.length > 0) joins.push({ trait, members });
  };
  const since = failsSince(kinds, sent);
  if (since !== undefined) take(since, ({ crashed }) => crashed.every(since.has));
  const trials = kinds.flatMap(trialsOf);
  const limits = groups(trials, limitOf);
  for (const [limit, all] of limits)
    if (limit !== undefined)
      take(limitTrait(limit, all), ({ crashed }) =>
        crashed.every((one) => all.some((trial) => isExplained(one, trial))),
      );
  const waiting = waitingTrait(left(), sent);
  if (waiting !== undefined) take(waiting, ({ crashed }) => crashed.every(waiting.has));
  // What was not tried is no surer than what was, and did not come back.
  const others = left().flatMap(trialsOf);
  const isByChance = others.length > 1 && others.every(({ comesBack }) => !comesBack);
  take(nowAndThen, (kind) => {
    const shown = trialsOf(kind);
    return isByChance || (shown.length > 0 && shown.every(({ comesBack }) => !comesBack));
  });
  return joins;
}

const trialsOf = ({ crashed }: CrashKind): readonly Trial[] =>
  crashed.flatMap(({ trial }) => trial ?? []);

/** The trait of requests beyond a limit that trials have shown, at one place or several. */
function limitTrait(limit: string, trials: readonly Trial[]): SharedTrait {
  const places = [
    ...new Set(trials.flatMap(({ place, over }) => (over === undefined ? [] : (place ?? [])))),
  ];
  const where =
    places.length === 0
      ? ""
      : ` at ${places.slice(0, mostPlaces).join(" or ")}${places.length > mostPlaces ? " or elsewhere" : ""}`;
  return {
    of: `${limit}${where}`,
    has: (request) => trials.some((trial) => isExplained(request, trial)),
  };
}

const mostPlaces = 3;

/**
 * The trait of all requests since the first that crashed, if hardly any was answered after it. So
 * few requests in a row may crash for reasons of their own.
 */
function failsSince(
  kinds: readonly CrashKind[],
  sent: readonly RequestFacts[],
): SharedTrait | undefined {
  const crashed = new Set(kinds.flatMap((kind) => kind.crashed));
  const inOrder = [...sent].sort((one, other) => one.at - other.at || one.id - other.id);
  let answered = 0;
  let first: RequestFacts | undefined;
  for (const [nth, one] of inOrder.toReversed().entries()) {
    if (!crashed.has(one)) answered += 1;
    else if (nth >= fewestInARow && answered <= nth * fewAnswered) first = one;
  }
  if (first === undefined || inOrder.indexOf(first) < fewestInARow) return undefined;
  const { at: began } = first;
  return {
    of: `of any kind since request ${inOrder.indexOf(first) + 1}`,
    has: ({ at, took }) => at + took >= began,
  };
}

/** So many requests in a row fail for one reason, and so many of them HTTP itself may refuse. */
const fewestInARow = 30;
const fewAnswered = 0.03;

/**
 * The trait of requests that crashed after a much longer wait than those that were answered, while
 * another was in flight. Undefined if one of them crashed again when it was sent alone, or few were.
 */
function waitingTrait(
  kinds: readonly CrashKind[],
  sent: readonly RequestFacts[],
): SharedTrait | undefined {
  const crashed = new Set(kinds.flatMap((kind) => kind.crashed));
  const least = longWait(sent.flatMap((one) => (crashed.has(one) ? [] : one.took)));
  const beside = overlapping(sent);
  const has = (one: RequestFacts): boolean =>
    crashed.has(one) && one.took >= least && beside.has(one.id);
  const members = kinds.filter((kind) => kind.crashed.every(has));
  const trials = members.flatMap(trialsOf);
  if (trials.length < fewestWaiting || trials.some(({ comesBack }) => comesBack)) return undefined;
  return { of: together, has, couldHave: ({ id }) => beside.has(id) };
}

const fewestWaiting = 3;

/** Kinds of crash that are one kind, as their requests have the same odd text. */
function asOne(kinds: readonly CrashKind[]): CrashKind {
  const [first] = kinds as readonly [CrashKind, ...CrashKind[]];
  if (kinds.length === 1) return first;
  return { ...first, crashed: kinds.flatMap(({ crashed }) => crashed) };
}

/** The odd text of a kind, or else its change. */
function oddOf({ crashed: [first], mistake }: CrashKind): string {
  return first?.input === undefined && first?.odd !== undefined ? `with ${first.odd}` : mistake.of;
}

function oneKind(kind: CrashKind): SharedTrait {
  const of = oddOf(kind);
  return { of, has: (request) => isCrashInput(of, request) };
}

/** The trait, at the place where an odd text alone is enough, if trials have shown only one. */
function atPlace(trait: SharedTrait, kinds: readonly CrashKind[]): SharedTrait {
  const [place = "", ...others] = new Set(
    kinds.flatMap(trialsOf).flatMap((trial) => trial.place ?? []),
  );
  const isThere = ({ texts }: RequestFacts): boolean => texts?.[place] !== undefined;
  const isSaid = !trait.of.startsWith("with ") || trait.of.includes(place);
  if (others.length > 0 || isSaid || !kinds.every(({ crashed }) => crashed.every(isThere)))
    return trait;
  return {
    of: `${trait.of} at ${place}`,
    has: (request) => isThere(request) && trait.has(request),
  };
}

/** The crashes on one kind of request, which are one mistake, and the crashed requests. */
interface CrashKind extends Pick<SeenMistake, "key" | "mistake"> {
  readonly crashed: readonly RequestFacts[];
}

/** Kinds of crash that are one mistake, and the trait that their requests share. */
interface Join {
  readonly trait: SharedTrait;
  readonly members: readonly CrashKind[];
}

interface SharedTrait {
  /** Names the requests, as `of` of a mistake does. */
  readonly of: string;
  readonly has: (request: RequestFacts) => boolean;
  /** Whether a request that did not crash could have the trait. @defaultValue `has` */
  readonly couldHave?: (request: RequestFacts) => boolean;
}

/** Traits, apart from exceptions and marks, that requests can share, the rarest first. */
const traits: readonly SharedTrait[] = [
  {
    of: "without an Authorization header",
    has: ({ authorization }) => authorization === "none",
  },
  {
    of: "whose Authorization header has no scheme and token",
    has: ({ authorization }) => authorization !== undefined,
  },
  { of: "with another method", has: ({ hasOtherMethod }) => hasOtherMethod === true },
  { of: "whose body is not UTF-8", has: ({ isNotUtf8 }) => isNotUtf8 === true },
  { of: inputKinds.malformed, has: ({ isUnreadable }) => isUnreadable === true },
  { of: noObjectInput, has: ({ isNoObject }) => isNoObject === true },
  { of: "that break a rule", has: ({ isInvalid }) => isInvalid === true },
  { of: "", has: () => true },
];

/**
 * The trait of requests in which a member is missing, null or of another type. `operations`: those
 * whose requests have the member.
 */
function memberTrait(pointer: string, operations: ReadonlySet<OperationName>): SharedTrait {
  return {
    of: `with a missing or wrong ${pointer}`,
    has: ({ operation, odd, change = "" }) =>
      odd === undefined &&
      (membersIn(change).includes(pointer) ||
        (change.startsWith("without members") && operations.has(operation))),
  };
}

/** The trait of requests that have another text than a valid one at a place. */
function textTrait(pointer: string): SharedTrait {
  return {
    of: `with another text at ${pointer}`,
    has: ({ texts }) => texts?.[pointer] !== undefined,
  };
}

function parameterTrait(name: string): SharedTrait {
  return {
    of: `with ${name} in the query`,
    has: ({ parameters = [] }) => parameters.includes(name),
  };
}

/** The trait of amounts that have at least so many decimals. */
function decimalsTrait(least: number): SharedTrait {
  return {
    of: `with ${least} decimals or more`,
    has: ({ decimals = 0 }) => decimals >= least,
  };
}

function havingTrait(part: string): SharedTrait {
  return {
    of: `with ${part}`,
    has: ({ having = [] }) => having.includes(part),
  };
}

/** The trait of amounts of at least this size. */
function amountTrait(least: number): SharedTrait {
  return {
    of: `with an amount of ${least} or more`,
    has: ({ amount = 0 }) => amount >= least,
  };
}

/** The traits of requests with null: for a member, and anywhere. */
const nullTraits: readonly SharedTrait[] = [
  { of: inputKinds.null, has: ({ change = "" }) => change.startsWith("with null at ") },
  { of: "with null", has: ({ change = "" }) => /\bnulls?\b/.test(change) },
  // Some programs write a number that is not finite as null.
  { of: "with null or 1e400", has: ({ change = "" }) => /\b(?:nulls?|1e400)\b/.test(change) },
];

/** The members that the words for a change name: `/name` in `with null at /name`. */
function membersIn(change: string): readonly string[] {
  return change.match(/(?<=^| )\/[a-z_/]+/g) ?? [];
}

const nowAndThen: SharedTrait = { of: "now and then", has: () => true };

function markTrait(mark: string): SharedTrait {
  return { of: `with ${mark} in a text`, has: ({ marks = [] }) => marks.includes(mark) };
}

/** The trait of requests that raise the same exception: it is one mistake, whatever raises it. */
function exceptionTrait(text: string): SharedTrait {
  return {
    of: `that raise ${text}`,
    has: ({ exception }) => exception === text,
    // Any request of the operation could have raised it.
    couldHave: () => true,
  };
}

/**
 * Joins kinds of crash. If at least two kinds come only now and then, all kinds are one mistake
 * except those that come each time, which are joined by their traits.
 */
function joinsOf(kinds: readonly CrashKind[], requests: readonly RequestFacts[]): readonly Join[] {
  const occasional = kinds.filter((kind) => isOccasional(kind, requests)).map(inputOf);
  if (new Set(occasional).size < 2) return sharedJoins(kinds, requests);
  const steady = kinds.filter((kind) => isSteady(kind, requests));
  const byChance = kinds.filter((kind) => !steady.includes(kind));
  return [{ trait: nowAndThen, members: byChance }, ...sharedJoins(steady, requests)];
}

/**
 * Joins the kinds of crash that share a trait, into as few mistakes as possible. One line of code
 * fails on one member, whatever is wrong with it, or on one kind of input, in whichever member it
 * stands: both are tried.
 */
function sharedJoins(
  kinds: readonly CrashKind[],
  requests: readonly RequestFacts[],
): readonly Join[] {
  const firsts = kinds.flatMap(({ crashed: [first] }) => first ?? []);
  const traitsOf = <T>(values: readonly T[], traitOf: (value: T) => SharedTrait) =>
    [...new Set(values)].map(traitOf);
  const named = firsts.flatMap(({ operation, odd, change = "" }) =>
    odd === undefined ? membersIn(change).map((pointer) => ({ pointer, operation })) : [],
  );
  const members = [...groups(named, ({ pointer }) => pointer)].map(([pointer, all]) =>
    memberTrait(pointer, new Set(all.map(({ operation }) => operation))),
  );
  const texts = traitsOf(
    firsts.flatMap(({ texts = {} }) => Object.keys(texts)),
    textTrait,
  );
  const others = [
    ...traitsOf(
      firsts.flatMap(({ exception }) => exception ?? []),
      exceptionTrait,
    ),
    ...traitsOf(
      firsts.flatMap((first) => first.marks ?? []),
      markTrait,
    ),
    ...nullTraits,
    ...traitsOf(
      firsts.flatMap(({ decimals = 0 }) => (decimals > 1 ? [decimals] : [])),
      decimalsTrait,
    ),
    ...traitsOf(
      firsts.flatMap(({ amount = 0 }) => (amount > 0 ? [amount] : [])),
      amountTrait,
    ),
    ...traitsOf(
      firsts.flatMap((first) => first.parameters ?? []),
      parameterTrait,
    ),
    ...traitsOf(
      firsts.flatMap(({ input }) => input ?? []),
      (of): SharedTrait => ({ of, has: ({ input }) => input === of }),
    ),
    // What breaks a rule often has the same payee, which is no reason to crash unless valid requests
    // for it crash, too.
    ...traitsOf(
      firsts.flatMap(({ isInvalid, having = [] }) => (isInvalid === true ? [] : having)),
      havingTrait,
    ),
    ...traits,
  ];
  const [byInput = [], byMember = []] = [
    [[...others, ...members, ...texts]],
    [[...members, ...texts], others],
  ].map((steps) => joinedInSteps(kinds, requests, steps));
  return mistakesIn(byMember, kinds) < mistakesIn(byInput, kinds) ? byMember : byInput;
}

/** How many mistakes are left if these kinds of crash are joined. */
function mistakesIn(joins: readonly Join[], kinds: readonly CrashKind[]): number {
  return kinds.length - joins.reduce((sum, { members }) => sum + members.length - 1, 0);
}

/**
 * Joins kinds of crash by the traits of the first step, and what is left by those of the next.
 * Within a step it repeatedly takes the trait that joins most of the kinds that are left (the
 * rarest, if several traits join as many), until no trait joins two kinds.
 */
function joinedInSteps(
  kinds: readonly CrashKind[],
  requests: readonly RequestFacts[],
  steps: readonly (readonly SharedTrait[])[],
): readonly Join[] {
  const joins: Join[] = [];
  let left = kinds;
  for (const step of steps)
    for (;;) {
      const [best] = step
        .map((trait) => ({
          trait,
          members: left.filter(({ crashed }) => crashed.every(trait.has)),
          sent: requests.filter(trait.has),
        }))
        .filter(({ members, sent }) => members.length > 1 && crashMostly(members, sent))
        .toSorted((one, other) => other.members.length - one.members.length);
      if (best === undefined) break;
      joins.push(best);
      left = left.filter((kind) => !best.members.includes(kind));
    }
  return joins;
}

/**
 * Whether at least half of the requests crash. Only requests of the operations at which these kinds
 * of crash show are counted.
 */
function crashMostly(kinds: readonly CrashKind[], requests: readonly RequestFacts[]): boolean {
  const crashed = new Set(kinds.flatMap((kind) => kind.crashed));
  const operations = new Set([...crashed].map(({ operation }) => operation));
  const possible = requests.filter(({ operation }) => operations.has(operation));
  return crashed.size * 2 >= possible.length;
}

/**
 * Whether a kind comes only now and then: of at least four requests of the kind, fewer than half
 * crash, and of requests with the same change, some crash and others do not.
 */
function isOccasional(kind: CrashKind, requests: readonly RequestFacts[]): boolean {
  const same = ofKind(kind, requests);
  const crashed = new Set(kind.crashed);
  const alike = groups(same, ({ operation, change = "" }) => `${operation} ${change}`);
  const isMixed = [...alike.values()].some(
    (some) => some.some((one) => crashed.has(one)) && !some.every((one) => crashed.has(one)),
  );
  return same.length >= 4 && !crashMostly([kind], same) && isMixed;
}

/**
 * Whether all requests of the kind crash, and there are at least three, so that it is no chance.
 */
function isSteady(kind: CrashKind, requests: readonly RequestFacts[]): boolean {
  const same = ofKind(kind, requests);
  return same.length >= 3 && same.every((one) => kind.crashed.includes(one));
}

function ofKind(kind: CrashKind, requests: readonly RequestFacts[]) {
  return requests.filter((request) => crashInput(request) === inputOf(kind));
}

function inputOf({ crashed: [first] }: CrashKind): string {
  return first === undefined ? "" : crashInput(first);
}

/**
 * What is unusual or wrong about a request, and so may crash a server. Empty for a valid request.
 */
function crashInput({ input, change, odd }: RequestFacts): string {
  return input ?? (odd === undefined ? (change ?? "") : `with ${odd}`);
}

/**
 * Whether a request is of the kind that a crash is about, if the crash was not joined with others.
 * A crash on a valid request is about all requests.
 */
export function isCrashInput(of: string, request: RequestFacts): boolean {
  return of === "" || request.change === of || crashInput(request) === of;
}
