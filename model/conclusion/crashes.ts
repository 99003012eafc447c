import type { OperationName } from "../../spec/operations.ts";
import { inputKinds } from "../../spec/refusals.ts";
import { groups } from "../groups.ts";
import { together } from "../mistake.ts";
import { type RequestFacts, type Trial, isExplained, longWait, shownBy } from "../request-facts.ts";
import { inOrderOfTime, placed } from "./common.ts";
import { membersIn } from "./mistake-words.ts";
import type { Mistake } from "../run.ts";

/** The mistake as part of which another is reported, because one change of the server mends both. */
export interface Root {
  readonly mistake: Mistake;
  /** The other mistake shows neither where this one is nor how often it occurs. */
  readonly isConsequence?: true;
  /**
   * Whether the response to a request could show it. Absent if the kind of the mistake decides
   * that.
   */
  readonly couldShow?: (request: RequestFacts) => boolean;
}

/** The roots of mistakes, by the keys of the mistakes that are reported as part of them. */
export type Roots = ReadonlyMap<string, Root>;

/** A mistake of a run, and the requests whose responses show it. */
export interface SeenMistake {
  readonly key: string;
  readonly mistake: Mistake;
  readonly requests: readonly RequestFacts[];
}

/** Makes a function that finds the root of a mistake among those of a run. `sent`: all requests. */
export type RootRule = (
  seen: readonly SeenMistake[],
  sent: readonly RequestFacts[],
) => (one: SeenMistake) => Root | undefined;

/**
 * Joins crashes with one cause. A server that crashes on a quote crashes on many kinds of text:
 * that is one mistake, not one for each kind. What experiments have shown comes first. Other crashes
 * with the same status are joined if their requests share a trait and at least half of all requests
 * with that trait crash. The root names the shared trait.
 */
export const joinedCrashes: RootRule = (seen, sent) => {
  const kinds = seen.flatMap(({ key, mistake, requests: crashed }) =>
    mistake.kind === "crash" && crashed.length > 0 ? [{ key, mistake, crashed }] : [],
  );
  // What crashes a request of its own is why one crashes that it shares with other changes.
  const alone = (shared: CrashKind): CrashKind | undefined =>
    kinds.find(({ crashed: [first] }) =>
      shared.crashed.every(({ parts = [] }) => parts.includes(first?.change ?? "")),
    );
  const roots = new Map<string, Root>();
  for (const same of groups(kinds, ({ mistake }) => mistake.actual).values()) {
    const shown = shownJoins(same, sent);
    const left = without(same, shown).filter((kind) => alone(kind) === undefined);
    const joins = [...shown, ...sharedJoins(left, sent)];
    for (const { trait, members } of [...joins, ...usualJoins(without(left, joins))])
      for (const { key, mistake } of members)
        roots.set(key, {
          mistake: { ...mistake, of: trait.of },
          couldShow: trait.couldHave ?? trait.has,
        });
  }
  for (const kind of kinds) {
    const part = roots.has(kind.key) ? undefined : alone(kind);
    if (part !== undefined) roots.set(kind.key, roots.get(part.key) ?? part);
  }
  return ({ key }) => roots.get(key);
};

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

function without(kinds: readonly CrashKind[], joins: readonly Join[]): readonly CrashKind[] {
  return kinds.filter((kind) => !joins.some(({ members }) => members.includes(kind)));
}

