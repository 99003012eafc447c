import type { Witness } from "../evidence/evidence.ts";
import { mistakeKey, oneIdForTwo, neededMembers, rounded } from "../mistake.ts";
import { type Finding, type RequirementResult, notFinite, type Mistake } from "../run.ts";
import { joinedCrashes, type RootRule, type Roots, type SeenMistake } from "./crashes.ts";
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
  const together = new Set(
    placed(sent).flatMap(({ id, overlaps }) => (overlaps === false ? [] : [id])),
  );
  return (one) =>
    one.requests.every(({ id }) => together.has(id))
      ? sources.find(({ mistake }) => isOf(one, mistake))
      : undefined;
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
  const roots = new Map(
    [...together.values()].flatMap(([first, ...others]) => others.map(({ key }) => [key, first])),
  );
  return ({ key }) => roots.get(key);
};

/**
 * A success of an invalid request that lacks its id, or another member without which a run cannot go
 * on, reports a failure, unless valid requests get successes that lack it, too.
 */
const lackingEverywhere: RootRule =
  (seen) =>
  ({ mistake, requests }) => {
    if (mistake.of !== "an error") return undefined;
    const source = seen.find(
      (one) =>
        (one.mistake.kind === "missing" || one.mistake.kind === "null") &&
        neededMembers.has(one.mistake.of) &&
        one.requests.some(({ operation }) => operation === requests[0]?.operation),
    );
    return source && { ...source, isConsequence: true };
  };

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
  return ({ mistake, requests }) => {
    // A list shows the ids that creations gave.
    if (ofBatches !== undefined && isOneIdForTwo(mistake) && mistake.of === "listBatches")
      return { ...ofBatches, isConsequence: true };
    if ((mistake.kind !== "echo" && mistake.kind !== "value") || requests.length === 0)
      return undefined;
    return sources.find(({ ids }) => requests.every(({ id }) => ids.has(id)));
  };
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
  return ({ mistake, requests }) =>
    mistake.actual === notFinite && requests.every(isShownLater)
      ? source && { ...source, isConsequence: true }
      : undefined;
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
  const found = rules.map((rule) => rule(seen, sent));
  return new Map(
    seen.flatMap((one) =>
      found
        .flatMap((rootOf) => rootOf(one) ?? [])
        .slice(0, 1)
        .map((root) => [one.key, root]),
    ),
  );
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
