import type { Witness } from "../evidence/witness.ts";
import { groups } from "../groups.ts";
import { deviationKey, mistakeKeyOf } from "../mistake-key.ts";
import { noObjectInput, type RequestFacts } from "../request-facts.ts";
import type { Deviation, Finding, RequirementResult } from "../run.ts";
import { inputKinds } from "../../spec/refusals.ts";

/** The findings of a run after crashes with one cause were joined, and which requests show them. */
interface JoinedCrashes {
  readonly requirements: readonly RequirementResult[];
  readonly witness: Witness | undefined;
}

/**
 * Joins crashes with one cause. A server that crashes on a quote crashes on many kinds of text:
 * that is one mistake, not one for each kind. Crashes with the same status are joined if their
 * requests share a trait and at least half of all requests with that trait crash. Each finding gets
 * the shared trait as its deviation.
 */
export function joinedCrashes(
  requirements: readonly RequirementResult[],
  witness: Witness | undefined,
): JoinedCrashes {
  if (witness === undefined) return { requirements, witness };
  const kinds = crashKinds(requirements, witness);
  const joined = new Map<string, JoinedCrash>();
  for (const same of groups(kinds, ({ deviation }) => deviation.actual).values())
    for (const { trait, members } of joinsOf(same, [...witness.requests.values()]))
      for (const { key, deviation } of members)
        joined.set(key, { deviation: { ...deviation, of: trait.of }, trait });
  if (joined.size === 0) return { requirements, witness };
  return {
    requirements: withDeviations(requirements, joined),
    witness: following(witness, joined),
  };
}

/** The crashes on one kind of request: findings with equal deviations, and the crashed requests. */
interface CrashKind {
  readonly key: string;
  readonly deviation: Deviation;
  readonly crashed: readonly RequestFacts[];
}

function crashKinds(
  requirements: readonly RequirementResult[],
  witness: Witness,
): readonly CrashKind[] {
  const kinds = new Map<string, CrashKind>();
  for (const { id, findings } of requirements)
    for (const finding of findings) {
      const { deviation } = finding;
      const key = mistakeKeyOf(finding, id);
      if (deviation?.kind !== "crash" || kinds.has(key)) continue;
      const crashed = [...witness.affectedBy(key)].flatMap(
        (exchange) => witness.requests.get(exchange) ?? [],
      );
      if (crashed.length > 0) kinds.set(key, { key, deviation, crashed });
    }
  return [...kinds.values()];
}

/** Kinds of crash that are one mistake, and the trait that their requests share. */
interface Join {
  readonly trait: SharedTrait;
  readonly members: readonly CrashKind[];
}

interface SharedTrait {
  /** Names the requests, as `of` of a deviation does. */
  readonly of: string;
  readonly has: (request: RequestFacts) => boolean;
  /** Whether a request that did not crash could have the trait. @defaultValue `has` */
  readonly couldHave?: (request: RequestFacts) => boolean;
}

/** What the findings of one kind of crash get from the join that it is in. */
interface JoinedCrash {
  readonly deviation: Deviation;
  readonly trait: SharedTrait;
}

/** Traits, apart from exceptions and marks, that requests can share, the rarest first. */
const traits: readonly SharedTrait[] = [
  { of: inputKinds.malformed, has: ({ isUnreadable }) => isUnreadable === true },
  { of: noObjectInput, has: ({ isNoObject }) => isNoObject === true },
  { of: "that break a rule", has: ({ isInvalid }) => isInvalid === true },
  { of: "", has: () => true },
];

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
  if (kinds.filter((kind) => isOccasional(kind, requests)).length < 2)
    return sharedJoins(kinds, requests);
  const steady = kinds.filter((kind) => isSteady(kind, requests));
  const byChance = kinds.filter((kind) => !steady.includes(kind));
  return [{ trait: nowAndThen, members: byChance }, ...sharedJoins(steady, requests)];
}

/**
 * Joins the kinds of crash that share a trait. It repeatedly takes the trait that joins most of the
 * kinds that are left (the rarest, if several traits join as many), until no trait joins two kinds.
 */
function sharedJoins(
  kinds: readonly CrashKind[],
  requests: readonly RequestFacts[],
): readonly Join[] {
  const firsts = kinds.flatMap(({ crashed: [first] }) => first ?? []);
  const exceptions = new Set(firsts.flatMap(({ exception }) => exception ?? []));
  const marks = new Set(firsts.flatMap((first) => first.marks ?? []));
  const all = [...[...exceptions].map(exceptionTrait), ...[...marks].map(markTrait), ...traits];
  const joins: Join[] = [];
  let left = kinds;
  for (;;) {
    const [best] = all
      .map((trait) => ({
        trait,
        members: left.filter(({ crashed }) => crashed.every(trait.has)),
        sent: requests.filter(trait.has),
      }))
      .filter(({ members, sent }) => members.length > 1 && crashMostly(members, sent))
      .toSorted((one, other) => other.members.length - one.members.length);
    if (best === undefined) return joins;
    joins.push(best);
    left = left.filter((kind) => !best.members.includes(kind));
  }
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

function ofKind({ deviation }: CrashKind, requests: readonly RequestFacts[]) {
  return requests.filter((request) => crashInput(request) === deviation.of);
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
  return of === "" || crashInput(request) === of;
}

function withDeviations(
  requirements: readonly RequirementResult[],
  joined: ReadonlyMap<string, JoinedCrash>,
): readonly RequirementResult[] {
  return requirements.map((row) => ({
    ...row,
    findings: row.findings.map((finding): Finding => {
      const crash = joined.get(mistakeKeyOf(finding, row.id));
      return crash === undefined ? finding : { ...finding, deviation: crash.deviation };
    }),
  }));
}

/**
 * The same witness, which finds for a joined deviation the responses of all deviations in it, and
 * the requests that could show it.
 */
function following(witness: Witness, joined: ReadonlyMap<string, JoinedCrash>): Witness {
  const before = groups([...joined], ([, { deviation }]) => deviationKey(deviation));
  return {
    ...witness,
    affectedBy: (mistake) =>
      new Set(
        (before.get(mistake) ?? [[mistake] as const]).flatMap(([key]) => [
          ...witness.affectedBy(key),
        ]),
      ),
    couldShow: (mistake, request) => {
      const [crash] = before.get(mistake) ?? [];
      if (crash === undefined) return undefined;
      const [, { trait }] = crash;
      return (trait.couldHave ?? trait.has)(request);
    },
  };
}
