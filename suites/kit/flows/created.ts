import { Inconclusive } from "../../../harness/scenario-errors.ts";
import { pause } from "../../../harness/transport/throttling.ts";
import { memberOf, type Exchange } from "../../../model/exchange.ts";
import type { Context } from "../context.ts";
import type { Made } from "../target-knowledge.ts";

/** What a success created. Throws Inconclusive if the response has no id, which the standing checks judge. */
export const created = (exchange: Exchange, member: "id" | "operation_id"): Made => {
  const id = memberOf(exchange.json, member);
  if (typeof id !== "string" || id === "") {
    throw new Inconclusive(`a response without a usable ${member} leaves nothing to go on with`);
  }
  return { id, exchange, body: exchange.request.json ?? null };
};

/**
 * Waits until a new resource is known to the target, as long as this target has needed before. Otherwise a refusal
 * could mean that the resource is not there yet.
 */
export const untilKnown = async ({ knowledge, settings, run }: Context): Promise<void> => {
  if (knowledge.lag > 0) await pause(Math.min(knowledge.lag * 1.3 + 200, settings.grace), run.signal);
};
