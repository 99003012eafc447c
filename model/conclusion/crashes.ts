import { groups } from "../groups.ts";
import { noObjectInput, type RequestFacts, type Trial } from "../request-facts.ts";
import { together } from "../mistake.ts";
import { plural } from "../plural.ts";
import { isExplained, longWait, shownBy } from "../trials.ts";
import { overlapping } from "./common.ts";
import type { OperationName } from "../../spec/operations.ts";
import { inputKinds } from "../../spec/refusals.ts";
import { membersIn } from "./mistake-words.ts";
import type { Root, RootRule, SeenMistake } from "./root-rule.ts";

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
  const alone = (shared: CrashKind): CrashKind | undefined =>
    kinds.find(({ crashed: [first] }) =>
      shared.crashed.every(({ parts = [] }) => parts.includes(first?.change ?? "")),
    );
  const roots = new Map<string, Root>();
  for (const same of groups(kinds, ({ mistake }) => mistake.actual).values()) {
    const shown = shownJoins(same, sent);
    const isLeft = (kind: CrashKind): boolean =>
      !shown.some(({ members }) => members.includes(kind)) && alone(kind) === undefined;
    for (const { trait, members } of [...shown, ...sharedJoins(same.filter(isLeft), sent)])
      for (const { key, mistake } of members)
        roots.set(key, {
          mistake: { ...mistake, of: trait.of },
          couldShow: trait.couldHave ?? trait.has,
        });
  }
  // What crashes a request of its own is why one crashes that it shares with other changes.
  for (const kind of kinds) {
    const part = roots.has(kind.key) ? undefined : alone(kind);
    if (part !== undefined) roots.set(kind.key, roots.get(part.key) ?? { mistake: part.mistake });
  }
  return roots;
};

/** What experiments have shown, and what shows without one: the surest first. */
function shownJoins(kinds: readonly CrashKind[], sent: readonly RequestFacts[]): readonly Join[] {
  const joins: Join[] = [];
  const left = (): readonly CrashKind[] =>
    kinds.filter((kind) => !joins.some(({ members }) => members.includes(kind)));
  const take = (trait: SharedTrait | undefined, isOf: (kind: CrashKind) => boolean): void => {
    const members = left().filter(isOf);
    if (trait !== undefined && members.length > 0) joins.push({ trait, members });
  };
  const since = failsSince(kinds, sent);
  take(since, ({ crashed }) => crashed.every((one) => since?.has(one)));
  const causes = [...groups(kinds.flatMap(trialsOf), shownBy)].flatMap(([what, trials]) =>
    what === undefined ? [] : [shownTrait(what, trials)],
  );
  const explained = ({ crashed }: CrashKind, { has }: SharedTrait): number =>
    crashed.filter(has).length;
  for (const cause of causes)
    take(cause, (kind) => {
      const isAny = kind.crashed.every((one) => causes.some(({ has }) => has(one)));
      return isAny && causes.every((other) => explained(kind, other) <= explained(kind, cause));
    });
  const waiting = waitingTrait(left(), sent);
  take(waiting, ({ crashed }) => crashed.every((one) => waiting?.has(one)));
  const trials = left().flatMap(trialsOf);
  const passed = trials.filter(({ comesBack }) => !comesBack);
  // What was not tried is no surer than what was, and mostly did not come back.
  const isByChance = passed.length > 1 && passed.length * 2 > trials.length;
  take(nowAndThen, (kind) => {
    const shown = trialsOf(kind);
    return shown.length === 0 ? isByChance : shown.every(({ comesBack }) => !comesBack);
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
  /** Valid requests have the trait, too: one that is refused for something else shows nothing of it. */
  readonly isOfValid?: true;
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
  {
    of: "with an empty or blank body, or null as the body",
    has: ({ isBlank }) => isBlank === true,
  },
  {
    of: "with malformed JSON or none",
    has: ({ isUnreadable, isBlank, isNoObject }) =>
      isUnreadable === true || (isBlank === true && isNoObject !== true),
  },
  {
    of: "with a JSON body that is no object",
    has: ({ isUnreadable, isNoObject }) => isNoObject === true && isUnreadable !== true,
  },
  {
    of: noObjectInput,
    has: ({ isNoObject, isBlank }) => isNoObject === true || isBlank === true,
  },
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

/** The trait of requests that have a text which an earlier request had at the same place. */
function againTrait(pointer: string): SharedTrait {
  return {
    of: `with the ${pointer} of an earlier request`,
    has: ({ again = [] }) => again.includes(pointer),
  };
}

/** The trait of amounts that have at least so many decimals. */
function decimalsTrait(least: number): SharedTrait {
  return {
    of: `with ${plural(least, "decimal")} or more`,
    isOfValid: true,
    has: ({ decimals = 0 }) => decimals >= least,
  };
}

function havingTrait(part: string): SharedTrait {
  return {
    of: `with ${part}`,
    isOfValid: true,
    has: ({ having = [] }) => having.includes(part),
  };
}

/** The traits of requests with null: for a member, and anywhere. */
const nullTraits: readonly SharedTrait[] = [
  { of: inputKinds.null, has: ({ change = "" }) => change.startsWith("with null at ") },
  { of: "with null", has: ({ change = "" }) => /\bnulls?\b/.test(change) },
];

const nowAndThen: SharedTrait = { of: "now and then", has: () => true };

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
 * Joins the kinds of crash that share a trait. One line of code fails on one member, whatever is
 * wrong with it, or on one kind of input, in whichever member it stands.
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
  const others = [
    ...traitsOf(
      firsts.flatMap(({ exception }) => exception ?? []),
      exceptionTrait,
    ),
    ...traitsOf(
      firsts.flatMap(({ again = [] }) => again),
      againTrait,
    ),
    ...nullTraits,
    ...traitsOf(
      firsts.flatMap(({ decimals = 0 }) => (decimals > 0 ? [decimals] : [])),
      decimalsTrait,
    ),
    ...traitsOf(
      firsts.flatMap(({ odd }) => odd ?? []),
      (odd): SharedTrait => ({ of: `with ${odd}`, has: (one) => one.odd === odd }),
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
  return joinedBy([...others, ...members], kinds, requests);
}

/**
 * Repeatedly takes the trait that joins most of the kinds that are left (the rarest, if several
 * traits join as many), until no trait joins two kinds.
 */
function joinedBy(
  shared: readonly SharedTrait[],
  kinds: readonly CrashKind[],
  requests: readonly RequestFacts[],
): readonly Join[] {
  const [best] = shared
    .map((trait) => ({
      trait,
      members: kinds.filter(({ crashed }) => crashed.every(trait.has)),
      sent: requests.filter((one) => trait.has(one) && !(trait.isOfValid && isRefused(one))),
    }))
    .filter(({ members, sent }) => members.length > 1 && crashMostly(members, sent))
    .toSorted((one, other) => other.members.length - one.members.length);
  if (best === undefined) return [];
  const left = kinds.filter((kind) => !best.members.includes(kind));
  return [best, ...joinedBy(shared, left, requests)];
}

const isRefused = ({ isInvalid, status }: RequestFacts): boolean =>
  isInvalid === true && status >= 400 && status < 500;

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