/** What experiments have shown, and what shows without one: the surest first. */
function shownJoins(kinds: readonly CrashKind[], sent: readonly RequestFacts[]): readonly Join[] {
  const joins: Join[] = [];
  const take = (trait: SharedTrait | undefined, isOf?: (kind: CrashKind) => boolean): void => {
    if (trait === undefined) return;
    const isMember = isOf ?? (({ crashed }) => crashed.every(trait.has));
    const members = without(kinds, joins).filter(isMember);
    if (members.length > 0) joins.push({ trait, members });
  };
  take(failsSince(kinds, sent));
  const causes = [...groups(kinds.flatMap(trialsOf), shownBy)].flatMap(([what, trials]) =>
    what === undefined ? [] : [shownTrait(what, trials)],
  );
  for (const cause of causes)
    take(cause, ({ crashed }) => {
      const explained = causes.map(({ has }) => crashed.filter(has).length);
      const isAny = crashed.every((one) => causes.some(({ has }) => has(one)));
      return isAny && crashed.filter(cause.has).length === Math.max(...explained);
    });
  take(waitingTrait(without(kinds, joins), sent));
  const trials = without(kinds, joins).flatMap(trialsOf);
  const passed = trials.filter(({ comesBack }) => !comesBack);
  // Where most crashes do not come back, what was not tried is no surer, nor is what came back once
  // where most requests like it passed, without a cause that further trials have shown.
  const isByChance = passed.length > 1 && passed.length * 2 > trials.length;
  take({ of: "now and then", has: () => true }, (kind) => {
    const shown = trialsOf(kind);
    const { crashed } = kind;
    const alike = sent.filter((one) =>
      crashed.some(({ operation, change }) => one.operation === operation && one.change === change),
    );
    const isUsual = crashed.length > 2 && crashed.length * 2 > alike.length;
    const isSure = (trial: Trial): boolean =>
      trial.comesBack && (!isByChance || isUsual || shownBy(trial) !== undefined);
    return shown.length === 0 ? isByChance : !shown.some(isSure);
  });
  return joins;
}

const trialsOf = ({ crashed }: CrashKind): readonly Trial[] =>
  crashed.flatMap(({ trial }) => trial ?? []);

/** The trait of requests that have what trials have shown to be enough, at one place or several. */
function shownTrait(what: string, trials: readonly Trial[]): SharedTrait {
  const isOfText = trials.some(({ over, mark }) => over !== undefined || mark !== undefined);
  const places = [...new Set(trials.flatMap(({ place }) => place ?? []))];
  const isAnywhere =
    isOfText && (places.length > mostPlaces || trials.some((trial) => trial.isAnywhere === true));
  const where = isAnywhere ? " in a text, in any member" : ` at ${places.join(" or ")}`;
  return {
    of: isOfText ? `${what}${where}` : what,
    has: (request) => trials.some((trial) => isExplained(request, { ...trial, isAnywhere })),
  };
}

const mostPlaces = 3;

/**
 * The trait of all requests since the first that crashed, if hardly any was answered after it. So
 * few requests in a row may crash for reasons of their own, and so may those that are not valid.
 */
