import { oneIdForTwo } from "../mistake.ts";
import type { Mistake } from "../run.ts";
import type { Root, RootRule } from "./root-rule.ts";

/**
 * A server that answers a creation with an earlier resource gives that id to two resources, and
 * shows the values of the earlier one. That is one mistake: what is wrong with the values of such
 * responses, and of no other response, is reported as part of it, and so is the id in lists.
 */
export const earlierResources: RootRule = (seen) => {
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
