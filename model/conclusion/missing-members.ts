import { groups } from "../groups.ts";
import { neededMembers } from "../mistake.ts";
import type { RootRule } from "./root-rule.ts";

/**
 * Members that are missing from the same responses, such as all members of an object that a server
 * writes as `{}`, are one mistake. A member without which a run cannot go on has its own.
 */
export const missingTogether: RootRule = (seen) => {
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
