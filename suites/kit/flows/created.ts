import { Inconclusive } from "../../../harness/scenario-errors.ts";
import { pause } from "../../../harness/transport/throttling.ts";
import { memberOf, type Exchange } from "../../../model/exchange.ts";
import type { Context } from "../context.ts";
import type { Made } from "../target-knowledge.ts";

/** What a success created; throws Inconclusive where it has no id, which the standing checks have judged by then. */
export const created = (exchange: Exchange, member: "id" | "operation_id"): Made => {
  const id = memberOf(exchange.json, member);
  if (typeof id !== "string" || id === "") {
    throw new Inconclusive(`a response without a usable ${member} leaves nothing to go on with`);
  }
  return { id, exchange, body: exchange.request.json ?? null };
};

/**
 * Waits as long as this target was seen to need until what was just created is known to it, so that a refusal is not
 * about something that merely was not there yet.
 */
export const untilKnown = async ({ knowledge, settings, run }: Context): Promise<void> => {
  if (knowledge.lag > 0) await pause(Math.min(knowledge.lag * 1.3 + 200, settings.grace), run.signal);
};
