import { pageSize } from "../../../harness/judging/rules/batch-list.ts";
import { cursorsOf } from "../../../harness/judging/standing-observations.ts";
import { isSuccess, memberOf, type Exchange, type Json } from "../../../model/exchange.ts";
import type { Context } from "../context.ts";

/** How many created batches show the order of the list rather than chance. */
const ordered = 6;

/**
 * Observes what the list counts and how it is ordered, while no other scenario creates batches, and only if the list
 * cannot be a page. What later lists show depends on the moment.
 */
export const observeList = (context: Context, list: Exchange, created: readonly Exchange[]): void => {
  const batches = batchesOf(list);
  const ids = batches.map((batch) => memberOf(batch, "id"));
  // A second batch for a pair may be the first one again (INT-27).
  const first = new Map(
    created
      .filter(isSuccess)
      .toReversed()
      .map((made) => [memberOf(made.json, "id"), made]),
  );
  const places = [...first].map(([id, { at, response }]) => ({
    from: at,
    to: at + response.took,
    place: ids.indexOf(id),
  }));
  if (places.length >= ordered && places.every(({ place }) => place !== -1))
    context.observe("OPEN-17", "batches of a run", orderOf(places));
  if (batches.length >= pageSize) return;
  for (const name of ["count", "total"])
    context.observe("OPEN-16", `${name} of a short list`, relationOf(memberOf(list.json, name), batches.length));
  context.observe("OPEN-18", "a short list", cursorsOf(list).join(", ") || "nothing looks like a cursor");
};

export const batchesOf = (list: Exchange): readonly Json[] => {
  const batches = memberOf(list.json, "batches");
  return Array.isArray(batches) ? (batches as readonly Json[]) : [];
};

/** A batch that the run created, when, and where it is in the list. Milliseconds since the run started. */
interface Placed {
  readonly from: number;
  readonly to: number;
  readonly place: number;
}

/** The order of a list in which batches have these places. Those that were created at the same time have none. */
const orderOf = (batches: readonly Placed[]): string => {
  const steps = batches.flatMap((one) =>
    batches.filter((other) => other.from >= one.to).map((other) => other.place - one.place),
  );
  if (steps.every((step) => step > 0)) return "oldest first";
  return steps.every((step) => step < 0) ? "newest first" : "neither by age";
};

const relationOf = (value: Json | undefined, shown: number): string => {
  if (typeof value !== "number") return "no number";
  if (value === shown) return "the batches shown";
  return value > shown ? "more than the batches shown" : "fewer than the batches shown";
};
