import { batchesIn, cursorsOf } from "../../harness/judging/observations.ts";
import { pageSize } from "../../harness/judging/rules/batch-list.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { memberOf, type Json } from "../../spec/json.ts";
import type { Context } from "../kit/index.ts";

/**
 * Asks for the list until it shows all batches that these requests created, or until the grace
 * period is over. Returns the response with the last list.
 */
export function listUntilSeen(
  { listRequest, settings, succeed }: Context,
  created: readonly Exchange[],
): Promise<Exchange> {
  const until = Math.max(...created.map(({ at, response }) => at + response.took)) + settings.grace;
  return succeed({ ...listRequest, awaits: { isShown: (list) => showsAll(list, created), until } });
}

/** Whether a list shows all batches that these requests created. */
export function showsAll(list: Pick<Exchange, "json">, created: readonly Exchange[]): boolean {
  const shown = new Set(batchesIn(list.json)?.map((batch) => memberOf(batch, "id")));
  return created.filter(isSuccess).every(({ json }) => shown.has(memberOf(json, "id")));
}

/** How many created batches show the order of the list. With fewer, the order may be chance. */
const ordered = 6;

/**
 * Observes how the list is ordered and, unless it may be only a page, what it counts. No other
 * scenario may create batches meanwhile, because that would change both.
 */
export function observeList(
  { observe }: Pick<Context, "observe">,
  list: Exchange,
  created: readonly Exchange[],
): void {
  const batches = batchesIn(list.json) ?? [];
  const ids = batches.map((batch) => memberOf(batch, "id"));
  // Each batch counts once, because a second batch for a pair may be the first one again (INT-27).
  const made = created.filter(isSuccess).toReversed();
  const places = [
    ...new Map(made.map((exchange) => [ids.indexOf(memberOf(exchange.json, "id")), exchange])),
  ];
  if (places.length >= ordered && places.every(([place]) => place !== -1))
    observe("OPEN-17", "batches of a run", orderOf(places));
  if (batches.length >= pageSize) return;
  for (const name of ["count", "total"])
    observe(
      "OPEN-16",
      `${name} of a short list`,
      relationOf(memberOf(list.json, name), batches.length),
    );
  observe("OPEN-18", "a short list", cursorsOf(list).join(", ") || "nothing looks like a cursor");
}

/**
 * Returns the order of the list, given the places of the created batches in it. Two batches whose
 * requests overlapped are not compared.
 */
function orderOf(batches: readonly (readonly [place: number, created: Exchange])[]): string {
  const steps = batches.flatMap(([place, { at, response }]) =>
    batches.filter(([, later]) => later.at >= at + response.took).map(([other]) => other - place),
  );
  if (steps.every((step) => step > 0)) return "oldest first";
  return steps.every((step) => step < 0) ? "newest first" : "neither by age";
}

function relationOf(value: Json | undefined, shown: number): string {
  if (typeof value !== "number") return "no number";
  if (value === shown) return "the batches shown";
  return value > shown ? "more than the batches shown" : "fewer than the batches shown";
}
