import type { Mistake } from "../run.ts";
import { rounded } from "../mistake.ts";
import { placed } from "./common.ts";
import type { Root, RootRule, SeenMistake } from "./root-rule.ts";

/**
 * A server that mixes up responses which are in flight together answers with the values and the id
 * of another request. That is one mistake, and not one for each value: a mistake in what a response
 * has from its request is reported as part of it if each request that shows it was in flight together
 * with another one.
 */
export const mixedUp: RootRule = (seen, sent) => {
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
const roundedByChance = 2;

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