function failsSince(
  kinds: readonly CrashKind[],
  sent: readonly RequestFacts[],
): SharedTrait | undefined {
  const crashed = new Set(kinds.flatMap((kind) => kind.crashed));
  const all = inOrderOfTime(sent);
  let answered = 0;
  let first = 0;
  for (const [nth, one] of all.toReversed().entries()) {
    if (!crashed.has(one)) answered += 1;
    else if (nth >= fewestInARow && answered <= nth * fewAnswered) first = all.length - 1 - nth;
  }
  const began = all[first]?.at ?? 0;
  const isOfValid = all.slice(first).some((one) => crashed.has(one) && one.kind === "valid");
  if (first < fewestInARow || !isOfValid) return undefined;
  return {
    of: `of any kind since request ${first + 1}`,
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
  const beside = new Set(
    placed(sent, () => "").flatMap(({ id, overlaps }) => (overlaps === false ? [] : [id])),
  );
  const has = (one: RequestFacts): boolean =>
    crashed.has(one) && one.took >= least && beside.has(one.id);
  const trials = kinds.filter((kind) => kind.crashed.every(has)).flatMap(trialsOf);
  if (trials.length < fewestWaiting || trials.some(({ comesBack }) => comesBack)) return undefined;
  return { of: together, has, couldHave: ({ id }) => beside.has(id) };
}

const fewestWaiting = 3;

/** By operation, the members that crashes on wrong members name. */
type NamedMembers = ReadonlyMap<OperationName, readonly string[]>;

/** The trait of requests with an odd value at a place where a trial has shown that one is enough. */
const valuesAt = (place: string): string => `with some values at ${place}`;

/** What requests can share that crash for one reason, in words that follow "requests". */
function traitsOf(
  request: RequestFacts,
  named: NamedMembers,
  tried: ReadonlySet<string>,
): readonly string[] {
  const { operation, change = "", odd, input, exception, again = [], having = [] } = request;
  const { places = [], amount } = request;
  const members = change.startsWith("without members")
    ? (named.get(operation) ?? [])
    : membersIn(change);
  return [
    ...(exception === undefined ? [] : [`that raise ${exception}`]),
    ...again.map((place) => `with the ${place} of an earlier request`),
    ...(change.startsWith("with null at ") ? [inputKinds.null] : []),
    ...(/\bnulls?\b/.test(change) ? ["with null"] : []),
    ...(odd === undefined
      ? members.map((place) => `with a missing or wrong ${place}`)
      : [`with ${odd}`]),
    ...places.map(valuesAt).filter((of) => tried.has(of)),
    ...(Number.isInteger(amount) ? ["with a whole amount"] : []),
    ...(input === undefined ? [] : [input]),
    // What breaks a rule often has the same payee, which is no reason to crash.
    ...(request.kind === "invalid" && operation !== "createCounterparty"
      ? []
      : having.map((part) => `with ${part}`)),
    ...(request.traits ?? []),
    "",
  ];
}

/**
 * Joins the kinds of crash of which nothing is shown with those on valid requests, at the operations
 * where these crash too: then what else a request has is no sure cause.
 */
function usualJoins(kinds: readonly CrashKind[]): readonly Join[] {
  const usual = kinds.find(({ mistake }) => mistake.of === "");
  const crashing = new Set(usual?.crashed.map(({ operation }) => operation));
  const members = kinds.filter(({ crashed }) =>
    crashed.every(({ operation }) => crashing.has(operation)),
  );
  return members.length < 2 ? [] : [{ trait: { of: "", has: () => true }, members }];
}

/**
 * Joins the kinds of crash that share a trait. One line of code fails on one member, whatever is
 * wrong with it, or on one kind of input, in whichever member it stands. Repeatedly takes the trait
 * that joins most of the kinds that are left (the rarest, if several join as many), until no trait
 * joins two kinds. At least half of the requests with a trait crash, or a trial has shown the place.
 */
function sharedJoins(
  kinds: readonly CrashKind[],
  requests: readonly RequestFacts[],
): readonly Join[] {
  const firsts = kinds.flatMap(({ crashed: [first] }) => (first === undefined ? [] : [first]));
  const byOperation = groups(
    firsts.filter(({ odd }) => odd === undefined),
    ({ operation }) => operation,
  );
  const named: NamedMembers = new Map(
    [...byOperation].map(([operation, own]) => [
      operation,
      own.flatMap(({ change = "" }) => membersIn(change)),
    ]),
  );
  const tried = new Set(
    kinds
      .flatMap(trialsOf)
      .flatMap(({ place }) => place ?? [])
      .map(valuesAt),
  );
  const traits = new Map(requests.map((one) => [one.id, new Set(traitsOf(one, named, tried))]));
  const words = [...new Set(firsts.flatMap(({ id }) => [...(traits.get(id) ?? [])]))];
  const shared = words.map((of) => {
    const has = ({ id }: RequestFacts): boolean => traits.get(id)?.has(of) === true;
    return { of, has, sent: requests.filter(has) };
  });
  const joinedOf = (left: readonly CrashKind[]): readonly Join[] => {
    const [best] = shared
      .map((trait) => ({
        trait,
        members: left.filter(({ crashed }) => crashed.every(trait.has)),
      }))
      .filter(
        ({ members, trait }) =>
          members.length > 1 && (tried.has(trait.of) || crashMostly(members, trait.sent)),
      )
      .toSorted(
        (one, other) =>
          other.members.length - one.members.length ||
          one.trait.sent.length - other.trait.sent.length,
      );
    return best === undefined ? [] : [best, ...joinedOf(without(left, [best]))];
  };
  return joinedOf(kinds);
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
 * Whether a request is of the kind that a crash is about, if the crash was not joined with others.
 * A crash on a valid request is about all requests.
 */
export function isCrashInput(of: string, { input, change, odd }: RequestFacts): boolean {
  return ["", change, input ?? (odd === undefined ? (change ?? "") : `with ${odd}`)].includes(of);
}
