import { cursorsOf } from "../../../harness/judging/standing-observations.ts";
import { memberOf, type Exchange, type Json } from "../../../model/exchange.ts";
import type { Context } from "../context.ts";

/** A list that shows so many batches may be one page of more (INT-29). */
export const pageSize = 10;

/** How many created batches show the order of the list rather than chance. */
const ordered = 6;

/** A batch that the run created, and when: milliseconds since the run started. */
export interface Listed {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Observes what the list counts and how it is ordered, while no other scenario creates batches, and only if the list
 * cannot be a page. What later lists show depends on the moment.
 */
export const observeList = (context: Context, list: Exchange, created: readonly Listed[]): void => {
  const batches = batchesOf(list);
  const ids = batches.map((batch) => memberOf(batch, "id"));
  const first = created.filter(({ id }, index) => created.findIndex((other) => other.id === id) === index);
  const places = first.map((batch) => ({ ...batch, place: ids.indexOf(batch.id) }));
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

/** The order of a list in which batches have these places. Those that were created at the same time have none. */
const orderOf = (batches: readonly (Listed & { readonly place: number })[]): string => {
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
