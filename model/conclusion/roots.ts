import type { Witness } from "../evidence/evidence.ts";
import { mistakeKey, oneIdForTwo, neededMembers, rounded } from "../mistake.ts";
import { type Finding, type RequirementResult, notFinite, type Mistake } from "../run.ts";
import {
  joinedCrashes,
  type Root,
  type RootRule,
  type Roots,
  type SeenMistake,
} from "./crashes.ts";
import { notFiniteInput, type RequestFacts } from "../request-facts.ts";
import { groups } from "../groups.ts";
import { placed } from "./common.ts";

/**
 * A server that mixes up responses which are in flight together answers with the values and the id
 * of another request. That is one mistake, and not one for each value: a mistake in what a response
 * has from its request is reported as part of it if each request that shows it was in flight together
 * with another one.
 */
const mixedUp: RootRule = (seen, sent) => {
  const sources = seen.filter(({ mistake }) => mistake.kind === "mixed up");
  if (sources.length === 0) return new Map();
  const together = new Set(
    placed(sent).flatMap(({ id, overlaps }) => (overlaps === false ? [] : [id])),
  );
  return new Map(
    seen.flatMap((one): readonly (readonly [string, Root])[] => {
      const source = sources.find(({ mistake }) => isOf(one, mistake));
      const isTogether = one.requests.every(({ id }) => together.has(id));
      return source === undefined || !isTogether ? [] : [[one.key, { mistake: source.mistake }]];
    }),
  );
};

/** Among responses that are mixed up, so few have by chance an amount that looks like their own, rounded. */
const roundedByChance = 1;

/**
 * Whether a mistake is in what responses of the operation have from their requests. Values that come
 * back rounded are those of the requests themselves, unless there are hardly any.
 */
function isOf({ mistake, requests }: SeenMistake, { of }: Mistake): boolean {
  const isEcho =
    mistake.kind === "echo" && (mistake.actual !== rounded || requests.length <= roundedByChance);
  const isOfRequest = isEcho || (mistake.kind === "other" && mistake.of === of);
  return isOfRequest && requests.length > 0 && requests.every(({ operation }) => operation === of);
}

/**
 * Members that are missing from the same responses, such as all members of an object that a server
 * writes as `{}`, are one mistake. A member without which a run cannot go on has its own.
 */
const missingTogether: RootRule = (seen) => {
  const missing = seen.filter(
    ({ mistake, requests }) =>
      mistake.kind === "missing" && requests.length > 0 && !neededMembers.has(mistake.of),
  );
  const together = groups(missing, ({ requests }) => requests.map(({ id }) => id).join());
  return new Map(
    [...together.values()].flatMap(([first, ...others]) =>
      others.map(({ key }) => [key, { mistake: first.mistake }]),
    ),
  );
};

/**
 * A success of an invalid request that lacks its id, or another member without which a run cannot go
 * on, reports a failure, unless valid requests get successes that lack it, too.
 */
const lackingEverywhere: RootRule = (seen) =>
  new Map(
    seen.flatMap(({ key, mistake, requests }): readonly (readonly [string, Root])[] => {
      if (mistake.of !== "an error") return [];
      const source = seen.find(
        (one) =>
          (one.mistake.kind === "missing" || one.mistake.kind === "null") &&
          neededMembers.has(one.mistake.of) &&
          one.requests.some(({ operation }) => operation === requests[0]?.operation),
      );
      return source === undefined ? [] : [[key, { mistake: source.mistake, isConsequence: true }]];
    }),
  );

/**
 * A server that answers a creation with an earlier resource gives that id to two resources, and
 * shows the values of the earlier one. That is one mistake: what is wrong with the values of such
 * responses, and of no other response, is reported as part of it, and so is the id in lists.
 */
const earlierResources: RootRule = (seen) => {
  const sources = seen
    .filter(({ mistake }) => isOneIdForTwo(mistake))
    .map(({ mistake, requests }) => ({ mistake, ids: new Set(requests.map(({ id }) => id)) }));
  const ofBatches = sources.find(({ mistake }) => mistake.of === "createBatch");
  return new Map(
    seen.flatMap(({ key, mistake, requests }): readonly (readonly [string, Root])[] => {
      // A list shows the ids that creations gave.
      if (ofBatches !== undefined && isOneIdForTwo(mistake) && mistake.of === "listBatches")
        return [[key, { mistake: ofBatches.mistake, isConsequence: true }]];
      if ((mistake.kind !== "echo" && mistake.kind !== "value") || requests.length === 0) return [];
      const source = sources.find(({ ids }) => requests.every(({ id }) => ids.has(id)));
      return source === undefined ? [] : [[key, { mistake: source.mistake }]];
    }),
  );
};

function isOneIdForTwo({ kind, actual }: Mistake): boolean {
  return kind === "other" && actual === oneIdForTwo;
}

/**
 * An Infinity or NaN that a server accepts stands in its lists from then on, which are no JSON then.
 * That is part of the mistake that let it in.
 */
const consequences: RootRule = (seen) => {
  const source = seen.find(
    ({ mistake: { kind }, requests }) =>
      kind === "accepted" && requests.some(({ traits }) => traits?.includes(notFiniteInput)),
  );
  if (source === undefined) return new Map();
  const root = { mistake: source.mistake, isConsequence: true } as const;
  return new Map(
    seen.flatMap(({ key, mistake, requests }) =>
      mistake.actual === notFinite && requests.every(isShownLater) ? [[key, root]] : [],
    ),
  );
};

/**
 * Whether the response to a request can show a wrong value that the server accepted: a batch or a
 * list shows what was created before, and the success of an invalid request shows its own values.
 */
function isShownLater({ operation, kind }: RequestFacts): boolean {
  return operation === "createBatch" || operation === "listBatches" || kind === "invalid";
}

const rules: readonly RootRule[] = [
  joinedCrashes,
  consequences,
  mixedUp,
  earlierResources,
  missingTogether,
  lackingEverywhere,
];

/** Which mistakes are reported as part of others. Of two rules that find a root, the first one wins. */
export function rootsOf(
  requirements: readonly RequirementResult[],
  witness: Witness | undefined,
): Roots {
  if (witness === undefined) return new Map();
  const seen = [...witness.mistakes].map(([key, { mistake, responses }]) => ({
    key,
    mistake,
    requests: [...responses].flatMap((id) => witness.requests.get(id) ?? []),
  }));
  const sent = [...witness.requests.values()];
  return new Map(rules.toReversed().flatMap((rule) => [...rule(seen, sent)]));
}

/** The requirements, whose findings name the mistakes as part of which they are reported. */
export function withRoots(
  requirements: readonly RequirementResult[],
  roots: Roots,
): readonly RequirementResult[] {
  if (roots.size === 0) return requirements;
  return requirements.map((row) => ({
    ...row,
    findings: row.findings.map((finding): Finding => {
      const root = roots.get(mistakeKey(finding.mistake));
      if (root === undefined) return finding;
      const { mistake: partOf, isConsequence } = root;
      return { ...finding, partOf, ...(isConsequence === true && { isConsequence }) };
    }),
  }));
}
